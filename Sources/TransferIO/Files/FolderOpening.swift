import CLinux
import Glibc

/// How folders beneath another are opened so that nothing leads out of it.
enum FolderOpening {
  /// By openat2: links that stay inside are followed.
  case kernel
  /// Segment by segment, no link at all is followed: where openat2 isn't to be had.
  case segments

  /// Opens a folder by its path, following links.
  static func follow(_ path: String) throws(FileError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = unsafe jobrun_openat(AT_FDCWD, path, flags, 0)
    if descriptor < 0 { throw .last("open the folder", path) }
    return descriptor
  }

  /// Opens the folder `inside`, relative to the open folder `base`; `path` is for messages.
  /// Changes over to `segments` for good when the kernel has no openat2.
  mutating func open(
    _ inside: String, beneath base: Int32, _ path: String
  ) throws(FileError) -> Int32 {
    if self == .kernel {
      let descriptor = unsafe jobrun_open_folder_beneath(base, inside)
      if descriptor >= 0 { return descriptor }
      // EAGAIN: a rename raced with `..`; the plain way is as safe.
      if errno != ENOSYS && errno != EPERM && errno != EAGAIN {
        throw .last("open the folder", path)
      }
      if errno != EAGAIN { self = .segments }
    }
    return try Self.walk(inside, beneath: base, path)
  }

  private static func walk(
    _ inside: String, beneath base: Int32, _ path: String
  ) throws(FileError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    var current = base
    for segment in inside.split(separator: "/") where segment != "." {
      if segment == ".." {
        if current != base { close(current) }
        throw FileError(.system(EXDEV), "open the folder", path)
      }
      let next = unsafe jobrun_openat(current, String(segment), flags, 0)
      let error = FileError.last("open the folder", path)
      let isLink = next < 0 && FolderOpening.isLink(current, String(segment))
      if current != base { close(current) }
      if isLink { throw FileError(.system(ELOOP), "open the folder", path) }
      if next < 0 { throw error }
      current = next
    }
    return current
  }

  /// O_DIRECTORY with O_NOFOLLOW says ENOTDIR of a link, as of a file.
  private static func isLink(_ folder: Int32, _ name: String) -> Bool {
    var facts = stat()
    return unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
      && facts.st_mode & S_IFMT == S_IFLNK
  }
}

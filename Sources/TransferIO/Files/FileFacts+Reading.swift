import Glibc
import TransferCore

extension FileFacts {
  /// What `lstat` says of an absolute path; nil when nothing is there.
  package static func read(_ path: String) throws(FileError) -> FileFacts? {
    try read(AT_FDCWD, path, path)
  }

  /// The same of a name in an open folder; `path` is for messages.
  static func read(
    _ folder: Int32, _ name: String, _ path: String
  ) throws(FileError) -> FileFacts? {
    var facts = stat()
    if unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return FileFacts(facts) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .last("look at", path)
  }

  /// What `fstat` says of an open file; `path` is for messages.
  package static func read(descriptor: Int32, _ path: String) throws(FileError) -> FileFacts {
    var facts = stat()
    if unsafe fstat(descriptor, &facts) != 0 { throw .last("look at", path) }
    return FileFacts(facts)
  }

  init(_ facts: stat) {
    let modified = facts.st_mtim
    self.init(
      kind: Self.kind(facts.st_mode), device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino),
      size: Int64(facts.st_size),
      modificationNanoseconds: Self.nanoseconds(modified),
      mode: facts.st_mode & 0o7777)
  }

  /// Held at Int64's ends: a file may be dated past the year 2262.
  package static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOver) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isTooFar || isOver ? (time.tv_sec < 0 ? .min : .max) : sum
  }

  private static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    case S_IFLNK: .symbolicLink
    default: .other
    }
  }
}

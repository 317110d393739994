import CLinux
import Glibc
import TransferCore

/// The steps that turn a whole part file into its target, each one call of the system's. Their
/// order, and what is flushed and recorded between them, is the caller's: HOUSE's durable order.
package enum Placement {
  /// Gives the open part file its permission bits and, where given, its modification time. Before
  /// it is flushed.
  /// - Parameters:
  ///   - mode: permission bits; nil leaves those that it has.
  ///   - modified: seconds since 1970.
  ///   - path: for messages.
  /// - Returns: what the target will be: the intent's inode, size and time.
  package static func finish(
    descriptor: Int32, mode: UInt32?, modified: Int64?, path: String
  ) throws(FileError) -> FileFacts {
    if let mode, fchmod(descriptor, mode) != 0 { throw .last("set the mode of", path) }
    if let modified {
      let kept = timespec(tv_sec: 0, tv_nsec: omitted)
      let times = [kept, timespec(tv_sec: time_t(modified), tv_nsec: 0)]
      if unsafe futimens(descriptor, times) != 0 { throw .last("set the time of", path) }
    }
    return try FileFacts.read(descriptor: descriptor, path)
  }

  /// Renames the part file `part` over `name` in their folder, in one step: at any instant the
  /// target is the old file or the new one.
  /// - Parameters:
  ///   - expected: what `finish` returned: another file that took the part's name is refused.
  ///   - replaces: false leaves a file that is there alone and throws EEXIST.
  package static func put(
    _ part: String, as name: String, in folder: TargetFolder, expected: FileFacts, replaces: Bool
  ) throws(FileError) {
    let target = folder.path + "/" + name
    let found = try FileFacts.read(folder.descriptor, part, folder.path + "/" + part)
    guard let found, found.inode == expected.inode, found.size == expected.size else {
      throw FileError(.changed, "put in place", folder.path + "/" + part)
    }
    let code =
      if replaces { unsafe renameat(folder.descriptor, part, folder.descriptor, name) } else {
        try renameNew(part, name, folder)
      }
    if code != 0 { throw .last("put in place", target) }
  }

  /// Gives an unnamed file the name `name` in `folder`, in one step, as `put` does; where it takes
  /// another file's place it is `part` for a moment.
  package static func link(
    _ file: PartFile, _ part: @autoclosure () -> String, as name: String, in folder: TargetFolder,
    replaces: Bool
  ) throws(FileError) {
    if unsafe jobrun_name_file(file.descriptor, folder.descriptor, name) == 0 { return }
    let target = folder.path + "/" + name
    guard errno == EEXIST, replaces else { throw .last("put in place", target) }
    let part = part()
    if unsafe jobrun_name_file(file.descriptor, folder.descriptor, part) != 0 {
      // A part file that was not there before is another run's.
      throw errno == EEXIST ? FileError(.locked, "write", target) : .last("put in place", target)
    }
    if unsafe renameat(folder.descriptor, part, folder.descriptor, name) == 0 { return }
    let error = FileError.last("put in place", target)
    try remove(part, in: folder)
    throw error
  }

  /// Removes a part file that is of no use any more; one that is gone already is no error.
  package static func remove(_ part: String, in folder: TargetFolder) throws(FileError) {
    if unsafe unlinkat(folder.descriptor, part, 0) != 0, errno != ENOENT {
      throw .last("remove", folder.path + "/" + part)
    }
  }

  /// File systems without RENAME_NOREPLACE say EINVAL: a second name is as safe there.
  private static func renameNew(
    _ part: String, _ name: String, _ folder: TargetFolder
  ) throws(FileError) -> Int32 {
    let code = unsafe jobrun_rename_new(folder.descriptor, part, name)
    if code == 0 || errno != EINVAL { return code }
    if unsafe linkat(folder.descriptor, part, folder.descriptor, name, 0) != 0 { return -1 }
    try remove(part, in: folder)
    return 0
  }

  /// UTIME_OMIT, whose cast Swift can't read: the time of the last read stays.
  private static let omitted = (1 << 30) - 2

  /// 0644 less the umask, which only setting it can read: done once, before helper threads make
  /// files.
  package static let defaultMode: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return 0o644 & ~mask
  }()
}

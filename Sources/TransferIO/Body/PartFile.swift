import CLinux
import Glibc
import TransferCore

/// A file that a body, or several ranges of it, is being written to: open, locked for this process.
///
/// One owner, closed (and with that unlocked) when it goes. Not Sendable: one thread at a time
/// uses it, the loop's and then the registrar's.
package final class PartFile {
  /// For messages, and for the calls that take a path: as it was given.
  package let path: String
  /// Open for reading and writing while this object lives.
  package let descriptor: Int32
  package let device: UInt64
  /// 0 for one without a name, which is not asked for it: nothing is claimed of it before the end.
  package let inode: UInt64
  /// Made by this object: it has the mode that was asked for, less the umask.
  package let isNew: Bool
  /// It has no name yet, and is gone when it is closed without one.
  package let isUnnamed: Bool
  /// Bytes that the file has, or the end of the last of its ranges.
  package private(set) var size: Int64
  /// What of the file is known to be the body's: kept from earlier, and written since.
  package private(set) var written = ByteRanges()
  private var writtenOut: Int64 = 0
  /// What it is marked with since it was begun.
  private(set) lazy var mark = PartMark.read(descriptor)

  /// Files of at least so many declared bytes get their room before they are written: below it
  /// the call costs more than it gives (measured).
  private static let reservesFrom: Int64 = 1_048_576
  /// Every so many bytes the kernel is told to start writing out, so that the last flush is short.
  private static let writesOutEvery: Int64 = 8 * 1_048_576

  /// Opens or creates the file at an absolute path and locks it. `mode` holds for a new file.
  package convenience init(path: String, mode: UInt32 = 0o600) throws(FileError) {
    try self.init(folder: AT_FDCWD, name: path, path: path, mode: mode)
  }

  /// Opens or creates `name` in an open folder and locks it; `path` is for messages. A symbolic
  /// link is refused (ELOOP), and so is what is no regular file.
  package init(
    folder: Int32, name: String, path: String, mode: UInt32 = 0o600
  ) throws(FileError) {
    self.path = path
    var opened = try Self.openLocked(folder, name, path, mode)
    // Between open and lock the last owner may have renamed or removed it: then the lock is on a
    // file that no longer has this name. One that we made had no owner before.
    while !opened.isNew {
      if try Self.isStill(folder, name, path, opened) { break }
      close(opened.descriptor)
      opened = try Self.openLocked(folder, name, path, mode)
    }
    isNew = opened.isNew
    isUnnamed = false
    descriptor = opened.descriptor
    device = UInt64(opened.facts.st_dev)
    inode = UInt64(opened.facts.st_ino)
    size = Int64(opened.facts.st_size)
  }

  /// Makes a file without a name; nil where the folder's file system has none such. `path` is for
  /// messages.
  init?(unnamedIn folder: TargetFolder, path: String, mode: UInt32) throws(FileError) {
    guard folder.takesUnnamed else { return nil }
    descriptor = jobrun_open_unnamed(folder.descriptor, mode)
    self.path = path
    device = folder.device
    (isNew, isUnnamed, size) = (true, true, 0)
    inode = 0
    if descriptor >= 0 { return }
    if errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
      folder.takesUnnamed = false
      return nil
    }
    throw .last("make a file for", path)
  }

  deinit {
    if descriptor < 0 { return }
    // A program that is just being started may have the descriptor too, and the lock with it.
    if !isUnnamed { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }

  private typealias Opened = (descriptor: Int32, facts: stat, isNew: Bool)

  private static func openLocked(
    _ folder: Int32, _ name: String, _ path: String, _ mode: UInt32
  ) throws(FileError) -> Opened {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    func open(_ more: Int32) -> Int32 {
      unsafe name.withCString { unsafe jobrun_openat(folder, $0, flags | more, mode) }
    }
    var descriptor = open(O_EXCL)
    let isNew = descriptor >= 0
    if !isNew, errno == EEXIST { descriptor = open(0) }
    if descriptor < 0 { throw .last("open", path) }
    var facts = stat()
    if unsafe fstat(descriptor, &facts) != 0 {
      throw closing(descriptor, .last("look at", path))
    }
    if facts.st_mode & S_IFMT != S_IFREG {
      throw closing(descriptor, FileError(.notRegular, "open", path))
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      let cause: FileError.Cause = number == EWOULDBLOCK ? .locked : .system(number)
      throw closing(descriptor, FileError(cause, "lock", path))
    }
    return (descriptor, facts, isNew)
  }

  private static func closing(_ descriptor: Int32, _ error: FileError) -> FileError {
    close(descriptor)
    return error
  }

  private static func isStill(
    _ folder: Int32, _ name: String, _ path: String, _ opened: Opened
  ) throws(FileError) -> Bool {
    var facts = stat()
    let code = unsafe name.withCString { name in
      unsafe fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW)
    }
    if code == 0 {
      return facts.st_ino == opened.facts.st_ino && facts.st_dev == opened.facts.st_dev
    }
    if errno == ENOENT { return false }
    throw closing(opened.descriptor, .last("look at", path))
  }
}

extension PartFile {
  /// Keeps the bytes up to `length`, and the ranges beyond that are named: they are the body's.
  package func keep(upTo length: Int64, and beyond: ByteRanges) throws(FileError) {
    // Lengthening it would put zeros where bytes were that somebody took away meanwhile.
    if size < max(length, beyond.end) { throw FileError(.changed, "continue", path) }
    // Before the first byte: claims of other states are of other bytes.
    if length == 0, beyond.isEmpty { mark = PartMark.renew(descriptor) }
    try truncate(to: max(length, beyond.end))
    written = ByteRanges([0..<length] + beyond.ranges)
  }

  /// Makes the file `length` bytes long.
  package func truncate(to length: Int64) throws(FileError) {
    if length == size { return }
    if ftruncate(descriptor, Int(length)) != 0 { throw .last("truncate", path) }
    size = length
    if length < written.end {
      written = ByteRanges(written.ranges.map { $0.clamped(to: 0..<length) })
    }
    writtenOut = min(writtenOut, length)
  }

  /// Takes the room for a file of `total` bytes where that pays; `size` stays what was written.
  /// A file system that can't is no error, one without the room is.
  package func reserve(_ total: Int64) throws(FileError) {
    if total < Self.reservesFrom || total <= size { return }
    try Room(descriptor)?.check(total, beyond: size, path)
    if jobrun_reserve(descriptor, size, total - size) == 0 { return }
    switch errno {
    case ENOSPC, EDQUOT, EIO, EFBIG: throw .last("reserve \(total) bytes for", path)
    default: return
    }
  }

  /// Appends all of the bytes.
  package func write(_ bytes: RawSpan) throws(FileError) { try write(bytes, at: size) }

  /// Writes all of the bytes where they belong.
  package func write(_ bytes: RawSpan, at position: Int64) throws(FileError) {
    var done = 0
    while done < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress! + done, bytes.count - done,
          off_t(position) + off_t(done))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("write to", path)
      }
      written.insert(position + Int64(done)..<position + Int64(done + count))
      done += count
      size = max(size, position + Int64(done))
    }
    startWritingOut()
  }

  /// A hint to the kernel: what it says to it doesn't matter, the flush at the end tells.
  private func startWritingOut() {
    if size - writtenOut < Self.writesOutEvery { return }
    _ = jobrun_start_writing_out(descriptor, writtenOut, size - writtenOut)
    writtenOut = size
  }
}

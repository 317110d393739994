import CLinux
import Glibc
import TransferCore

/// One file that log lines are appended to. Owner of its descriptor.
final class LogFile {
  private let path: String
  let descriptor: Int32
  private let device: dev_t
  private let inode: ino_t
  /// Devices and pipes are written to, and neither locked nor cut.
  private let isRegular: Bool
  /// Where the last bytes of ours ended.
  private var end: off_t = 0

  init(path: String) throws(FileError) {
    self.path = path
    try FolderChain.create(above: path)
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY
    descriptor = unsafe jobrun_openat(AT_FDCWD, path, flags, 0o640)
    if descriptor < 0 { throw .last("open", path) }
    var facts = stat()
    if unsafe fstat(descriptor, &facts) != 0 {
      let error = FileError.last("look at", path)
      close(descriptor)
      throw error
    }
    device = facts.st_dev
    inode = facts.st_ino
    isRegular = facts.st_mode & S_IFMT == S_IFREG
  }

  deinit { close(descriptor) }

  func isStillAt(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_ino == inode && facts.st_dev == device
  }

  /// Appends all of the bytes or none of them.
  /// - Returns: false when the file has become shorter since the last time.
  func append(_ bytes: [UInt8]) throws(FileError) -> Bool {
    var goesOn = true
    try locked { () throws(FileError) in
      let before = try size()
      goesOn = before >= end
      do throws(FileError) { try write(bytes[...]) } catch {
        // Best effort: what can't be cut back now is mended at the next opening.
        if isRegular { _ = ftruncate(descriptor, before) }
        throw error
      }
      end = before + off_t(bytes.count)
    }
    return goesOn
  }

  /// Makes the file end with a whole line.
  func mendEnd() throws(FileError) {
    if !isRegular { return }
    try locked { () throws(FileError) in
      let length = try size()
      let start = try startOfLastLine(length)
      if start == length { return }
      let line = try read(from: start, count: min(Int(length - start), 4_096))
      if Self.isOurs(line) {
        if ftruncate(descriptor, start) != 0 { throw .last("cut back", path) }
      } else {
        try write([UInt8(ascii: "\n")])
      }
    }
  }

  /// The file's last `count` bytes, or all of them.
  func end(_ count: Int) throws(FileError) -> [UInt8] {
    if !isRegular { return [] }
    let length = try size()
    let start = max(0, length - count)
    return try read(from: start, count: Int(length - start))
  }

  /// A line that a crash cut short: the start of a record, or the zeros that a file system may
  /// leave after a power cut. Anything else is somebody's text and stays.
  private static func isOurs(_ line: [UInt8]) -> Bool {
    let start = Array(#"{"schema":"#.utf8)
    let head = line.prefix(start.count)
    return start.starts(with: head.prefix { $0 != 0 })
  }

  private func locked(_ body: () throws(FileError) -> Void) throws(FileError) {
    if !isRegular { return try body() }
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw .last("lock", path) }
    }
    defer { flock(descriptor, LOCK_UN) }
    try body()
  }

  private func size() throws(FileError) -> off_t {
    var facts = stat()
    if unsafe fstat(descriptor, &facts) != 0 { throw .last("look at", path) }
    return facts.st_size
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("write to", path)
      }
      rest = rest.dropFirst(count)
    }
  }

  private func startOfLastLine(_ length: off_t) throws(FileError) -> off_t {
    var end = length
    let bound = max(0, length - Self.longestLine)
    while end > bound {
      let start = max(0, end - 65_536)
      let bytes = try read(from: start, count: Int(end - start))
      if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + newline + 1 }
      end = start
    }
    return end
  }

  /// No line of ours is longer; a file without a line end so far back is somebody's.
  private static let longestLine: off_t = 64 * 1_048_576

  private func read(from start: off_t, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor, bytes.baseAddress! + done, count - done, start + off_t(done))
      }
      if read < 0 {
        if errno == EINTR { continue }
        throw .last("read", path)
      }
      if read == 0 { break }
      done += read
    }
    return Array(bytes.prefix(done))
  }
}

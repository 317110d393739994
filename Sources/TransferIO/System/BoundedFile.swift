import CLinux
import Glibc

/// Reading small files whole: no more of them than a bound, and nothing that isn't a plain file.
enum BoundedFile {
  enum Problem: Error, Equatable {
    case failed(FileError)
    /// Larger than the bound, in bytes.
    case tooLarge(bound: Int)
  }

  /// What tells one version of a file from another.
  struct Version: Hashable {
    var device: UInt
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init(_ facts: stat) {
      (device, inode) = (UInt(facts.st_dev), UInt(facts.st_ino))
      size = Int(facts.st_size)
      (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
  }

  struct Contents {
    var bytes: [UInt8]
    /// Permission bits.
    var mode: UInt32
    var version: Version
  }

  /// The version of what `path` names now.
  static func version(_ path: String) throws(FileError) -> Version {
    var facts = stat()
    if unsafe stat(path, &facts) != 0 { throw .last("read", path) }
    return Version(facts)
  }

  /// Follows symbolic links.
  /// - Parameter bound: the most bytes that are taken; more are a `Problem`.
  static func read(_ path: String, bound: Int) throws(Problem) -> Contents {
    // Without O_NONBLOCK a pipe that nobody writes to would hold the loop for ever.
    let descriptor = unsafe path.withCString { path in
      unsafe jobrun_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    if descriptor < 0 { throw .failed(.last("open", path)) }
    defer { close(descriptor) }
    var facts = stat()
    if unsafe fstat(descriptor, &facts) != 0 { throw .failed(.last("read", path)) }
    if facts.st_mode & S_IFMT != S_IFREG { throw .failed(FileError(.notRegular, "read", path)) }
    if facts.st_size > bound { throw .tooLarge(bound: bound) }
    // /proc and /sys say 0 whatever they hold.
    var bytes = [UInt8](repeating: 0, count: min(max(Int(facts.st_size), 4096), bound) + 1)
    var filled = 0
    while true {
      if filled == bytes.count {
        if filled > bound { throw .tooLarge(bound: bound) }
        bytes += [UInt8](repeating: 0, count: min(filled, bound + 1 - filled))
      }
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .failed(.last("read", path)) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return Contents(bytes: bytes, mode: UInt32(facts.st_mode & 0o7777), version: Version(facts))
  }
}

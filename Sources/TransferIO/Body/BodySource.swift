import CLinux
import Glibc
import TransferCore

/// What a request sends, handed out piece by piece: bytes, or a file that must stay as it was when
/// it was opened.
final class BodySource {
  private enum Content {
    case bytes([UInt8])
    case file(descriptor: Int32, path: String, identity: stat)
  }

  let size: Int64
  private let content: Content
  private var offset: Int64 = 0
  /// Bytes from the start that were handed out at some time: all that a server may have seen.
  private(set) var handedOut: Int64 = 0
  /// Whether bytes that were handed out may be asked for again.
  private let mayRepeat: Bool
  /// How many of so many bytes may be handed out now, and who hears of those that were.
  var room: (_ wanted: Int) -> Int = { $0 }
  var sent: (_ count: Int) -> Void = { _ in }
  /// Why handing out ended early.
  private(set) var failure: TransferFailure?

  init(bytes: [UInt8], mayRepeat: Bool) {
    content = .bytes(bytes)
    size = Int64(bytes.count)
    self.mayRepeat = mayRepeat
  }

  /// Opens the file. `size` is what it had when it was looked at; nil takes it as it is.
  init(path: String, size wanted: Int64?, mayRepeat: Bool) throws(FileError) {
    self.mayRepeat = mayRepeat
    let descriptor = unsafe path.withCString { path in
      unsafe jobrun_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    if descriptor < 0 { throw .last("open", path) }
    var identity = stat()
    if unsafe fstat(descriptor, &identity) != 0 {
      let error = FileError.last("look at", path)
      close(descriptor)
      throw error
    }
    content = .file(descriptor: descriptor, path: path, identity: identity)
    size = Int64(identity.st_size)
    if identity.st_mode & S_IFMT != S_IFREG { throw FileError(.notRegular, "open", path) }
    if let wanted, wanted != size { throw FileError(.changed, "open", path) }
  }

  deinit {
    if case .file(let descriptor, _, _) = content { close(descriptor) }
  }

  /// Fills `buffer` from where the last read ended; the count, 0 at the end, nil after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = unsafe fill(buffer)
    if let count, count > 0 { sent(count) }
    return count
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = min(buffer.count, Int(size - offset))
    if wanted <= 0 { return 0 }
    defer { handedOut = max(handedOut, offset) }
    let into = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[0..<wanted])
    switch content {
    case .bytes(let bytes):
      let start = Int(offset)
      unsafe into.copyBytes(from: bytes[start..<start + wanted])
      offset += Int64(wanted)
      return wanted
    case .file(let descriptor, let path, let identity):
      do throws(FileError) {
        return try unsafe readFile(descriptor, path, identity, into)
      } catch {
        failure = error.failure
        return nil
      }
    }
  }

  private func readFile(
    _ descriptor: Int32, _ path: String, _ identity: stat, _ into: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    var count = unsafe pread(descriptor, into.baseAddress, into.count, off_t(offset))
    while count < 0, errno == EINTR {
      count = unsafe pread(descriptor, into.baseAddress, into.count, off_t(offset))
    }
    if count < 0 { throw .last("read", path) }
    if count == 0 { throw FileError(.changed, "read", path) }
    // Looked at before the last piece goes out: a server never gets the whole of a mixed file.
    if offset + Int64(count) == size, try !Self.isSame(descriptor, path, identity) {
      throw FileError(.changed, "read", path)
    }
    offset += Int64(count)
    return count
  }

  private static func isSame(
    _ descriptor: Int32, _ path: String, _ identity: stat
  ) throws(FileError) -> Bool {
    var now = stat()
    if unsafe fstat(descriptor, &now) != 0 { throw .last("look at", path) }
    return now.st_size == identity.st_size
      && now.st_mtim.tv_sec == identity.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == identity.st_mtim.tv_nsec
  }

  /// Whether the next read may start at `position`.
  func seek(to position: Int64) -> Bool {
    if position == offset { return true }
    if !mayRepeat || position < 0 || position > size { return false }
    offset = position
    return true
  }
}

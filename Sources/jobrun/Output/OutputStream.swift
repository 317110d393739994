import Glibc

/// Standard output or standard error: whole writes, buffered, and a reader that went away ends
/// the output and not the program (SIGPIPE is ignored at the start).
final class OutputStream {
  let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The errno of the write that failed; nothing is written after it.
  private(set) var failure: Int32?

  init(descriptor: Int32) { self.descriptor = descriptor }

  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 32_768 { flush() }
  }

  func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 32_768 { flush() }
  }

  func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    buffer.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count, failure == nil {
        let count = Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        if count >= 0 {
          start += count
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          failure = errno
        }
      }
    }
  }

  /// The other end of a pipe or terminal may have been made non-blocking by someone else.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}

import CLinux
import Glibc

/// A pipe from a child process to us, read without waiting.
final class Pipe {
  let readable: Int32
  let writable: Int32
  private var isWritable = true
  private var isAtEnd = false

  /// For poll(2), which passes over -1: at its end a pipe is readable for ever.
  var awaited: Int32 { isAtEnd ? -1 : readable }

  init() throws(SecretCommand.Problem) {
    var ends: [Int32] = [-1, -1]
    if unsafe pipe2(&ends, O_CLOEXEC) != 0 { throw .machine(errno, "make a pipe") }
    (readable, writable) = (ends[0], ends[1])
  }

  deinit {
    close(readable)
    closeWriting()
  }

  /// Ours is not needed once the child has its own.
  func closeWriting() {
    if isWritable { close(writable) }
    isWritable = false
  }

  /// Takes what is there now; past `most` bytes it is thrown away, so that the child never waits.
  /// Not for ever: something in the background may write without end.
  func drain(into bytes: inout [UInt8], keeping most: Int) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    for _ in 0..<64 where isReadable {
      let count = unsafe read(readable, &buffer, buffer.count)
      if count == 0 { isAtEnd = true }
      if count > 0 { bytes += buffer[..<min(count, max(most - bytes.count, 0))] }
    }
  }

  private var isReadable: Bool {
    var wait = pollfd(fd: awaited, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 0) == 1
  }
}

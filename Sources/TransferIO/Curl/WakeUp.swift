import CLinux
import Glibc

/// Ends the engine's wait from another thread. It owns an eventfd, so that a helper thread may
/// keep and ring it for as long as it likes, whether or not the engine still lives; libcurl's own
/// wake-up needs a multi handle that is still there.
package final class WakeUp: Sendable {
  let descriptor: Int32

  init() throws(FileError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    if descriptor < 0 { throw .last("open", "an eventfd") }
  }

  deinit { close(descriptor) }

  /// Ends the wait that is under way, or the next one. From any thread.
  package func ring() {
    var one: UInt64 = 1
    // Full means that it is ringing already.
    _ = unsafe write(descriptor, &one, 8)
  }

  /// Takes back what was rung.
  func hush() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, 8)
  }
}

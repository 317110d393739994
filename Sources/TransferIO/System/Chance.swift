import CLinux
import Glibc

/// Random numbers of the kernel, for run ids and for the seeds of what must be repeatable.
package enum Chance {
  /// 64 random bits (getrandom). Early in a boot it waits until the kernel has some.
  package static func seed() -> UInt64 {
    var bits: UInt64 = 0
    while true {
      let count = unsafe getrandom(&bits, 8, 0)
      if count == 8 { return bits }
      precondition(count < 0 && errno == EINTR, "getrandom failed: \(errno)")
    }
  }
}

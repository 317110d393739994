import CLinux
import Glibc

/// Random numbers of the kernel, for run ids and for the seeds of what must be repeatable.
package enum Chance {
  /// 64 random bits (getentropy). Early in a boot it waits until the kernel has some.
  package static func seed() -> UInt64 {
    var bits: UInt64 = 0
    let code = unsafe getentropy(&bits, 8)
    precondition(code == 0, "getentropy failed: \(errno)")
    return bits
  }
}

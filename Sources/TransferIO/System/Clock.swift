import Glibc
import TransferCore

/// The machine's clocks: the only place that reads them.
package enum Clock {
  /// CLOCK_MONOTONIC: for waits and deadlines.
  package static func monotonic() -> Instant {
    let time = read(CLOCK_MONOTONIC)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// CLOCK_REALTIME: for what people and other machines read.
  package static func wall() -> WallTime {
    let time = read(CLOCK_REALTIME)
    return WallTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    let code = unsafe clock_gettime(clock, &time)
    precondition(code == 0, "clock_gettime failed")
    return time
  }
}

/// A moment of the monotonic clock, in nanoseconds; only differences mean anything.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  package static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return Self(nanoseconds: overflow ? .max : sum)
  }
  package static func - (left: Self, right: Self) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}

/// A moment of the wall clock: microseconds since 1970-01-01T00:00:00Z.
package struct WallTime: Comparable, Hashable, Sendable {
  package var microseconds: Int64
  package init(microseconds: Int64) { self.microseconds = microseconds }
  package static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Duration {
  /// Whole nanoseconds, held at Int64's ends.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? .max : sum
  }

  /// Whole milliseconds, held at Int64's ends.
  package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

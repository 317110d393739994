import TransferCore

/// Whether a transfer moves fast enough: the longest silence, and the least speed over a period.
struct Pace {
  private var silence = Duration.zero
  private var minimum: MinimumSpeed?
  private(set) var lastMoved = Instant(nanoseconds: 0)
  /// Bytes that moved, both ways, heads included.
  private var bytes: Int64 = 0
  private var periodStart = Instant(nanoseconds: 0)
  private var periodBytes: Int64 = 0

  init() {}

  init(_ request: TransferRequest, since now: Instant) {
    silence = request.timeoutForRequest
    minimum = request.minimumSpeed
    lastMoved = now
    periodStart = now
  }

  mutating func moved(_ count: Int, at now: Instant) {
    if count == 0 { return }
    lastMoved = now
    bytes += Int64(count)
  }

  /// The transfer was held by us for so long, which is no silence of the other side.
  mutating func held(for duration: Duration) {
    lastMoved = lastMoved + duration
    periodStart = periodStart + duration
  }

  /// No failure can be due before this moment.
  var nextDue: Instant {
    let quiet = lastMoved + silence
    guard let minimum else { return quiet }
    return min(quiet, periodStart + minimum.period)
  }

  /// Why the transfer ends at `now`, and nil while it may go on.
  mutating func failure(at now: Instant) -> TransferFailure? {
    if now >= lastMoved + silence {
      return TransferFailure(.timeout, "no byte moved for \(Self.seconds(silence))")
    }
    guard let minimum, now >= periodStart + minimum.period else { return nil }
    let moved = bytes - periodBytes
    let needed = Double(minimum.bytesPerSecond) * Double(minimum.period.nanoseconds) / 1e9
    if Double(moved) < needed {
      return TransferFailure(
        .timeout,
        "slower than \(minimum.bytesPerSecond) bytes/s: \(moved) bytes in "
          + Self.seconds(minimum.period))
    }
    periodStart = now
    periodBytes = bytes
    return nil
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}

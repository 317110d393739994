/// Bytes a second, each way, that transfers may move; nil is no limit.
package struct RateLimit: Equatable, Hashable, Sendable {
  /// From 1.
  package var download: Int64?
  package var upload: Int64?

  package init(download: Int64? = nil, upload: Int64? = nil) {
    self.download = download
    self.upload = upload
  }

  package var isEmpty: Bool { download == nil && upload == nil }
}

/// Says when bytes may move so that a rate is kept: the virtual scheduling of the generic cell rate
/// algorithm (ITU-T I.371). A piece moves when the ones before it are paid for; so a rate is never
/// exceeded by more than one piece and what was saved up.
package struct RatePacer: Sendable {
  /// From 1.
  package let bytesPerSecond: Int64
  /// When all that moved so far is paid for.
  private var paid: Instant

  /// What was not used is saved up for so long: a late wake-up loses nothing.
  package static let saved = Duration.milliseconds(100)
  /// Whoever waits is woken so long after it may go on, and has a run of pieces to move then: a
  /// wake-up for each would be thousands a second.
  package static let gathered = Duration.milliseconds(20)

  package init(bytesPerSecond: Int64, at now: Instant) {
    self.bytesPerSecond = bytesPerSecond
    paid = now
  }

  package func mayMove(at now: Instant) -> Bool { paid <= now }

  /// So many bytes move now.
  package mutating func move(_ bytes: Int, at now: Instant) {
    let cost = Double(bytes) / Double(bytesPerSecond)
    paid = max(paid, now + (.zero - Self.saved)) + .nanoseconds(Int64(min(cost * 1e9, 9e17)))
  }

  /// When one who has to wait is to look again.
  package var next: Instant { paid + Self.gathered }

  /// A piece of this size at most keeps the flow even: what comes in the time of one gathering.
  package static func piece(bytesPerSecond: Int64) -> Int {
    Int(min(max(1_024, bytesPerSecond / 50), 262_144))
  }
}

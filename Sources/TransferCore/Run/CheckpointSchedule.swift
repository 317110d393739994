/// When a running download's progress is worth a flush and a row: every 8 MiB or 2 s of its
/// transfer. What is lost by a kill is bounded by it.
package struct CheckpointSchedule: Sendable {
  package static let bytesApart: Int64 = 8 * 1_048_576
  package static let timeApart = Duration.seconds(2)
  /// Between two looks at what is being transferred.
  package static let looksApart = Duration.milliseconds(250)

  private struct Claim {
    var bytes: Int64
    var at: Instant
  }

  /// What was claimed last, by task.
  private var claims: [Int32: Claim] = [:]
  /// When the next look is due; nil is at once.
  package private(set) var nextLook: Instant?

  package init() {}

  package func isDue(at now: Instant) -> Bool { nextLook.map { $0 <= now } ?? true }

  /// A look was taken.
  package mutating func looked(at now: Instant, isTransferring: Bool) {
    nextLook = isTransferring ? now + Self.looksApart : nil
  }

  /// Whether a part file of `size` bytes is worth a claim now; it counts as claimed then.
  package mutating func claim(_ task: Int32, size: Int64, at now: Instant) -> Bool {
    guard let last = claims[task] else {
      claims[task] = Claim(bytes: 0, at: now)
      return claim(task, size: size, at: now)
    }
    guard
      size - last.bytes >= Self.bytesApart || (now >= last.at + Self.timeApart && size > last.bytes)
    else { return false }
    claims[task] = Claim(bytes: size, at: now)
    return true
  }

  /// Whether what was flushed of the task may still be claimed: not once its part file was begun
  /// anew, or is no longer being written.
  package func mayClaim(_ task: Int32) -> Bool { claims[task] != nil }

  /// The task's part file is begun anew, or no longer written.
  package mutating func forget(_ task: Int32) { claims[task] = nil }
}

extension Checkpoint {
  /// A checkpoint speaks for the part file only while that is the same file and long enough.
  /// - Parameters:
  ///   - part: what stands at the part file's path.
  ///   - mark: what that is marked with.
  package func speaks(for part: FileFacts?, marked mark: UInt64? = nil) -> Bool {
    guard let part, mark == self.mark else { return false }
    return part.kind == .regular && part.inode == inode
      && part.size >= max(durableBytes, beyond.end)
  }

  /// All that is known to be on disk.
  package var durable: ByteRanges { ByteRanges([0..<max(0, durableBytes)] + beyond.ranges) }

  /// What of `beyond` a resume may build on: a strong ETag and a length must speak for it.
  package var usableBeyond: ByteRanges {
    validator.strongETag != nil && total.map { beyond.end <= $0 } ?? false ? beyond : ByteRanges()
  }
}

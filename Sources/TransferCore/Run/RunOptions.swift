/// What a run is started with beside its plan.
package struct RunOptions: Sendable {
  package var runID: String
  package var startedAt: WallTime
  /// The run's deadline on the monotonic clock; nil is none.
  package var deadline: Instant?
  /// Seed of the jitter of retries.
  package var seed: UInt64
  /// Tasks that ended `done` earlier in this chain of runs, with the run that did them.
  package var doneInRun: [String: String]
  /// Hosts that asked an earlier run to wait (Retry-After), and until when.
  package var notBefore: [String: WallTime] = [:]

  package init(
    runID: String, startedAt: WallTime, deadline: Instant? = nil, seed: UInt64,
    doneInRun: [String: String] = [:]
  ) {
    self.runID = runID
    self.startedAt = startedAt
    self.deadline = deadline
    self.seed = seed
    self.doneInRun = doneInRun
  }
}

/// SplitMix64: a stream of numbers from one seed, so that a run can be replayed.
struct SeededChance {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  /// Uniform in 0..<1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / 9_007_199_254_740_992
  }
}

import TransferCore

/// A kill: the program is gone between two of its steps.
struct Killed: Error {}

/// What is left out or done wrong on purpose, to see that the checkers see it.
enum Mutation: CaseIterable {
  case skipsFlushBeforeRename
  case renamesBeforeFolderIsKnown
  case takesAnyPartialAnswer
  case takesCutBodies
  case takesAny416
  case claimsBeforeFlush
  case keepsClaimOfOverwrittenBytes
  case trustsFlushAfterFailure
  case marksLogBeforeFlush
  case replaysLogUnseen
  case forgetsIntents
  case claimsByErrorPage
  case neverCheckpoints
  case takesAnyRange
  case claimsOverGaps
  case forgetsKeptRanges

  var isOfSegments: Bool {
    switch self {
    case .takesAnyRange, .claimsOverGaps, .forgetsKeptRanges: true
    default: false
    }
  }
}

/// Everything that outlives a run, and its one clock.
final class World {
  let chance: Chance
  var scenario: Scenario
  let disk: SimulatedDisk
  let state = SimulatedState()
  var log = SimulatedLog()
  let mutation: Mutation?
  var now = Instant(nanoseconds: 1_000_000_000)
  private(set) var violations: [String] = []
  /// Tasks whose target others have touched: what the state knows of it is of before.
  var meddled: Set<Int32> = []
  /// Versions that others have put at a task's target.
  var foreign: [Int32: Set<Int>] = [:]
  /// Nothing fails any more.
  var isCalm = false
  /// Flushes may fail.
  var hasBadDisk = false
  /// So many steps until the kill.
  var fuse: Int?
  /// What a kill may not cost: a task's next run builds on these bytes.
  var owed: [Int32: ByteRanges] = [:]
  /// The file that a task put at its target last, while nobody else touched it.
  var placed: [Int32: UInt64] = [:]
  /// The line that tells of it, once there is one.
  var toldDone: [Int32: LogLine] = [:]
  /// What happened, in words, and how often what the promises are about came to pass.
  private(set) var trace: [String] = []
  private(set) var seen: [Situation: Int] = [:]
  let keepsTrace: Bool

  init(seed: UInt64, mutation: Mutation?, keepsTrace: Bool) {
    chance = Chance(seed: seed)
    scenario = Scenario(chance)
    disk = SimulatedDisk(chance: chance)
    self.mutation = mutation
    self.keepsTrace = keepsTrace
  }

  var wall: WallTime {
    WallTime(microseconds: (HTTPDateText.start + 100) * 1_000_000 + now.nanoseconds / 1000)
  }
  /// When the wall clock will show it.
  func moment(of time: WallTime) -> Instant {
    now + .microseconds(time.microseconds - wall.microseconds)
  }
  var second: Int64 { wall.microseconds / 1_000_000 }

  func tell(_ words: @autoclosure () -> String) {
    if keepsTrace { trace.append("\(now.nanoseconds / 1_000_000) ms: \(words())") }
  }

  func see(_ situation: Situation) { seen[situation, default: 0] += 1 }

  func fail(_ words: String) {
    tell("VIOLATION \(words)")
    if violations.count < 20 { violations.append(words) }
  }

  /// Before each step that changes what outlives the program.
  func step() throws(Killed) {
    guard let left = fuse else { return }
    fuse = left - 1
    if left <= 0 { throw Killed() }
  }
}

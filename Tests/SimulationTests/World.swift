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
  /// Versions that others have put at a task's target.
  var foreign: [Int32: Set<Int>] = [:]
  /// Nothing fails any more.
  var isCalm = false
  /// Flushes may fail.
  var hasBadDisk = false
  /// So many steps until the kill.
  var fuse: Int?
  /// What a kill may cost at most: a task's next resume starts there or later.
  var owed: [Int32: Int64] = [:]
  /// Runs that were started, as the log should know them.
  var trace: [String] = []
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
  var second: Int64 { wall.microseconds / 1_000_000 }

  func tell(_ words: @autoclosure () -> String) {
    if keepsTrace { trace.append("\(now.nanoseconds / 1_000_000) ms: \(words())") }
  }

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

  // MARK: What must hold at any moment

  /// Every target is a whole version of what was asked for, or what others put there.
  func checkTargets() {
    for (index, task) in scenario.plan.tasks.enumerated() {
      guard let path = task.path, let content = disk.file(at: path)?.content else { continue }
      if !isAllowed(content, Int32(index)) {
        fail("\(path) has wrong bytes: \(content.digest)")
      }
    }
  }

  private func isAllowed(_ content: Content, _ task: Int32) -> Bool {
    let resource = scenario.resources[Int(task)]
    if let version = content.version, foreign[task]?.contains(version) == true {
      return scenario.versions[version].length == content.size
    }
    if let declared = scenario.declared[task] { return content == declared.content }
    return ([resource] + scenario.mirrors(of: resource)).contains { resource in
      resource.versions.contains { $0.content == content }
    }
  }

  /// At most one line a task and run, one start and one end a run.
  func checkLog() {
    var seen: Set<LogLine> = []
    var tasks: Set<[Int]> = []
    for line in log.lines {
      if !seen.insert(line).inserted { fail("the log has \(line) twice") }
      if case .task(let task, _) = line.event, !tasks.insert([line.run, Int(task)]).inserted {
        fail("the log tells of task \(task) of run \(line.run) twice")
      }
    }
  }

  /// Exactly one line a task in a run that ended.
  func checkLog(ofEnded run: Int) {
    for task in scenario.plan.tasks.indices {
      let count = log.lines.count { line in
        if case .task(Int32(task), _) = line.event { line.run == run } else { false }
      }
      if count != 1 { fail("the log has \(count) lines of task \(task) of the ended run \(run)") }
    }
    for event in [LogLine.Event.started, .ended] {
      if !log.lines.contains(LogLine(run: run, event: event)) {
        fail("the log lacks \(event) of the ended run \(run)")
      }
    }
  }
}

import CSQLite
import TransferCore

extension StateStore {
  // Runs and chains of them

  /// Records of so many runs are kept.
  package static var keptRuns: Int64 { 3 }

  /// The newest run; nil when there was none.
  package func lastRun() throws(StateError) -> StoredRun? {
    let last = try runs(limit: 1).first
    if let last, !(1..<Self.runsAtMost).contains(last.number) {
      let error = SQLiteError(
        code: SQLITE_CORRUPT, message: "a run has the number \(last.number)", statement: "run")
      throw .database(error, path: folder.database)
    }
    return last
  }

  /// Nobody starts that many; a larger number is damage.
  private static var runsAtMost: Int64 { 1 << 48 }

  /// The newest runs, the newest first.
  package func runs(limit: Int) throws(StateError) -> [StoredRun] {
    try read(
      """
      SELECT number, id, started, origin_id, origin_started, outcome, ended, exit_code, signal,
        part
      FROM run ORDER BY number DESC LIMIT ?1
      """, [.integer(Int64(limit))], Self.storedRun)
  }

  /// The run that would start now: one that was interrupted, died, or ended with anything but 0
  /// or 1 is gone on with, unless a `fresh` start is wanted. So is one that a run of some tasks
  /// alone went on with: what the others had done stays done. Changes nothing.
  package func nextRun(
    id: String, at time: WallTime, fresh: Bool = false
  ) throws(StateError) -> RunChain {
    guard !fresh, let last = try lastRun(), last.leavesChainOpen else {
      return RunChain(first: id, started: time)
    }
    return RunChain(
      runID: id, started: time, originID: last.chain.originID,
      originStarted: last.chain.originStarted)
  }

  /// The tasks that ended `done` in earlier runs of this chain, and the run in which each did.
  package func doneInChain(_ chain: RunChain) throws(StateError) -> [String: String] {
    guard chain.continues != nil else { return [:] }
    var done: [String: String] = [:]
    let rows =
      try read("SELECT task, run_id FROM done_earlier") { ($0.text(0) ?? "", $0.text(1) ?? "") }
      + read(
        """
        SELECT record.task, run.id FROM run
        JOIN record ON record.id >= run.first_record AND record.run = run.number
        WHERE run.origin_id = ?1 AND record.outcome = 'done' ORDER BY record.id
        """, [.text(chain.originID)]
      ) { ($0.text(0) ?? "", $0.text(1) ?? "") }
    for (task, run) in rows where done[task] == nil { done[task] = run }
    return done
  }

  /// Begins the run in the batch. A run that begins a chain forgets what earlier chains had done.
  /// Records of runs before the last three go, but for what this chain had done in them. Damage
  /// that comes to light is dealt with as at the opening.
  /// - Parameter isPart: only some of the job's tasks were chosen.
  package func startRun(_ chain: RunChain, isPart: Bool = false) throws(StateError) {
    do throws(StateError) { try begin(chain, isPart) } catch {
      if !error.isDamage { throw error }
      current = nil
      try rebuild(after: error, now: chain.started)
      try begin(chain, isPart)
    }
  }

  private func begin(_ chain: RunChain, _ isPart: Bool) throws(StateError) {
    let last = try lastRun()
    if chain.continues == nil { try write("DELETE FROM done_earlier", []) }
    try write(
      """
      INSERT INTO run (id, origin_id, origin_started, started, part, first_record)
      VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(id), 0) + 1 FROM record))
      """,
      [
        .text(chain.runID), .text(chain.originID),
        .integer(chain.originStarted.microseconds), .integer(chain.started.microseconds),
        .integer(isPart ? 1 : 0),
      ])
    try dropHolds(before: chain.started)
    let number = (last?.number ?? 0) + 1
    current = StoredRun(number: number, chain: chain, isPart: isPart)
    try prune(before: number - Self.keptRuns + 1, chain)
  }

  /// Ends the current run in the batch.
  package func endRun(_ end: RunEnd) throws(StateError) {
    guard var run = current else { preconditionFailure("a run ends that has not begun") }
    run.ended = end.summary.ended
    run.outcome = end.outcome
    run.exitCode = end.exitCode
    run.signal = end.summary.signal
    try put(run)
    current = run
  }

  /// Drops what a fresh start forgets, in the batch: checkpoints, intents, holds, and requests
  /// whose fate is unknown. Committed files stay remembered: their validators say whether they are
  /// still current.
  /// - Parameter tasks: of these tasks alone, and of every host; nil is all.
  package func forgetProgress(of tasks: [String]? = nil) throws(StateError) {
    if let tasks {
      for task in tasks {
        try write("DELETE FROM checkpoint WHERE task = ?1", [.text(task)])
        try write("DELETE FROM sent WHERE task = ?1", [.text(task)])
      }
      return try write("DELETE FROM hold", [])
    }
    try write("DELETE FROM checkpoint", [])
    try dropAllIntents()
    try write("DELETE FROM hold", [])
    try write("DELETE FROM sent", [])
    mayHaveSent = false
  }

  func put(_ run: StoredRun) throws(StateError) {
    try write(
      "UPDATE run SET outcome = ?2, ended = ?3, exit_code = ?4, signal = ?5 WHERE number = ?1",
      [
        .integer(run.number), .text(run.outcome?.rawValue),
        .integer(run.ended?.microseconds), .integer(run.exitCode.map(Int64.init)),
        .integer(run.signal.map(Int64.init)),
      ])
  }

  private func prune(before number: Int64, _ chain: RunChain) throws(StateError) {
    let first = try read(
      "SELECT first_record FROM run WHERE number = ?1", [.integer(number)]
    ) { $0.integer(0) }.first
    guard let first else { return }
    if chain.continues != nil {
      try write(
        """
        INSERT OR IGNORE INTO done_earlier
        SELECT record.task, run.id FROM record JOIN run ON run.number = record.run
        WHERE record.id < ?1 AND run.origin_id = ?2 AND record.outcome = 'done' ORDER BY record.id
        """, [.integer(first), .text(chain.originID)])
    }
    try write(
      "DELETE FROM record WHERE id < min(?1, (SELECT through FROM logged) + 1)", [.integer(first)])
    try write(
      "DELETE FROM tries WHERE record < coalesce((SELECT min(id) FROM record), ?1)",
      [.integer(first)])
    try write("DELETE FROM run WHERE number < ?1 - 100", [.integer(number)])
  }

  private static func storedRun(_ row: SQLiteStatement) -> StoredRun {
    StoredRun(
      number: row.integer(0),
      chain: RunChain(
        runID: row.text(1) ?? "", started: WallTime(microseconds: row.integer(2)),
        originID: row.text(3) ?? "", originStarted: WallTime(microseconds: row.integer(4))),
      outcome: row.text(5).flatMap(RunOutcome.init(rawValue:)),
      ended: row.optionalInteger(6).map(WallTime.init(microseconds:)),
      exitCode: row.optionalInteger(7).map(Int32.init(truncatingIfNeeded:)),
      signal: row.optionalInteger(8).map(Int32.init(truncatingIfNeeded:)),
      isPart: row.integer(9) != 0)
  }
}

import TransferCore

/// Writes down how tasks ended: the state's rows in one transaction, then the log's lines in one
/// write, then the mark that they are logged. The state is the truth, the log its image.
final class Recorder {
  /// Records that are written together at most.
  private static let groupLimit = 256
  /// So many records may be in the log without the state knowing it: after a crash as many lines
  /// of the log are read at most.
  private static let unmarkedLimit: Int64 = 16_384
  /// A record waits at most so long for others.
  private static let patience = Duration.milliseconds(200)

  private let plan: Plan
  private let state: StateStore
  private let log: CompletionLog
  private let record: RunRecord
  private var json = JSONWriter()
  private var lines: [UInt8] = []
  private var lastID: Int64 = 0
  /// The log has every record up to this one, flushed or not.
  private(set) var appended: Int64 = 0
  private var count = 0
  /// The state knows that the log has every record up to this one.
  private var marked: Int64 = 0
  private var waitingSince = Instant(nanoseconds: 0)

  init(plan: Plan, state: StateStore, log: CompletionLog, record: RunRecord) {
    self.plan = plan
    self.state = state
    self.log = log
    self.record = record
  }

  /// When waiting records are written at the latest; nil when none waits.
  var nextDue: Instant? { count == 0 ? nil : waitingSince + Self.patience }

  /// With this the run has begun, in the state and in the log: a kill later finds both or none.
  func start(_ start: RunStart, now: Instant, wall: WallTime) throws(RunRecovery.Failure) {
    begin(now)
    RecordEncoding.runStarted(start, of: record, at: wall, to: &json)
    let line = json.bytes
    do throws(StateError) { lastID = try state.add(line: line) } catch { throw .state(error) }
    end(line)
    try write()
  }

  func add(_ result: TaskResult, now: Instant, wall: WallTime) throws(StateError) {
    begin(now)
    RecordEncoding.taskFinished(result, in: plan, of: record, at: wall, to: &json)
    let id = plan.tasks[Int(result.task)].id
    let line = json.bytes
    lastID = try state.add(result, task: id, line: line)
    end(line)
  }

  func finish(_ end: RunEnd, now: Instant, wall: WallTime) throws(StateError) {
    begin(now)
    RecordEncoding.runFinished(end, of: record, at: wall, to: &json)
    let line = json.bytes
    lastID = try state.add(line: line)
    try state.endRun(end)
    self.end(line)
  }

  /// Writes what waits, when it is due.
  func turn(now: Instant, isIdle: Bool) throws(RunRecovery.Failure) {
    guard count > 0 else { return }
    if isIdle || count >= Self.groupLimit || now >= waitingSince + Self.patience {
      try write()
    }
  }

  /// Writes what waits.
  func write() throws(RunRecovery.Failure) {
    do throws(StateError) { try state.commit() } catch { throw .state(error) }
    try writeLines()
    if plan.settings.durability == .none || lastID - marked >= Self.unmarkedLimit {
      try markLogged()
    }
  }

  /// Writes the last of what waits, so that it outlives a power cut. The state first: a log that
  /// knew of an end that the state doesn't would be told of it twice.
  func writeLast() throws(RunRecovery.Failure) {
    if plan.settings.durability == .none { return try write() }
    do throws(StateError) {
      try state.commit()
      try state.flush()
    } catch { throw .state(error) }
    try writeLines()
    try markLogged()
    do throws(StateError) {
      try state.commit()
      try state.flush()
    } catch { throw .state(error) }
  }

  private func writeLines() throws(RunRecovery.Failure) {
    let goesOn: Bool
    do throws(FileError) { goesOn = try log.append(lines) } catch { throw .log(error) }
    // What the old file got is there for good.
    if !goesOn, appended > marked {
      do throws(StateError) { try mark(through: appended) } catch { throw .state(error) }
    }
    appended = lastID
    lines.removeAll(keepingCapacity: true)
    count = 0
  }

  /// A power cut must not take lines that the state takes for logged: the log is flushed first.
  private func markLogged() throws(RunRecovery.Failure) {
    if plan.settings.durability != .none {
      do throws(FileError) { try log.flush() } catch { throw .log(error) }
    }
    do throws(StateError) { try mark(through: appended) } catch { throw .state(error) }
  }

  /// The log is on disk up to this record: in the batch.
  func mark(through id: Int64) throws(StateError) {
    try state.markLogged(through: id)
    marked = id
  }

  /// The log's file, for a flush; held until the flush is through.
  var logFile: LogFile { log.file }

  private func begin(_ now: Instant) {
    if count == 0 { waitingSince = now }
    json.removeAll()
  }

  private func end(_ line: [UInt8]) {
    lines += line
    lines.append(UInt8(ascii: "\n"))
    count += 1
  }
}

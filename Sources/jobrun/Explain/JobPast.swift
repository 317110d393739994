import TransferCore
import TransferIO

/// What state and log know of a job's past. State that can't be read tells nothing here: it was
/// told of when it was opened.
struct JobPast {
  var job: JobIdentity
  var state: StateStore?
  var folder: StateFolder?
  /// The completion log, absolute.
  var log: String?

  /// So many ends of a task are told.
  static let toldEnds = 5

  func knows(_ task: String) -> Bool {
    file(task) != nil || checkpoint(task) != nil || !stored(task).isEmpty
      || !(logged([task])[task] ?? []).isEmpty
  }

  func file(_ task: String) -> CommittedFile? {
    known { (state) throws(StateError) in try state.committedFile(task) }
  }

  func checkpoint(_ task: String) -> Checkpoint? {
    known { (state) throws(StateError) in try state.checkpoint(task) }
  }

  /// What the log's end tells of tasks.
  func logged(_ tasks: Set<String>) -> [String: [PastEnd]] {
    log.map { LogHistory.ends(in: $0, job: job.name, tasks: tasks) } ?? [:]
  }

  /// The last ends of a task, the oldest first: the state knows more of them than the log, and the
  /// log more of them.
  func ends(_ task: String, logged: [PastEnd]) -> [PastEnd] {
    let stored = stored(task)
    let runs = Set(stored.map(\.runID))
    let all = stored + logged.filter { !runs.contains($0.runID) }
    return all.sorted { $0.time < $1.time }.suffix(Self.toldEnds)
  }

  /// Runs of late that told no end of a task.
  func runs(without ends: [PastEnd]) -> [StoredRun] {
    let told = Set(ends.map(\.runID))
    return known { (state) throws(StateError) in try state.runs(limit: 3) }?
      .filter { !told.contains($0.chain.runID) } ?? []
  }

  /// A run is going on now.
  var isRunning: Bool {
    guard let folder else { return false }
    do { return try JobLock.holder(folder) != nil } catch { return false }
  }

  private func stored(_ task: String) -> [PastEnd] {
    known { (state) throws(StateError) in try state.ends(of: task) } ?? []
  }

  private func known<Value>(_ body: (StateStore) throws(StateError) -> Value?) -> Value? {
    guard let state else { return nil }
    do throws(StateError) { return try body(state) } catch { return nil }
  }
}

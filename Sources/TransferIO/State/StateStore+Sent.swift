import TransferCore

/// A request that must not be made twice, and was sent.
package struct SentMark: Equatable, Sendable {
  /// The run that sent it.
  package var runID: String
  package var at: WallTime
}

extension StateStore {
  // Requests whose fate may become unknown

  /// Makes sure, before such a request is sent, that a later run will know that it was: on disk
  /// when this returns, unless `flushes` is false.
  package func markSent(
    task: String, at time: WallTime, flushes: Bool
  ) throws(StateError) {
    guard let current else { preconditionFailure("a request of a run that has not begun") }
    mayHaveSent = true
    try write(
      "INSERT OR REPLACE INTO sent VALUES (?1, ?2, ?3)",
      [.text(task), .text(current.chain.runID), .integer(time.microseconds)])
    try commit()
    if !flushes { return }
    try flush()
  }

  /// The task's request that was sent and whose answer is not known.
  package func sentMark(_ task: String) throws(StateError) -> SentMark? {
    if !mayHaveSent { return nil }
    return try read("SELECT run, at FROM sent WHERE task = ?1", [.text(task)]) { row in
      SentMark(runID: row.text(0) ?? "", at: WallTime(microseconds: row.integer(1)))
    }.first
  }

  /// The task has ended and its request's fate is known, in the batch.
  func dropSentMark(_ task: String) throws(StateError) {
    if mayHaveSent { try write("DELETE FROM sent WHERE task = ?1", [.text(task)]) }
  }
}

extension TaskResult {
  /// A request of the task went out, and what became of it isn't known: it was cut by the run's
  /// own end, or was refused because an earlier one was.
  var leavesFateOpen: Bool {
    switch outcome {
    case .failed: failure?.kind == .unconfirmed
    case .deferred:
      transactions.contains { $0.requestHeaderBytes > 0 || $0.requestBodyBytes > 0 }
    case .done, .unchanged, .cached, .cancelled, .skipped: false
    }
  }
}

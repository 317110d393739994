import TransferCore

/// A run, and the chain of interrupted runs that it goes on with.
package struct RunChain: Equatable, Sendable {
  package var runID: String
  package var started: WallTime
  /// The chain's first run: it gives `${run.id}` and, by its start, `${run.date}`.
  package var originID: String
  package var originStarted: WallTime

  package init(
    runID: String, started: WallTime, originID: String, originStarted: WallTime
  ) {
    self.runID = runID
    self.started = started
    self.originID = originID
    self.originStarted = originStarted
  }

  /// Begins a chain.
  package init(first runID: String, started: WallTime) {
    self.init(runID: runID, started: started, originID: runID, originStarted: started)
  }

  /// The run whose chain this one goes on with; nil when it begins one.
  package var continues: String? { originID == runID ? nil : originID }
}

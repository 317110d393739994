import TransferCore

/// A run as the state remembers it.
package struct StoredRun: Equatable, Sendable {
  package var number: Int64
  package var chain: RunChain
  /// nil while it runs, and for one that was killed until the next start says so.
  package var outcome: RunOutcome?
  package var ended: WallTime?
  package var exitCode: Int32?
  package var signal: Int32?
  /// Only some of the job's tasks were chosen.
  package var isPart = false

  /// The next run goes on with what this one left.
  var leavesChainOpen: Bool {
    exitCode != 0 && exitCode != 1 || isPart && chain.continues != nil
  }
}

/// A line of the completion log as the state keeps it.
package struct StoredRecord: Equatable, Sendable {
  /// Grows with every record.
  package var id: Int64
  /// The JSON object, without a line end.
  package var line: [UInt8]
}

import TransferCore

/// How far a run is, at one moment.
struct ProgressSnapshot {
  /// A transfer that is under way.
  struct Active {
    /// Index into the plan's tasks.
    var task: Int32
    /// Of the file or body so far, with what was there already.
    var bytes: Int64
    /// The whole length, where it is known.
    var total: Int64?
  }

  var now: Instant
  var endedTasks: Int
  var totalTasks: Int
  /// Body bytes that moved in this run, both ways.
  var bytes: Int64
  var active: [Active]

  /// How much is done, 0 to 1: each task counts alike, one under way by its bytes.
  var fraction: Double {
    guard totalTasks > 0 else { return 1 }
    let parts = active.reduce(0.0) { sum, transfer in
      guard let total = transfer.total, total > 0 else { return sum }
      return sum + min(1, Double(transfer.bytes) / Double(total))
    }
    return min(1, (Double(endedTasks) + parts) / Double(totalTasks))
  }
}

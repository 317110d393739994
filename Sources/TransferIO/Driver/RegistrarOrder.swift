import TransferCore

/// What the loop asks of the registrar; carried out in order.
enum RegistrarOrder {
  /// Make the part file, or the request's bytes, the target. `made` are folders in which folders
  /// were made for it.
  case commit(CommitRequest, TargetPart, made: [TargetFolder])
  /// The task has ended: settle its part file, write the record down.
  case record(TaskEnd, TargetPart?, at: WallTime)
  /// All but these bytes of the task's part file are about to be written anew: nothing else may be
  /// claimed of it any more.
  case dropClaims(task: Int32, keeping: ByteRanges)
  /// The task's request, which must not be made twice, is about to go out.
  case markSent(task: Int32, at: WallTime)
  /// Write down what waits to be: the loop waits for it.
  case writeDown
  /// Claim what running downloads have, once it is on disk.
  case checkpoint([CheckpointClaim])
  /// Whether nothing is being transferred, so that waiting for more to gather is of no use.
  case idle(Bool)
  /// Remember for the next run that a host asks us to wait.
  case hold(host: String, until: WallTime)
  /// Lay what the run changed over the cookie jars on disk.
  case keepCookies([CookieWrite], at: WallTime)
  case finish(RunEnd, at: WallTime)

  /// About what a task and its result take in memory.
  static let taskWeight = 4_096

  /// Bytes that wait in memory with it.
  var weight: Int { Self.taskWeight + bodyWeight }

  /// Those of a body, which is written as soon as the order's turn comes.
  private var bodyWeight: Int {
    if case .commit(let request, _, _) = self { request.bytes?.count ?? 0 } else { 0 }
  }

  /// What of it is let go once it was carried out; a commit's task waits for its end.
  var carriedWeight: Int { if case .commit = self { bodyWeight } else { weight } }
}

/// What the registrar tells the loop.
enum RegistrarAnswer {
  /// nil is success.
  case committed(task: Int32, TransferFailure?)
  /// Something was found and set right: for the operator.
  case notice(String)
  /// The checkpoint's flush is through.
  case checkpointed
  /// The run's end is written down.
  case finished
  /// Nothing more is carried out.
  case failed(Driver.Obstacle)
}

/// So much of a task's part file is written and may be claimed once it is flushed.
struct CheckpointClaim {
  var task: Int32
  var part: TargetPart
  var checkpoint: Checkpoint
}

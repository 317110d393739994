import TransferCore

/// Says how far running downloads are, so that it can be claimed once their bytes are on disk:
/// every 8 MiB or 2 s of a transfer, one flush under way at a time.
final class Checkpoints {
  private struct Claim {
    var bytes: Int64
    var at: Instant
  }

  private static let bytesApart: Int64 = 8 * 1_048_576
  private static let timeApart = Duration.seconds(2)

  private let plan: Plan
  /// What was claimed last, by task.
  private var claims: [Int32: Claim] = [:]
  private var isFlushing = false
  private(set) var nextDue: Instant?

  init(plan: Plan) { self.plan = plan }

  /// What is worth claiming now, when it is time to look.
  /// - Parameter part: a task's part file, while it has one.
  func turn(
    _ engine: TransferEngine, now: Instant, part: (Int32) -> TargetPart?
  ) -> [CheckpointClaim] {
    if isFlushing || plan.settings.durability == .none { return [] }
    if let nextDue, now < nextDue { return [] }
    nextDue = engine.activeCount > 0 ? now + .milliseconds(250) : nil
    let due = collect(engine, now, part)
    isFlushing = !due.isEmpty
    return due
  }

  /// The flush under way is through.
  func flushed() { isFlushing = false }

  /// The task's part file is no longer being written: nothing more is claimed for it.
  func forget(_ task: Int32) { claims[task] = nil }

  private func collect(
    _ engine: TransferEngine, _ now: Instant, _ part: (Int32) -> TargetPart?
  ) -> [CheckpointClaim] {
    var due: [CheckpointClaim] = []
    for transfer in engine.progress() {
      guard let part = part(transfer.task), part.isOpen, part.size > 0,
        plan.sessions[plan.tasks[Int(transfer.task)].session].keepsState,
        let head = engine.head(of: transfer.task), head.contentEncoding == nil
      else { continue }
      let last = claims[transfer.task] ?? Claim(bytes: 0, at: now)
      if claims[transfer.task] == nil { claims[transfer.task] = last }
      guard
        part.size - last.bytes >= Self.bytesApart
          || (now >= last.at + Self.timeApart && part.size > last.bytes)
      else { continue }
      claims[transfer.task] = Claim(bytes: part.size, at: now)
      let checkpoint = Checkpoint(
        url: engine.shownURL(of: transfer.task) ?? "", path: part.partPath,
        inode: part.inode, durableBytes: part.size, total: transfer.total,
        validator: head.validator.completed(by: part.resumed))
      due.append(CheckpointClaim(task: transfer.task, part: part, checkpoint: checkpoint))
    }
    return due
  }
}

/// Flushes part files that are being written and then records what is known to be on disk of them.
final class CheckpointWriter {
  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  /// What the flush under way will let us claim; the parts are open until it is through.
  private var pending: [CheckpointClaim] = []
  /// Odd numbers are checkpoints', even ones commits'.
  private var flushes: UInt64 = 1

  init(plan: Plan, state: StateStore, flusher: Flusher) {
    self.plan = plan
    self.state = state
    self.flusher = flusher
  }

  func begin(_ claims: [CheckpointClaim]) {
    pending = claims
    flushes += 2
    var batch = FlushBatch(id: flushes)
    batch.files = claims.map { .init(descriptor: $0.part.descriptor, device: $0.part.device) }
    flusher.submit(batch)
  }

  /// The task's part file is no longer being written: nothing is claimed for it.
  func forget(_ task: Int32) {
    if !pending.isEmpty { pending.removeAll { $0.task == task } }
  }

  /// Takes what came of a flush.
  /// - Returns: whether it was one of ours; another's is left alone.
  func take(_ result: FlushResult) throws(StateError) -> Bool {
    guard result.id == flushes else { return false }
    // A flush that failed claims nothing; the commit's own flush will tell of it.
    if result.failed.isEmpty, !pending.isEmpty {
      for claim in pending {
        try state.put(claim.checkpoint, task: plan.tasks[Int(claim.task)].id)
      }
      try state.commit()
    }
    pending = []
    return true
  }
}

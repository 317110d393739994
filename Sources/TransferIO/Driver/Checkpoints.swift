import TransferCore

/// Records how far running downloads are, once their bytes are on disk: every 8 MiB or 2 s of a
/// transfer, one flush under way at a time.
final class Checkpoints {
  private struct Claim {
    var bytes: Int64
    var at: Instant
  }

  private static let bytesApart: Int64 = 8 * 1_048_576
  private static let timeApart = Duration.seconds(2)

  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  /// What was claimed last, by task.
  private var claims: [Int32: Claim] = [:]
  /// Part files under the flush: open until it is through.
  private var held: [TargetPart] = []
  /// What the flush under way will let us claim.
  private var pending: [(task: Int32, checkpoint: Checkpoint)] = []
  private var flushes: UInt64 = 1
  private(set) var nextDue: Instant?

  init(plan: Plan, state: StateStore, flusher: Flusher) {
    self.plan = plan
    self.state = state
    self.flusher = flusher
  }

  /// Starts a flush of what is worth claiming, when one is due.
  /// - Parameter part: a task's part file, while it has one.
  func turn(_ engine: TransferEngine, now: Instant, part: (Int32) -> TargetPart?) {
    if !pending.isEmpty || plan.settings.durability == .none { return }
    if let nextDue, now < nextDue { return }
    collect(engine, now, part)
    nextDue = engine.activeCount > 0 ? now + .milliseconds(250) : nil
    if pending.isEmpty { return }
    flushes += 2
    var batch = FlushBatch(id: flushes)
    for (task, _) in pending {
      guard let part = part(task) else { continue }
      batch.files.append(.init(descriptor: part.descriptor, device: part.device))
      held.append(part)
    }
    flusher.submit(batch)
  }

  /// Takes what came of a flush; one of somebody else's is left alone.
  func take(_ result: FlushResult) throws(StateError) {
    guard result.id == flushes, !pending.isEmpty else { return }
    // A flush that failed claims nothing; the commit's own flush will tell of it.
    if result.failed.isEmpty {
      for (task, checkpoint) in pending where claims[task] != nil {
        try state.put(checkpoint, task: plan.tasks[Int(task)].id)
      }
      try state.commit()
    }
    pending = []
    held = []
  }

  /// The task's part file is no longer being written: nothing more is claimed for it.
  func forget(_ task: Int32) { claims[task] = nil }

  private func collect(
    _ engine: TransferEngine, _ now: Instant, _ part: (Int32) -> TargetPart?
  ) {
    for transfer in engine.progress() {
      guard let part = part(transfer.task), part.isOpen, part.size > 0,
        plan.sessions[plan.tasks[Int(transfer.task)].session].keepsState,
        let head = engine.head(of: transfer.task), let url = engine.shownURL(of: transfer.task)
      else { continue }
      let last = claims[transfer.task] ?? Claim(bytes: 0, at: now)
      if claims[transfer.task] == nil { claims[transfer.task] = last }
      guard
        part.size - last.bytes >= Self.bytesApart
          || (now >= last.at + Self.timeApart && part.size > last.bytes)
      else { continue }
      claims[transfer.task] = Claim(bytes: part.size, at: now)
      pending.append(
        (
          transfer.task,
          Checkpoint(
            url: url, path: part.partPath,
            inode: part.inode, durableBytes: part.size, total: transfer.total,
            validator: head.validator.completed(by: part.resumed))
        ))
    }
  }
}

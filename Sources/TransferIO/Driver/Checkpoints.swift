import TransferCore

/// Says how far running downloads are, so that it can be claimed once their bytes are on disk: when
/// the schedule says so, one flush under way at a time.
final class Checkpoints {
  private let plan: Plan
  private var schedule = CheckpointSchedule()
  private var isFlushing = false
  /// Body bytes that had come by the last look: so many more are reason for the next, for a fast
  /// line brings a hundred MiB between two looks by the clock.
  private var seenBytes: Int64 = 0
  var nextDue: Instant? { schedule.nextLook }

  init(plan: Plan) { self.plan = plan }

  /// What is worth claiming now, when it is time to look.
  /// - Parameter part: a task's part file, while it has one.
  func turn(
    _ engine: TransferEngine, now: Instant, part: (Int32) -> TargetPart?
  ) -> [CheckpointClaim] {
    if isFlushing || plan.settings.durability == .none { return [] }
    let isFast = engine.bodyBytes - seenBytes >= CheckpointSchedule.bytesApart
    guard isFast || schedule.isDue(at: now) else { return [] }
    seenBytes = engine.bodyBytes
    let due = collect(engine, now, part)
    schedule.looked(at: now, isTransferring: engine.activeCount > 0)
    isFlushing = !due.isEmpty
    return due
  }

  /// The flush under way is through.
  func flushed() { isFlushing = false }

  /// The task's part file is begun anew, or no longer being written.
  func forget(_ task: Int32) { schedule.forget(task) }

  /// Whether something was claimed of the task's part file in this run.
  func hasClaimed(_ task: Int32) -> Bool { schedule.mayClaim(task) }

  private func collect(
    _ engine: TransferEngine, _ now: Instant, _ part: (Int32) -> TargetPart?
  ) -> [CheckpointClaim] {
    var due: [CheckpointClaim] = []
    for transfer in engine.progress() {
      guard let part = part(transfer.task), part.isOpen, part.written.prefix > 0,
        plan.sessions[plan.tasks[Int(transfer.task)].session].keepsState,
        let (head, from, url) = engine.storing(transfer.task), head.contentEncoding == nil,
        schedule.claim(transfer.task, size: part.written.count, at: now)
      else { continue }
      // Only what continues older bytes belongs to what they belong to.
      let known = from > 0 ? part.resumed : nil
      var checkpoint = Checkpoint(
        url: url, path: part.partPath, inode: part.inode, durableBytes: part.written.prefix,
        total: transfer.total, validator: head.validator.completed(by: known))
      checkpoint.beyond = part.written.beyondPrefix
      due.append(CheckpointClaim(task: transfer.task, part: part, checkpoint: checkpoint))
    }
    return due
  }
}

import TransferCore

/// Says how far running downloads are, so that it can be claimed once their bytes are on disk: when
/// the schedule says so, one flush under way at a time.
final class Checkpoints {
  private let plan: Plan
  private var schedule = CheckpointSchedule()
  private var isFlushing = false
  private let engine: TransferEngine
  var nextDue: Instant? { schedule.nextLook }

  init(plan: Plan, engine: TransferEngine) {
    self.plan = plan
    self.engine = engine
    if plan.settings.durability != .none { setMark() }
  }

  /// So many more bytes are reason for a look, whatever the clock says.
  private func setMark() {
    engine.arrivals.mark = engine.arrivals.bytes + CheckpointSchedule.bytesApart
  }

  /// What is worth claiming now, when it is time to look.
  /// - Parameter part: a task's part file, while it has one.
  func turn(now: Instant, part: (Int32) -> TargetPart?) -> [CheckpointClaim] {
    if isFlushing || plan.settings.durability == .none { return [] }
    let isFast = isMarkReached
    guard isFast || schedule.isDue(at: now) else { return [] }
    let due = collect(now, part)
    isFlushing = !due.isEmpty
    if isFast || isFlushing { setMark() }
    schedule.looked(at: now, isTransferring: engine.activeCount > 0)
    return due
  }

  private var isMarkReached: Bool { engine.arrivals.bytes >= engine.arrivals.mark }

  /// Whether so much has come since the look whose flush is under way that more would make a kill
  /// dear: the line has to wait for the disk, which is the slower of the two.
  var isFarAhead: Bool { isFlushing && isMarkReached }

  /// The flush under way is through.
  func flushed() { isFlushing = false }

  /// The task's part file is begun anew, or no longer being written.
  func forget(_ task: Int32) { schedule.forget(task) }

  /// Whether something was claimed of the task's part file in this run.
  func hasClaimed(_ task: Int32) -> Bool { schedule.mayClaim(task) }

  private func collect(
    _ now: Instant, _ part: (Int32) -> TargetPart?
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
      checkpoint.mark = part.mark
      due.append(CheckpointClaim(task: transfer.task, part: part, checkpoint: checkpoint))
    }
    return due
  }
}

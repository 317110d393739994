import Glibc
import TransferCore

/// Records how far running downloads are, once their bytes are on disk: when the schedule says so,
/// one flush under way at a time.
///
///     idle --flush the parts--> pending --rows, flush the state--> settling --> idle
final class Checkpoints {
  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  private var schedule = CheckpointSchedule()
  /// Part files under the flush: open until it is through.
  private var held: [TargetPart] = []
  /// What the flush under way will let us claim.
  private var pending: [(task: Int32, checkpoint: Checkpoint)] = []
  /// The rows themselves are on their way to the disk.
  private var isSettling = false
  private var flushes: UInt64 = 1
  var nextDue: Instant? { schedule.nextLook }

  init(plan: Plan, state: StateStore, flusher: Flusher) {
    self.plan = plan
    self.state = state
    self.flusher = flusher
  }

  /// Starts a flush of what is worth claiming, when one is due.
  /// - Parameter part: a task's part file, while it has one.
  func turn(_ engine: TransferEngine, now: Instant, part: (Int32) -> TargetPart?) {
    if !pending.isEmpty || isSettling || plan.settings.durability == .none { return }
    if !schedule.isDue(at: now) { return }
    collect(engine, now, part)
    schedule.looked(at: now, isTransferring: engine.activeCount > 0)
    if pending.isEmpty { return }
    var batch = nextBatch()
    for (task, _) in pending {
      guard let part = part(task) else { continue }
      batch.files.append(.init(descriptor: part.descriptor, device: part.device))
      // Bytes that have no name after a power cut are lost with it.
      batch.folders.append(part.folderDescriptor)
      held.append(part)
    }
    batch.folders = Array(Set(batch.folders))
    flusher.submit(batch)
  }

  private func nextBatch() -> FlushBatch {
    flushes += 2
    return FlushBatch(id: flushes)
  }

  /// Takes what came of a flush; one of somebody else's is left alone.
  func take(_ result: FlushResult) throws(StateError) {
    guard result.id == flushes else { return }
    if isSettling, let number = result.failed.values.first {
      throw .file(FileError(.system(number), "flush", state.folder.database))
    }
    isSettling = false
    if pending.isEmpty { return }
    // The kernel tells of a failed write once: whoever flushes next would hear that all is well.
    for part in held {
      if let number = result.failed[part.descriptor] { part.distrust(number) }
    }
    let claimed = pending.filter { schedule.mayClaim($0.task) }
    (pending, held) = ([], [])
    if claimed.isEmpty || !result.failed.isEmpty { return }
    for (task, checkpoint) in claimed {
      try state.put(checkpoint, task: plan.tasks[Int(task)].id)
    }
    try state.commit()
    var batch = nextBatch()
    batch.logs = [try state.walDescriptor()]
    isSettling = true
    flusher.submit(batch)
  }

  /// The task's part file is no longer being written: nothing more is claimed for it.
  func forget(_ task: Int32) { schedule.forget(task) }

  /// Before bytes of a part file that a checkpoint claims are written anew: the claim must be gone
  /// first, and for good, for it would speak for other bytes. Seldom, so the loop waits for it.
  func willRewrite(_ task: Int32, from: Int64) throws(StateError) {
    if from == 0 { schedule.forget(task) }
    let id = plan.tasks[Int(task)].id
    guard let known = try state.checkpoint(id), known.durableBytes > from else { return }
    try state.dropCheckpoint(id)
    try state.commit()
    if plan.settings.durability == .none { return }
    if fdatasync(try state.walDescriptor()) != 0 {
      throw .file(.last("flush", state.folder.database))
    }
  }

  private func collect(
    _ engine: TransferEngine, _ now: Instant, _ part: (Int32) -> TargetPart?
  ) {
    for transfer in engine.progress() {
      guard let part = part(transfer.task), part.isOpen, part.flushFault == nil, part.size > 0,
        plan.sessions[plan.tasks[Int(transfer.task)].session].keepsState,
        let (head, from, url) = engine.storing(transfer.task),
        schedule.claim(transfer.task, size: part.size, at: now)
      else { continue }
      // Only what continues older bytes belongs to what they belong to.
      let known = from > 0 ? part.resumed : nil
      pending.append(
        (
          transfer.task,
          Checkpoint(
            url: url, path: part.partPath, inode: part.inode, durableBytes: part.size,
            total: transfer.total, validator: head.validator.completed(by: known))
        ))
    }
  }
}

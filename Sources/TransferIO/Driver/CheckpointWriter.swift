import Glibc
import TransferCore

/// Flushes part files that are being written, and then records what is known to be on disk of them.
///
///     idle --flush the parts--> pending --rows, flush the state--> settling --> idle
final class CheckpointWriter {
  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  /// Part files under the flush: open until it is through.
  private var held: [TargetPart] = []
  /// What the flush under way will let us claim.
  private var pending: [CheckpointClaim] = []
  /// The rows themselves are on their way to the disk.
  private var isSettling = false
  /// Odd numbers are checkpoints', even ones commits'.
  private var flushes: UInt64 = 1

  init(plan: Plan, state: StateStore, flusher: Flusher) {
    self.plan = plan
    self.state = state
    self.flusher = flusher
  }

  func begin(_ claims: [CheckpointClaim]) {
    pending = claims.filter { $0.part.flushFault == nil }
    held = pending.map(\.part)
    var batch = nextBatch()
    batch.files = held.map { .init(descriptor: $0.descriptor, device: $0.device) }
    // Bytes that have no name after a power cut are lost with it.
    batch.folders = Array(Set(held.map(\.folderDescriptor)))
    flusher.submit(batch)
  }

  private func nextBatch() -> FlushBatch {
    flushes += 2
    return FlushBatch(id: flushes)
  }

  /// The task's part file is no longer being written, or begun anew: nothing is claimed for it.
  func forget(_ task: Int32) {
    if !pending.isEmpty { pending.removeAll { $0.task == task } }
  }

  /// Takes what came of a flush; another's is left alone.
  /// - Returns: whether the claims that were begun have come to their end.
  func take(_ result: FlushResult) throws(StateError) -> Bool {
    guard result.id == flushes else { return false }
    if isSettling, let number = result.failed.values.first {
      throw .file(FileError(.system(number), "flush", state.folder.database))
    }
    isSettling = false
    // The kernel tells of a failed write once: whoever flushes next would hear that all is well.
    for part in held {
      if let number = result.failed[part.descriptor] { part.distrust(number) }
    }
    let claimed = pending
    (pending, held) = ([], [])
    if claimed.isEmpty || !result.failed.isEmpty { return true }
    for claim in claimed { try state.put(claim.checkpoint, task: plan.tasks[Int(claim.task)].id) }
    try state.commit()
    var batch = nextBatch()
    batch.logs = [try state.walDescriptor()]
    isSettling = true
    flusher.submit(batch)
    return false
  }

  /// Before bytes of a part file that a checkpoint claims are written anew: the claim must be gone
  /// first, and for good, for it would speak for other bytes.
  func willRewrite(_ task: Int32, keeping kept: ByteRanges) throws(StateError) {
    forget(task)
    let id = plan.tasks[Int(task)].id
    guard let known = try state.checkpoint(id), !kept.covers(known.durable) else { return }
    try state.dropCheckpoint(id)
    try state.commit()
    if plan.settings.durability == .none { return }
    if fdatasync(try state.walDescriptor()) != 0 {
      throw .file(.last("flush", state.folder.database))
    }
  }
}

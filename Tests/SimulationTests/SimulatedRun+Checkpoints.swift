import TransferCore

/// Claims of running downloads: when the real schedule says so.
extension SimulatedRun {
  /// Bytes a millisecond of each task's transfers in this run: 0.5 to 8 MB a second.
  func rate(_ task: Int32) -> Int64 { 500 + Int64(task * 37 + Int32(number) * 11) % 7 * 1250 }

  func collectCheckpoints() {
    if flushes.has(.checkpoints) || flushes.has(.rows) || plan.settings.durability == .none {
      return
    }
    if !schedule.isDue(at: now) || world.mutation == .neverCheckpoints { return }
    pending = []
    for task in transfers.keys.sorted() { collect(task) }
    schedule.looked(at: now, isTransferring: !transfers.isEmpty)
    if !transfers.isEmpty { schedule(.looked, after: CheckpointSchedule.looksApart) }
    if pending.isEmpty { return }
    if world.mutation == .claimsBeforeFlush {
      for (task, checkpoint) in pending { world.state.image.checkpoints[task] = checkpoint }
      world.state.commit()
    }
    var batch = Flushes.Batch(owner: .checkpoints)
    for (task, checkpoint) in pending {
      batch.files.append((task, checkpoint.inode, checkpoint.durableBytes))
    }
    submit(batch)
  }

  private func collect(_ task: Int32) {
    guard let live = transfers[task], keepsState(task), let part = parts[task],
      !part.isDistrusted, size(of: task) > 0, let head = live.answer?.head
    else { return }
    var from: Int64 = 0
    var total: Int64?
    if case .store(let start, let length)? = live.verdict {
      (from, total) = (start, length)
    } else if world.mutation != .claimsByErrorPage {
      return
    }
    guard schedule.claim(task, size: size(of: task), at: now) else { return }
    pending.append(
      (
        task,
        Checkpoint(
          url: live.request.shownURL, path: Scenario.partPath(task), inode: part.inode,
          durableBytes: size(of: task), total: total,
          validator: head.validator.completed(by: from > 0 ? part.resumed : nil))
      ))
  }

  /// The flush of what is pending is through.
  func claim(_ isFlushed: Bool) throws(Killed) {
    let claimed = pending.filter { schedule.mayClaim($0.task) }
    pending = []
    guard isFlushed || world.mutation == .trustsFlushAfterFailure, !claimed.isEmpty else { return }
    for (task, checkpoint) in claimed {
      world.state.image.checkpoints[task] = checkpoint
      world.tell("claimed of task \(task): \(checkpoint.durableBytes)")
    }
    world.checkClaims()
    try world.step()
    submit(Flushes.Batch(owner: .rows, hasFolder: false, transaction: world.state.commit()))
  }

  /// Bytes that a checkpoint claims are about to be written anew.
  func willRewrite(_ task: Int32, from: Int64) throws(Killed) {
    if world.mutation == .keepsClaimOfOverwrittenBytes { return }
    if from == 0 { schedule.forget(task) }
    guard let known = world.state.image.checkpoints[task], known.durableBytes > from else { return }
    world.state.image.checkpoints[task] = nil
    world.see(.claimDropped)
    try world.step()
    let transaction = world.state.commit()
    if plan.settings.durability == .none { return }
    try world.step()
    world.state.flushed(through: transaction)
  }

  /// A part file is kept for a later run.
  func keep(_ task: Int32, _ validator: Validator, _ total: Int64?, _ url: String) throws(Killed) {
    guard let part = parts[task], !part.isDistrusted, size(of: task) > 0 else { return }
    try world.step()
    if world.hasBadDisk, chance.once(in: 12) {
      world.disk.spoil(part.inode)
      return
    }
    world.disk.flush(part.inode)
    world.disk.flushNames()
    world.state.image.checkpoints[task] = Checkpoint(
      url: url, path: Scenario.partPath(task), inode: part.inode,
      durableBytes: size(of: task), total: total, validator: validator)
  }

  // MARK: What a kill may cost

  /// Sizes of the part files that are being written.
  func sizesUnderWay() -> [Int32: Int64] {
    if plan.settings.durability == .none || world.hasBadDisk { return [:] }
    var sizes: [Int32: Int64] = [:]
    for (task, live) in transfers where keepsState(task) && live.isStoring {
      sizes[task] = size(of: task)
    }
    return sizes
  }

  /// After the kill, with state and disk as the next run finds them: what is claimed is at most one
  /// interval behind. One flush is under way at a time, so a claim may wait for some of them.
  func checkLoss(_ sizes: [Int32: Int64]) {
    for (task, size) in sizes.sorted(by: { $0.key < $1.key }) {
      let path = Scenario.partPath(task)
      var claimed: Int64 = 0
      if let checkpoint = world.state.image.checkpoints[task],
        checkpoint.speaks(for: world.disk.facts(of: path))
      {
        claimed = checkpoint.durableBytes
        if isProvable(checkpoint, task) { world.owed[task] = claimed }
      }
      let waiting: Int64 = 250 + 7 * 100
      let slack = 2 * Self.longestChunk + rate(task) * waiting
      let bound = min(CheckpointSchedule.bytesApart, rate(task) * 2000) + slack
      if size - claimed > bound {
        world.fail("a kill costs \(size - claimed) bytes of task \(task), bound is \(bound)")
      }
    }
  }

  static let longestChunk: Int64 = 1_048_576

  private func isProvable(_ checkpoint: Checkpoint, _ task: Int32) -> Bool {
    let isSameAddress = checkpoint.url == plan.tasks[Int(task)].request.url.shown
    let isStrong = checkpoint.validator.strongETag != nil
    return !world.scenario.digests(task).isEmpty
      || isStrong && (isSameAddress || checkpoint.total != nil)
      || isSameAddress && checkpoint.validator.hasStrongDate
  }
}

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
    for task in Set(transfers.keys.map(\.task)).sorted() { collect(task) }
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
    guard keepsState(task), let part = parts[task], !part.isDistrusted, part.written.prefix > 0,
      let live = speaker(for: task), let head = live.answer?.head
    else { return }
    var from: Int64 = 0
    var total: Int64?
    if case .store(let start, let length)? = live.verdict { (from, total) = (start, length) }
    guard schedule.claim(task, size: part.written.count, at: now) else { return }
    var checkpoint = Checkpoint(
      url: live.request.shownURL, path: Scenario.partPath(task), inode: part.inode,
      durableBytes: part.written.prefix, total: total,
      validator: head.validator.completed(by: from > 0 ? part.resumed : nil))
    checkpoint.beyond = part.written.beyondPrefix
    if world.mutation == .claimsOverGaps {
      (checkpoint.durableBytes, checkpoint.beyond) = (part.written.end, ByteRanges())
    }
    pending.append((task, checkpoint))
  }

  /// The transfer whose answer says what the part file's bytes are of: any that writes to it.
  private func speaker(for task: Int32) -> LiveTransfer? {
    let live = streams(of: task).compactMap { transfers[$0] }
    if world.mutation == .claimsByErrorPage { return live.first { $0.answer?.head != nil } }
    let storing = live.filter(\.isStoring)
    return storing.count > 1 ? chance.pick(storing) : storing.first
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
  func willRewrite(
    _ task: Int32, from: Int64, keeping kept: ByteRanges
  ) throws(Killed) {
    if world.mutation == .keepsClaimOfOverwrittenBytes { return }
    let known = world.state.image.checkpoints[task]
    if schedule.mayClaim(task) || known != nil { pending.removeAll { $0.task == task } }
    if from == 0 { schedule.forget(task) }
    guard let known, !kept.covers(known.durable) else { return }
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
    guard let part = parts[task], !part.isDistrusted, part.written.prefix > 0 else { return }
    try world.step()
    if world.hasBadDisk, chance.once(in: 12) {
      world.disk.spoil(part.inode)
      return
    }
    world.disk.flush(part.inode)
    world.disk.flushNames()
    var checkpoint = Checkpoint(
      url: url, path: Scenario.partPath(task), inode: part.inode,
      durableBytes: part.written.prefix, total: total, validator: validator)
    checkpoint.beyond = part.written.beyondPrefix
    world.state.image.checkpoints[task] = checkpoint
  }

  // MARK: What a kill may cost

  /// What a part file under way holds, and how many requests write to it.
  struct UnderWay {
    var written: ByteRanges
    var streams: Int64
  }

  func underWay() -> [Int32: UnderWay] {
    if plan.settings.durability == .none || world.hasBadDisk { return [:] }
    var found: [Int32: UnderWay] = [:]
    for (stream, live) in transfers where keepsState(stream.task) && live.isStoring {
      let written = parts[stream.task]?.written ?? ByteRanges()
      found[stream.task, default: UnderWay(written: written, streams: 0)].streams += 1
    }
    return found
  }

  /// After the kill, with state and disk as the next run finds them: what is claimed is at most one
  /// interval behind. One flush is under way at a time, so a claim may wait for some of them.
  func checkLoss(_ underWay: [Int32: UnderWay]) {
    for (task, there) in underWay.sorted(by: { $0.key < $1.key }) {
      var claimed: Int64 = 0
      if let checkpoint = world.state.image.checkpoints[task],
        checkpoint.speaks(for: world.disk.facts(of: Scenario.partPath(task)))
      {
        claimed = checkpoint.durable.count
        world.owed[task] = provable(checkpoint, task)
      }
      // A request that has ended just now has written too.
      let streams = there.streams + (plan.tasks[Int(task)].mayComeInSegments ? 1 : 0)
      let rate = rate(task) * streams
      let waiting: Int64 = 250 + 7 * 100
      let slack = 2 * streams * Self.longestChunk + rate * waiting
      let bound = min(CheckpointSchedule.bytesApart, rate * 2000) + slack
      let lost = there.written.count - claimed
      if lost > bound {
        world.fail("a kill costs \(lost) bytes of task \(task), bound is \(bound)")
      }
    }
  }

  static let longestChunk: Int64 = 1_048_576

  /// What of a claim the next run may build on; nil is nothing.
  private func provable(_ checkpoint: Checkpoint, _ task: Int32) -> ByteRanges? {
    let isSameAddress = checkpoint.url == plan.tasks[Int(task)].request.url.shown
    let isStrong =
      checkpoint.validator.strongETag != nil && (isSameAddress || checkpoint.total != nil)
    let isProvable =
      !world.scenario.digests(task).isEmpty || isStrong
      || isSameAddress && checkpoint.validator.hasStrongDate
    guard isProvable else { return nil }
    let beyond = isStrong ? checkpoint.usableBeyond.ranges : []
    return ByteRanges([0..<checkpoint.durableBytes] + beyond)
  }
}

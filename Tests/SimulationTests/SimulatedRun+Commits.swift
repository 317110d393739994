import TransferCore

/// What the helper thread flushes, one batch after the other.
struct Flushes {
  enum Owner { case commits, checkpoints, rows }

  struct Batch {
    var owner: Owner
    /// Part files and how long they are.
    var files: [(task: Int32, inode: UInt64, size: Int64)] = []
    var hasFolder = true
    /// The state's transaction that is durable then.
    var transaction = 0
    /// Lines of the log that are durable then, and records that these hold.
    var lines = 0
    var records = 0
  }

  var queue: [Batch] = []
  var lastDone = Instant(nanoseconds: 0)
  var isBusy: Bool { !queue.isEmpty }

  func has(_ owner: Owner) -> Bool { queue.contains { $0.owner == owner } }
}

/// Part files on their way to their targets, in groups.
struct Commits {
  struct Entry {
    var request: CommitRequest
    var inode: UInt64
    var file: CommittedFile
    var task: Int32 { request.task }
  }

  var gathering: [Entry] = []
  var flushing: [Entry] = []
  var renamed: [Entry] = []
  var settling: [Entry] = []
  var waitingSince = Instant(nanoseconds: 0)
  /// Records that the flushed log is known to hold.
  var flushedLog: Int?
}

extension SimulatedRun {
  private static let patience = Duration.milliseconds(100)

  func submit(_ batch: Flushes.Batch) {
    let start = max(flushes.lastDone, now)
    flushes.lastDone = start + .milliseconds(chance.from(1...100))
    flushes.queue.append(batch)
    schedule(.flushed, after: flushes.lastDone - now)
  }

  /// The oldest batch is through.
  func flushed() throws(Killed) {
    let batch = flushes.queue.removeFirst()
    var failed: Set<Int32> = []
    for file in batch.files {
      try world.step()
      if world.hasBadDisk, chance.once(in: 12) {
        world.disk.spoil(file.inode)
        world.see(.flushFailed)
        world.tell("flush of task \(file.task) failed")
        failed.insert(file.task)
      } else {
        world.disk.flush(file.inode)
      }
    }
    if batch.hasFolder { world.disk.flushNames() }
    if failed.isEmpty {
      try world.step()
      world.state.flushed(through: batch.transaction)
      world.log.flushed(through: batch.lines)
    }
    if world.mutation != .trustsFlushAfterFailure {
      for task in failed { parts[task]?.isDistrusted = true }
    }
    switch batch.owner {
    case .commits: try take(batch, failed)
    case .checkpoints: try claim(failed.isEmpty)
    case .rows: break
    }
  }

  // MARK: Commits

  func commit(_ request: CommitRequest) throws(Killed) {
    let task = request.task
    schedule.forget(task)
    let inode = world.disk.openOrCreate(Scenario.partPath(task))
    world.disk.open.insert(inode)
    if parts[task] == nil { parts[task] = Part(inode: inode) }
    guard parts[task]?.isDistrusted == false else {
      events.append(.committed(task: task, TransferFailure(.disk, "a flush failed")))
      return
    }
    guard size(of: task) >= request.size else {
      try discard(task)
      events.append(.committed(task: task, TransferFailure(.localFile, "changed")))
      return
    }
    try world.step()
    world.disk.truncate(inode, to: request.size)
    let entry = Commits.Entry(
      request: request, inode: inode, file: finish(request, inode))
    if plan.settings.durability == .none { return try putUnflushed(entry) }
    if commits.gathering.isEmpty, commits.renamed.isEmpty { commits.waitingSince = now }
    commits.gathering.append(entry)
    schedule(.looked, after: Self.patience)
    if world.mutation == .skipsFlushBeforeRename { _ = try rename(entry) }
  }

  private func putUnflushed(_ entry: Commits.Entry) throws(Killed) {
    if world.scenario.protects(entry.task), keepsState(entry.task) {
      putIntent(entry)
      try world.step()
      world.state.commit()
    }
    settle(entry, try rename(entry))
  }

  private func putIntent(_ entry: Commits.Entry) {
    guard world.mutation != .forgetsIntents else { return }
    world.state.image.intents[entry.task] = CommitIntent(
      task: plan.tasks[Int(entry.task)].id, file: entry.file)
  }

  private func finish(_ request: CommitRequest, _ inode: UInt64) -> CommittedFile {
    var modified = now.nanoseconds + HTTPDateText.start * 1_000_000_000
    if case .download(let download) = plan.tasks[Int(request.task)].work,
      download.keepsModificationTime,
      let seconds = request.validator.lastModified.flatMap({ HTTPDate.seconds($0, now: 0) })
    {
      modified = seconds * 1_000_000_000
    }
    world.disk.setModified(inode, modified)
    return CommittedFile(
      url: request.url, path: plan.tasks[Int(request.task)].path ?? "", inode: inode,
      size: request.size, modificationNanoseconds: modified, validator: request.validator,
      sha256: request.sha256)
  }

  func settleCommits() throws(Killed) {
    guard !flushes.has(.commits), !(commits.gathering.isEmpty && commits.renamed.isEmpty) else {
      return
    }
    let isIdle = transfers.isEmpty && hashing.isEmpty
    let isUrgent = (commits.gathering + commits.renamed).contains(where: \.request.hasDependents)
    guard
      isIdle || isUrgent || plan.settings.durability == .file
        || now >= commits.waitingSince + Self.patience
    else { return }
    try flushCommits()
  }

  private func flushCommits() throws(Killed) {
    (commits.flushing, commits.gathering) = (commits.gathering, [])
    (commits.settling, commits.renamed) = (commits.renamed, [])
    for entry in commits.flushing where keepsState(entry.task) { putIntent(entry) }
    if let records = commits.flushedLog { world.state.image.logged = records }
    commits.flushedLog = nil
    try world.step()
    var batch = Flushes.Batch(owner: .commits, transaction: world.state.commit())
    batch.files = commits.flushing.map { ($0.task, $0.inode, $0.file.size) }
    batch.lines = world.log.lines.count
    batch.records = appendedRecords
    submit(batch)
  }

  private func take(_ batch: Flushes.Batch, _ failed: Set<Int32>) throws(Killed) {
    if failed.isEmpty { commits.flushedLog = batch.records }
    if commits.gathering.isEmpty { commits.waitingSince = now }
    let (settling, flushing) = (commits.settling, commits.flushing)
    (commits.settling, commits.flushing) = ([], [])
    // Where data failed the logs were not flushed, and intents with them: the disk is in the way.
    let fault = failed.isEmpty ? nil : TransferFailure(.disk, "a flush failed")
    for entry in settling { settle(entry, fault) }
    for entry in flushing {
      if fault != nil || parts[entry.task]?.isDistrusted == true {
        settle(entry, TransferFailure(.disk, "a flush failed"))
      } else if let failure = try rename(entry) {
        settle(entry, failure)
      } else if world.mutation == .renamesBeforeFolderIsKnown {
        settle(entry, nil)
      } else {
        commits.renamed.append(entry)
      }
    }
    if !commits.renamed.isEmpty { schedule(.looked, after: Self.patience) }
  }

  private func rename(_ entry: Commits.Entry) throws(Killed) -> TransferFailure? {
    let part = Scenario.partPath(entry.task)
    if world.mutation == .skipsFlushBeforeRename, world.disk.names[entry.file.path] == entry.inode {
      return nil
    }
    guard let facts = world.disk.facts(of: part), facts.inode == entry.inode,
      facts.size == entry.file.size, replaces(entry)
    else {
      try discard(entry.task)
      return TransferFailure(.localFile, "changed, or a file is there")
    }
    try world.step()
    world.disk.rename(part, to: entry.file.path)
    world.placed[entry.task] = entry.inode
    world.tell("\(entry.file.path) is in place, inode \(entry.inode)")
    return nil
  }

  private func replaces(_ entry: Commits.Entry) -> Bool {
    guard world.scenario.protects(entry.task), let there = world.disk.facts(of: entry.file.path)
    else { return true }
    return world.state.image.committed[entry.task]?.inode == there.inode
  }

  private func settle(_ entry: Commits.Entry, _ failure: TransferFailure?) {
    if failure == nil { committed[entry.task] = entry.file }
    events.append(.committed(task: entry.task, failure))
  }

  func keepsState(_ task: Int32) -> Bool {
    guard case .download = plan.tasks[Int(task)].work else { return false }
    return plan.sessions[plan.tasks[Int(task)].session].keepsState
  }

  func discard(_ task: Int32) throws(Killed) {
    guard parts[task] != nil else { return }
    try world.step()
    world.disk.remove(Scenario.partPath(task))
    close(task)
  }

  func close(_ task: Int32) {
    if let part = parts.removeValue(forKey: task) { world.disk.open.remove(part.inode) }
  }
}

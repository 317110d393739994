import TransferCore

/// Looks at files and state, and what is written down at ends.
extension SimulatedRun {
  // MARK: Inspection

  func inspect(_ task: Int32, targetDigests: [ChecksumAlgorithm: String]) {
    let planned = plan.tasks[Int(task)]
    let url = planned.request.url.shown
    if case .download(let download) = planned.work,
      let list = download.lists.first(where: { !lists.contains($0) })
    {
      return askForList(task, list)
    }
    let declared = world.scenario.digests(task)
    var request = ResolvedRequest(
      addresses: [.init(url: url, shownURL: url)], headers: ResolvedHeaders([]), body: .none,
      declared: declared)
    guard case .download(let download) = planned.work else {
      events.append(.inspected(task: task, .ready(request, .fetch(reason: ""))))
      return
    }
    var facts = LocalFacts()
    facts.url = url
    facts.declared = declared
    facts.targetDigests = targetDigests
    facts.doneInRun = doneInRun[planned.id]
    facts.target = world.disk.facts(of: download.path)
    var kept = ByteRanges()
    if keepsState(task) {
      if facts.target != nil { facts.committed = world.state.image.committed[task] }
      if let checkpoint = world.state.image.checkpoints[task],
        checkpoint.speaks(for: world.disk.facts(of: checkpoint.path))
      {
        facts.checkpoint = checkpoint
        kept = checkpoint.usableBeyond
      }
    }
    let decision = LocalDecision.decide(
      download, policy: plan.policies[planned.policy].cachePolicy, facts)
    if case .hash(let algorithms) = decision {
      return hash(task, path: download.path, algorithms, partSize: nil)
    }
    world.tell("run \(number): task \(task): \(decision)")
    if case .resume = decision, world.mutation != .forgetsKeptRanges { request.kept = kept }
    checkOwed(task, decision, request.kept)
    events.append(.inspected(task: task, .ready(request, decision)))
  }

  private func askForList(_ task: Int32, _ list: Int32) {
    let url = plan.lists[Int(list)].url.shown
    let request = ResolvedRequest(
      addresses: [.init(url: url, shownURL: url)], headers: ResolvedHeaders([]), body: .none,
      declared: [])
    events.append(.inspected(task: task, .needs(list: list, .success(request))))
  }

  /// What was claimed before a kill isn't fetched again.
  private func checkOwed(_ task: Int32, _ decision: LocalDecision, _ kept: ByteRanges) {
    guard let owed = world.owed.removeValue(forKey: task) else { return }
    switch decision {
    case .resume(let from, _, _):
      let known = ByteRanges([0..<from] + kept.ranges)
      checker.check(known.covers(owed), "task \(task) lost what was claimed")
    case .fetch, .fetchUnless, .revalidate:
      checker.fail("task \(task) does not go on where it was: \(decision)")
    case .keep, .hash, .fail: break
    }
  }

  func hash(_ task: Int32, path: String, _ algorithms: [ChecksumAlgorithm], partSize: Int64?) {
    serial += 1
    hashing[task] = Hashing(serial: serial, path: path, partSize: partSize, algorithms: algorithms)
    schedule(.hashed(task, serial: serial), after: .milliseconds(chance.from(0...200)))
  }

  func hashed(_ task: Int32, _ serial: Int) {
    guard let job = hashing[task], job.serial == serial else { return }
    hashing[task] = nil
    var content = world.disk.file(at: job.path)?.content
    if let size = job.partSize { content?.truncate(to: size) }
    let digest = content?.digest ?? "none"
    let made = Dictionary(uniqueKeysWithValues: job.algorithms.map { ($0, digest) })
    if job.partSize != nil {
      events.append(.partHashed(task: task, .success(made)))
    } else {
      inspect(task, targetDigests: made)
    }
  }

  // MARK: Records

  func record(_ result: TaskResult, _ fate: PartFate) throws(Killed) {
    let task = result.task
    world.tell("task \(task): \(result.outcome) \(result.failure?.kind.rawValue ?? "") \(fate)")
    checker.noteEnd(result)
    if result.failure?.kind == .digestMismatch { world.see(.digestMismatch) }
    if result.outcome == .done, result.bytesResumed > 0 { world.see(.doneByResuming) }
    checkTarget(result)
    schedule.forget(task)
    if let file = committed.removeValue(forKey: task) {
      if keepsState(task) { world.state.image.finish(file, task) }
    } else {
      switch fate {
      case .none: break
      case .discard:
        if parts[task] != nil {
          try discard(task)
          world.state.image.checkpoints[task] = nil
        }
      case .keep(let validator, let total, let url): try keep(task, validator, total, url)
      }
    }
    close(task)
    let line = LogLine(run: number, event: .task(task, result.outcome))
    if result.outcome == .done { world.toldDone[task] = line }
    record(line)
  }

  /// `done` means that the file is there.
  private func checkTarget(_ result: TaskResult) {
    guard let path = plan.tasks[Int(result.task)].path, result.outcome != .failed else { return }
    guard [.done, .unchanged, .cached].contains(result.outcome) else { return }
    checker.check(
      world.disk.file(at: path) != nil, "task \(result.task) is \(result.outcome) without a file")
    if result.outcome == .done {
      checker.check(
        world.disk.names[path] == committed[result.task]?.inode,
        "task \(result.task) is done, and its file is another")
    }
  }

  func record(_ line: LogLine) {
    world.state.image.records.append(line)
    unwritten.append(line)
    if writesBy == nil {
      writesBy = now + .milliseconds(200)
      schedule(.looked, after: .milliseconds(200))
    }
  }

  func writeRecordsIfDue() throws(Killed) {
    guard let due = writesBy else { return }
    let isIdle = transfers.isEmpty && hashing.isEmpty && !flushes.isBusy
    if isIdle || now >= due { try writeRecords() }
  }

  func writeRecords() throws(Killed) {
    writesBy = nil
    try world.step()
    world.state.commit()
    try world.step()
    world.log.append(unwritten)
    unwritten = []
    appendedRecords = world.state.image.records.count
    let marks = plan.settings.durability == .none || world.mutation == .marksLogBeforeFlush
    if marks { world.state.image.logged = appendedRecords }
    world.checkLog()
  }

  func conclude(_ summary: RunSummary) throws(Killed) {
    record(LogLine(run: number, event: .ended))
    let last = world.state.image.runs.count - 1
    world.state.image.runs[last].exitCode = Self.exitCode(summary)
    world.state.image.runs[last].hasEnded = true
    try writeRecords()
    if plan.settings.durability != .none {
      try world.step()
      world.log.flushed(through: world.log.lines.count)
      world.state.image.logged = appendedRecords
      let transaction = world.state.commit()
      try world.step()
      world.state.flushed(through: transaction)
    }
    world.state.commit()
  }

  private static func exitCode(_ summary: RunSummary) -> Int32 {
    func count(_ outcome: Outcome) -> Int { summary.counts[outcome] ?? 0 }
    if let signal = summary.signal { return 128 + signal }
    if summary.machineFailure != nil { return 3 }
    if count(.failed) + count(.cancelled) + count(.skipped) > 0 { return 1 }
    return count(.deferred) > 0 ? 75 : 0
  }
}

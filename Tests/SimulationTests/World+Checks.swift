import TransferCore

extension World {
  // MARK: What must hold at any moment

  /// Every target is a whole version of what was asked for, or what others put there.
  func checkTargets() {
    for (index, task) in scenario.plan.tasks.enumerated() {
      guard let path = task.path, let content = disk.file(at: path)?.content else { continue }
      if !isAllowed(content, Int32(index)) {
        fail("\(path) has wrong bytes: \(content.digest)")
      }
    }
  }

  private func isAllowed(_ content: Content, _ task: Int32) -> Bool {
    let resource = scenario.resources[Int(task)]
    if let version = content.version, foreign[task]?.contains(version) == true {
      return scenario.versions[version].length == content.size
    }
    if let declared = scenario.declared[task] { return content == declared.content }
    return ([resource] + scenario.mirrors(of: resource)).contains { resource in
      resource.versions.contains { $0.content == content }
    }
  }

  /// At most one line a task and run, one start and one end a run.
  func checkLog() {
    var seen: Set<LogLine> = []
    var tasks: Set<[Int]> = []
    for line in log.lines {
      if !seen.insert(line).inserted { fail("the log has \(line) twice") }
      if case .task(let task, _) = line.event, !tasks.insert([line.run, Int(task)]).inserted {
        fail("the log tells of task \(task) of run \(line.run) twice")
      }
    }
  }

  /// Exactly one line a task in a run that ended.
  func checkLog(ofEnded run: Int) {
    for task in scenario.plan.tasks.indices {
      let count = log.lines.count { line in
        if case .task(Int32(task), _) = line.event { line.run == run } else { false }
      }
      if count != 1 { fail("the log has \(count) lines of task \(task) of the ended run \(run)") }
    }
    for event in [LogLine.Event.started, .ended] {
      if !log.lines.contains(LogLine(run: run, event: event)) {
        fail("the log lacks \(event) of the ended run \(run)")
      }
    }
  }

  /// After the start has set right what a dead run left: the state is the truth, and the log and
  /// the targets are what it says.
  func checkRecovered() {
    let known = Set(log.lines)
    for record in state.image.records where !known.contains(record) {
      fail("the log lacks \(record), which the state has")
    }
    let flushes = scenario.plan.settings.durability != .none
    if flushes { checkKnown(known) }
    for (task, inode) in placed where flushes || scenario.protects(task) {
      guard let path = scenario.plan.tasks[Int(task)].path, disk.names[path] == inode else {
        continue
      }
      let session = scenario.plan.sessions[scenario.plan.tasks[Int(task)].session]
      if session.keepsState, state.image.committed[task]?.inode != inode {
        fail("nobody knows that task \(task) put \(path) in place")
      }
    }
  }

  /// What was told and is known is there.
  private func checkKnown(_ known: Set<LogLine>) {
    for (task, line) in toldDone where known.contains(line) {
      guard let path = scenario.plan.tasks[Int(task)].path else { continue }
      if disk.names[path] == nil { fail("task \(task) is done, and \(path) is gone") }
    }
    for (task, file) in state.image.committed where placed[task] != nil && !meddled.contains(task) {
      if disk.names[file.path] != file.inode { fail("the state knows another \(file.path)") }
    }
  }

  /// A host that asked to be left alone for longer than the run could wait is known to the next.
  func checkHolds(_ hosts: [String: Instant]) {
    for (host, until) in hosts.sorted(by: { $0.key < $1.key }) {
      let known = state.image.holds["http://" + host].map { moment(of: $0) } ?? now
      // The wall clock has no nanoseconds.
      if until > now, until - known > .microseconds(1) {
        fail("nobody knows how long \(host) wants to be left alone")
      }
    }
  }

  /// A strong validator in a checkpoint speaks for the bytes that the checkpoint claims.
  func checkClaims() {
    for (task, checkpoint) in state.image.checkpoints where scenario.declared[task] == nil {
      guard let etag = checkpoint.validator.strongETag,
        checkpoint.speaks(for: disk.facts(of: checkpoint.path)),
        let content = disk.file(at: checkpoint.path)?.content
      else { continue }
      for range in checkpoint.durable.ranges
      where content.version(of: range).map({ "\"v\($0)\"" }) != etag {
        fail("the claim \(etag) of \(range) of task \(task) is of \(content.digest)")
      }
    }
  }
}

import TransferCore

/// What the run machine wants done, and what came of it.
extension Driver {
  /// Hands the machine what happened and does what it wants, until nothing more happens at once.
  func handleEvents() throws(Obstacle) {
    while !events.isEmpty {
      let batch = events
      events = []
      for event in batch {
        for action in machine.handle(event, now: Clock.monotonic(), wall: Clock.wall()) {
          try perform(action)
        }
      }
    }
  }

  private func perform(_ action: RunAction) throws(Obstacle) {
    switch action {
    case .inspect(let task): inspect(task, targetDigests: [:])
    case .transfer(let request, let hashing): transfer(request, hashing)
    case .hashPart(let task, let algorithms):
      guard let part = desk.part(of: task) else { return }
      hashes.add(task: task, .part, path: part.partPath, algorithms)
    case .abort(let task): abort(task)
    case .commit(let request): commit(request)
    case .record(let result, let fate): try record(result, fate)
    case .wake(let at): wakeAt = at
    case .finish(let summary): finished = summary
    }
  }

  func inspect(_ task: Int32, targetDigests: [ChecksumAlgorithm: String]) {
    let (inspection, mustHash) = desk.inspect(task, targetDigests: targetDigests)
    if let mustHash {
      hashes.add(task: task, .target, path: mustHash.path, mustHash.algorithms)
    } else if let inspection {
      // A secret's command was ended by a signal, which must be heard of first.
      if case .failed(let failure) = inspection, failure.kind == .stopped { readSignals() }
      events.append(.inspected(task: task, inspection))
    }
  }

  private func transfer(_ request: TransferRequest, _ hashing: [ChecksumAlgorithm]) {
    desk.note(request)
    guard request.sink == .part else { return engine.start(request) }
    engine.start(
      request,
      part: { [desk, checkpoints] from throws(TransferFailure) in
        do throws(StateError) { try checkpoints.willRewrite(request.task, from: from) } catch {
          throw error.failure
        }
        return try desk.targetPart(of: request).open()
      }, hashing: hashing, recordsUpTo: Self.recordsDigestsUpTo)
  }

  private func abort(_ task: Int32) {
    hashes.cancel(task)
    if let report = engine.cancel(task) {
      events.append(.finished(report, redirect: nil))
    } else {
      // It was being inspected or hashed.
      events.append(.aborted(task: task))
    }
  }

  private func commit(_ request: CommitRequest) {
    checkpoints.forget(request.task)
    let isUrgent = machine.hasDependents(request.task)
    do throws(TransferFailure) {
      let part = try desk.targetPart(of: request.task)
      commits.add(request, part, isUrgent: isUrgent, now: Clock.monotonic())
    } catch {
      events.append(.committed(task: request.task, error))
    }
  }

  private func record(_ result: TaskResult, _ fate: PartFate) throws(Obstacle) {
    let masked = desk.masked(result)
    checkpoints.forget(result.task)
    try stating { () throws(StateError) in
      try settle(result.task, fate)
      try recorder.add(masked, now: Clock.monotonic(), wall: Clock.wall())
    }
    desk.drop(result.task)
    observer.ended(masked)
  }

  /// What the state remembers of the task's files from here on.
  private func settle(_ task: Int32, _ fate: PartFate) throws(StateError) {
    let id = plan.tasks[Int(task)].id
    if let file = committed.removeValue(forKey: task) {
      // What a data task saved was decoded: its validators speak for other bytes.
      guard case .download = plan.tasks[Int(task)].work,
        plan.sessions[plan.tasks[Int(task)].session].keepsState
      else { return }
      return try state.finish(file, task: id)
    }
    switch fate {
    case .none: break
    case .discard:
      if desk.discardPart(of: task) { try state.dropCheckpoint(id) }
    case .keep(let validator, let total, let url):
      guard let checkpoint = desk.keepPart(of: task, validator, total, url) else { return }
      try state.put(checkpoint, task: id)
    }
  }
}

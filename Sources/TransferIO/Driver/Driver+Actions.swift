import TransferCore

/// What the run machine wants done, and what came of it.
extension Driver {
  /// Hands the machine what happened and does what it wants, until nothing more happens at once.
  func handleEvents() {
    while !events.isEmpty {
      var batch = handled
      handled = []
      swap(&events, &batch)
      for index in batch.indices {
        for action in machine.handle(batch[index], now: Clock.monotonic(), wall: Clock.wall()) {
          perform(action)
        }
      }
      batch.removeAll(keepingCapacity: true)
      handled = batch
    }
  }

  private func perform(_ action: RunAction) {
    switch action {
    case .inspect(let task): inspect(task, targetDigests: [:])
    case .learn(let list, let bytes): desk.learn(list, bytes)
    case .transfer(let request, let hashing): transfer(request, hashing)
    case .hashPart(let task, let algorithms, let size):
      // Nothing may have opened it in this run: a 416 has no body.
      let path = desk.targetPart(of: task).partPath
      hashes.add(task: task, .part, path: path, upTo: size, algorithms)
    case .bound(let task, let end): engine.bound(task, upTo: end)
    case .measure(let task): measure(task)
    case .abort(let task): abort(task)
    case .commit(let request): commit(request)
    case .hold(let host, let until): registrar.submit(.hold(host: host, until: until))
    case .record(let end): record(end)
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
    if request.segment == 0 { desk.note(request) }
    do throws(TransferFailure) { try desk.fill(request) } catch {
      return refuse(request, error)
    }
    guard request.sink == .part else { return engine.start(request) }
    engine.start(
      request,
      part: { from throws(TransferFailure) in try self.openPart(of: request, from) },
      hashing: hashing, recordsUpTo: Self.recordsDigestsUpTo, keepsUpTo: Self.keepsUpTo)
  }

  /// The request's credential can't be had: nothing is sent.
  private func refuse(_ request: TransferRequest, _ failure: TransferFailure) {
    // A secret's command was ended by a signal, which must be heard of first.
    if failure.kind == .stopped { readSignals() }
    let report = TransferReport(task: request.task, transaction: .init(url: request.shownURL))
    report.segment = request.segment
    report.failure = failure
    events.append(.finished(report, redirect: nil))
  }

  /// The part file of an accepted body, whose bytes from `from` on are about to be written.
  private func openPart(
    of request: TransferRequest, _ from: Int64
  ) throws(TransferFailure) -> PartFile {
    if request.segment > 0 {
      events.append(.segmentAccepted(task: request.task, segment: request.segment))
      return try desk.targetPart(of: request).open()
    }
    let id = plan.tasks[Int(request.task)].id
    if plan.tasks[Int(request.task)].mayComeInSegments { opened.append(request.task) }
    var isClaimed = checkpoints.hasClaimed(request.task)
    do throws(StateError) {
      if try reader.checkpoint(id) != nil { isClaimed = true }
    } catch { throw error.failure }
    if from == 0 { checkpoints.forget(request.task) }
    let kept = ByteRanges([0..<from] + (from > 0 ? request.kept.ranges : []))
    if isClaimed,
      let failure = registrar.carryOut(.dropClaims(task: request.task, keeping: kept))
    {
      throw failure
    }
    return try desk.targetPart(of: request).open()
  }

  private func abort(_ task: Int32) {
    hashes.cancel(task)
    let reports = engine.cancelAll(task)
    // It was being inspected or hashed.
    if reports.isEmpty { events.append(.aborted(task: task)) }
    events += reports.map { .finished($0, redirect: nil) }
  }

  /// How far the task's first request is, for the machine.
  func measure(_ task: Int32) {
    guard let (head, position) = engine.position(task) else { return }
    events.append(.storing(task: task, head, position: position))
  }

  private func commit(_ request: CommitRequest) {
    checkpoints.forget(request.task)
    let part = desk.targetPart(of: request.task)
    do throws(TransferFailure) { try part.find() } catch {
      events.append(.committed(task: request.task, error))
      return
    }
    registrar.submit(.commit(request, part, made: desk.takeChangedFolders()))
  }

  private func record(_ end: TaskEnd) {
    let task = end.result.task
    let masked = desk.masked(end)
    checkpoints.forget(task)
    registrar.submit(.record(masked, desk.part(of: task), at: Clock.wall()))
    // Nothing goes out after a request that must not be made twice before its end is known: a kill
    // would leave that unknown. What goes wrong with it comes as an answer.
    if !RetryDecision.isIdempotent(plan.tasks[Int(task)].request.method) {
      _ = registrar.carryOut(.writeDown)
    }
    desk.drop(task)
    observer.ended(masked.result)
  }
}

/// From a whole body to the task's end, and what its end means for others.
extension RunMachine {
  /// A whole part file: are its bytes the declared ones?
  mutating func verify(
    _ task: Int32, _ report: TransferReport, _ now: Instant, _ actions: inout [RunAction]
  ) {
    if let wanted = plan.tasks[Int(task)].expect.size, wanted != report.partSize {
      let failure = TransferFailure(
        .unexpectedContent, "\(report.partSize) bytes arrived, expected \(wanted)")
      failTry(task, failure, report, now, &actions)
      return
    }
    let wanted = proofs(task, report).map(\.algorithm)
    if wanted.allSatisfy({ report.digest($0) != nil }) {
      compare(task, report, now, &actions)
    } else {
      active[task]?.pendingReport = report
      actions.append(.hashPart(task: task, wanted, size: report.partSize))
    }
  }

  /// The digests that the whole file must have, with who declares them.
  private func proofs(_ task: Int32, _ report: TransferReport) -> [Proof] {
    var proofs = (active[task]?.request?.declared ?? []).map {
      Proof(algorithm: $0.algorithm, hex: $0.hex, declarer: "declared")
    }
    if case .store? = report.verdict, let proof = report.head?.reprProof {
      proofs.append(
        Proof(algorithm: proof.algorithm, hex: proof.hex, declarer: "the server's Repr-Digest"))
    }
    return proofs
  }

  private struct Proof {
    var algorithm: ChecksumAlgorithm
    var hex: String
    var declarer: String
  }

  mutating func partHashed(
    _ task: Int32, _ digests: Result<[ChecksumAlgorithm: String], TransferFailure>, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    // One that is being taken off must not become a commit that nobody hears of.
    guard let report = active[task]?.pendingReport, active[task]?.abortReason == nil else { return }
    active[task]?.pendingReport = nil
    switch digests {
    case .failure(let failure): fail(task, failure, now, &actions)
    case .success(let made):
      report.digests = made.map { ($0.key, $0.value) }
      compare(task, report, now, &actions)
    }
  }

  private mutating func compare(
    _ task: Int32, _ report: TransferReport, _ now: Instant, _ actions: inout [RunAction]
  ) {
    let proofs = proofs(task, report)
    guard let wrong = proofs.first(where: { report.digest($0.algorithm) != $0.hex }) else {
      let shown = proofs.first.map { ($0.algorithm, $0.hex) } ?? report.digests.first
      active[task]?.result.checksum = shown.map { $0.0.rawValue + ":" + $0.1 }
      commit(task, report, sha256: report.digest(.sha256), bytes: report.whole, &actions)
      return
    }
    let made = report.digest(wrong.algorithm) ?? "unknown"
    let failure = TransferFailure(
      .digestMismatch,
      "\(wrong.algorithm.rawValue) is \(made), \(wrong.declarer) is \(wrong.hex)",
      status: report.head?.status)
    mismatch(task, failure, now, &actions)
  }

  /// Bytes that came whole and are not the declared ones: one clean transfer may do better.
  mutating func mismatch(
    _ task: Int32, _ failure: TransferFailure, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard let current = active[task] else { return }
    current.partial = nil
    let mayRepeat =
      RetryDecision.isIdempotent(current.method) || !current.hasActed
      || plan.policies[plan.tasks[Int(task)].policy].retry.unsafe
    if current.hadDigestMismatch || stop != nil || !mayRepeat {
      return fail(task, failure, now, &actions)
    }
    current.hadDigestMismatch = true
    startOver(task)
    current.turnToNextMirror()
    current.result.attempts += 1
    current.result.attemptLog.append(.init(failure: failure, status: failure.status, delay: .zero))
    current.rewind()
    requeue(task, now)
  }

  private mutating func commit(
    _ task: Int32, _ report: TransferReport, sha256: String?, bytes: [UInt8]?,
    _ actions: inout [RunAction]
  ) {
    guard let current = active[task] else { return }
    release(task)
    phases[Int(task)] = .active
    active[task]?.isCommitting = true
    active[task]?.deadline = Instant(nanoseconds: .max)
    // A resumed file's last answer speaks for the whole: If-Range saw to that.
    let validator = current.partial?.validator ?? report.head?.validator ?? Validator()
    var request = CommitRequest(
      task: task, url: current.shownURL, validator: validator, sha256: sha256,
      size: bytes.map { Int64($0.count) } ?? report.partSize, bytes: bytes)
    let asked = current.request?.addresses[current.mirror].shownURL
    if asked != current.shownURL { request.askedURL = asked }
    request.hasDependents = !dependents.behind(task).isEmpty
    actions.append(.commit(request))
  }

  /// A whole body in memory.
  mutating func received(
    _ task: Int32, _ report: TransferReport, _ now: Instant, _ actions: inout [RunAction]
  ) {
    let planned = plan.tasks[Int(task)]
    if let list = active[task]?.list { return learn(list, by: task, report.body, now, &actions) }
    active[task]?.result.body = report.body
    active[task]?.result.source = .network
    if let failure = bodyFailure(planned, report) {
      failTry(task, failure, report, now, &actions)
    } else if planned.path != nil {
      commit(task, report, sha256: nil, bytes: report.body, &actions)
    } else {
      end(task, .done, reason: nil, now, &actions)
    }
  }

  private func bodyFailure(_ planned: TaskPlan, _ report: TransferReport) -> TransferFailure? {
    if let wanted = planned.expect.size, wanted != Int64(report.body.count) {
      return TransferFailure(
        .unexpectedContent, "\(report.body.count) bytes arrived, expected \(wanted)",
        status: report.head?.status)
    }
    guard let needle = planned.expect.bodyContains,
      !report.body.containsBytes(Array(needle.utf8))
    else { return nil }
    return TransferFailure(
      .unexpectedContent, "the answer doesn't contain \(needle.debugDescription)",
      status: report.head?.status)
  }

  mutating func committed(
    _ task: Int32, _ failure: TransferFailure?, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard active[task] != nil else { return }
    if let failure {
      fail(task, failure, now, &actions)
      return
    }
    active[task]?.partial = nil
    active[task]?.result.path = plan.tasks[Int(task)].path
    active[task]?.result.source = .network
    end(task, .done, reason: nil, now, &actions)
  }

  /// The task has failed for good.
  mutating func fail(
    _ task: Int32, _ failure: TransferFailure, _ now: Instant, _ actions: inout [RunAction]
  ) {
    let planned = plan.tasks[Int(task)]
    if let list = active[task]?.list, failure.speaksOfList {
      return failList(list, by: task, failure, now, &actions)
    }
    active[task]?.result.failure = failure
    active[task]?.result.isRetryable =
      RetryDecision.isTransient(failure, plan.policies[planned.policy].retry)
    active[task]?.result.isExcused = planned.optional.excuses(failure)
    if failure.kind == .disk, diskFailure == nil {
      diskFailure = failure
      summary.machineFailure = failure
    }
    end(task, failure.kind == .cancelled ? .cancelled : .failed, reason: nil, now, &actions)
  }

  /// The one place where a task ends.
  mutating func end(
    _ task: Int32, _ outcome: Outcome, reason: String?, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    guard let current = active.removeValue(forKey: task) else { return }
    if phases[Int(task)] == .active, !current.isCommitting {
      queue.leave(current.lane)
      running -= 1
    }
    // One that waits for its next try has no try under way.
    let isTrying = phases[Int(task)] == .active && !current.result.transactions.isEmpty
    phases[Int(task)] = .ended
    unended -= 1
    current.result.outcome = outcome
    current.result.reason = reason
    if outcome == .unchanged || outcome == .cached {
      current.result.path = plan.tasks[Int(task)].path
    }
    current.result.attempts += isTrying ? 1 : 0
    count(current.result)
    actions.append(.record(TaskEnd(current.result, part: fate(current, outcome))))
    abandonLists(task, now)
    settle(task, current.result, now, &actions)
  }

  private mutating func count(_ result: TaskResult) {
    summary.counts[result.outcome, default: 0] += 1
    if result.isExcused { summary.excused += 1 }
    summary.bytesReceived += result.bytesReceived
    summary.bytesSent += result.bytesSent
  }

  /// A part file is kept when its bytes can be proven to belong to the rest later.
  private func fate(_ current: ActiveTask, _ outcome: Outcome) -> PartFate {
    if outcome == .done { return .none }
    let planned = plan.tasks[Int(current.task)]
    guard case .download(let download) = planned.work else { return .none }
    guard let partial = current.partial, partial.size > 0 else {
      return .discard
    }
    let provable =
      partial.validator.strongETag != nil || partial.validator.hasStrongDate
      || !download.checksums.isEmpty
    guard provable, plan.sessions[planned.session].keepsState else { return .discard }
    return .keep(validator: partial.validator, total: partial.total, url: partial.url)
  }

  /// What the end of a task means for those behind it.
  private mutating func settle(
    _ task: Int32, _ result: TaskResult, _ now: Instant, _ actions: inout [RunAction]
  ) {
    let counts = result.outcome == .failed && !result.isExcused
    if counts { failedCount += 1 }
    for behind in dependents.behind(task) where phases[Int(behind)] == .blocked {
      switch result.outcome {
      case .done, .unchanged, .cached: met(behind, now)
      case .failed where result.isExcused: met(behind, now)
      case .failed, .cancelled: cascade.append(Cascade(task: behind, root: task, outcome: .skipped))
      case .deferred, .skipped:
        let root = cascadeRoot ?? task
        cascade.append(Cascade(task: behind, root: root, outcome: result.outcome))
      }
    }
    guard counts, stop == nil else { return }
    if plan.settings.onFailure == .stop {
      halt(.errors("a task failed and on_failure is stop"), now, &actions)
    } else if let most = plan.settings.maxErrors, failedCount >= most {
      halt(.errors("\(failedCount) tasks failed (max_errors)"), now, &actions)
    }
  }

  private mutating func met(_ task: Int32, _ now: Instant) {
    unmet[Int(task)] -= 1
    if unmet[Int(task)] == 0, stop == nil { enqueue(task, now) }
  }

  /// Ends the tasks that will not start because of one before them, however long the chain.
  mutating func passOn(_ now: Instant, _ actions: inout [RunAction]) {
    while let next = cascade.popLast() {
      guard phases[Int(next.task)] == .blocked else { continue }
      let words =
        plan.tasks[Int(next.root)].id
        + (next.outcome == .deferred ? " was deferred" : " did not succeed")
      active[next.task] = ActiveTask(
        task: next.task, lane: 0, started: now, deadline: now,
        request: plan.tasks[Int(next.task)].request)
      phases[Int(next.task)] = .waiting
      if next.outcome == .skipped {
        active[next.task]?.result.failure = TransferFailure(.dependency, words)
      }
      cascadeRoot = next.root
      end(next.task, next.outcome, reason: words, now, &actions)
      cascadeRoot = nil
    }
  }
}

extension OptionalRule {
  /// Whether the exit code leaves this failure out.
  func excuses(_ failure: TransferFailure) -> Bool {
    switch self {
    case .never: false
    case .always: failure.kind != .disk
    case .statuses(let statuses): failure.status.map(statuses.contains) ?? false
    }
  }
}

extension Array where Element == UInt8 {
  /// Whether `needle` stands anywhere in the bytes; an empty one does.
  func containsBytes(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard count >= needle.count else { return false }
    for start in 0...(count - needle.count) where self[start] == first {
      if self[start..<(start + needle.count)].elementsEqual(needle) { return true }
    }
    return false
  }
}

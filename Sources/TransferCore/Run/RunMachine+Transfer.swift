/// From a task's inspection to its last answer.
extension RunMachine {
  mutating func inspected(
    _ task: Int32, _ inspection: Inspection, _ now: Instant, _ actions: inout [RunAction]
  ) {
    // A secret's command may have used up the time: it was ended for that, not of itself.
    if let deadline = options.deadline, now >= deadline { halt(.deadline, now, &actions) }
    // One that is being taken off hears of its end by the report.
    guard let current = active[task], current.abortReason == nil else { return }
    switch inspection {
    case .failed(let failure): fail(task, failure, now, &actions)
    case .needs(let list, let request): ask(task, for: list, request, now, &actions)
    case .ready(let request, let decision):
      active[task]?.request = request
      active[task]?.mirror = request.first
      active[task]?.rewind()
      follow(decision, task, now, &actions)
    }
  }

  private mutating func follow(
    _ decision: LocalDecision, _ task: Int32, _ now: Instant, _ actions: inout [RunAction]
  ) {
    switch decision {
    case .keep(let outcome, let reason):
      active[task]?.result.source = outcome == .cached ? .cache : nil
      end(task, outcome, reason: reason, now, &actions)
    case .fail(let failure): fail(task, failure, now, &actions)
    case .revalidate(let validator, let url):
      active[task]?.condition = .refresh(validator)
      active[task]?.known = (validator, url)
      begin(task, now, &actions)
    case .fetchUnless(let validator, let url):
      active[task]?.known = (validator, url)
      begin(task, now, &actions)
    case .resume(let from, let validator, let total):
      active[task]?.condition = .resume(from: from, validator: validator, total: total)
      active[task]?.result.bytesResumed = from
      let url = active[task]?.shownURL ?? ""
      active[task]?.partial = ActiveTask.Partial(
        size: from, total: total, validator: validator ?? Validator(), url: url)
      if let kept = active[task]?.request?.kept, validator?.strongETag != nil, total != nil {
        active[task]?.partial?.beyond = kept
        active[task]?.result.bytesResumed += kept.count
      }
      begin(task, now, &actions)
    case .fetch: begin(task, now, &actions)
    case .hash: preconditionFailure("a decision that waits for a hash reached the machine")
    }
  }

  /// Sends the first request, unless the host asked to be left alone while the task was looked at.
  private mutating func begin(_ task: Int32, _ now: Instant, _ actions: inout [RunAction]) {
    if isHeld(task, now, &actions) { return }
    if let lane = active[task]?.lane, queue.isHeld(lane, now: now) {
      requeue(task, now)
    } else {
      send(task, &actions)
    }
  }

  /// Sends the next request of an active task.
  mutating func send(_ task: Int32, _ actions: inout [RunAction]) {
    forgoRange(task)
    guard let current = active[task] else { return }
    current.asked = hopCondition(current)
    let request = self.request(current, current.asked)
    request.insists = current.insists
    request.isKnownForRanges =
      !ranges.isEmpty && ranges[Self.authority(current.url)] == .serves
    (current.storingSince, current.askedUpTo, current.askedKept) = (nil, nil, ByteRanges())
    if case .resume(let from, let validator?, .some) = current.asked, validator.strongETag != nil,
      let beyond = current.partial?.beyond, !beyond.isEmpty
    {
      current.askedKept = beyond
      current.askedUpTo = beyond.start(after: from)
      request.kept = beyond
      request.upTo = current.askedUpTo
    }
    actions.append(.transfer(request, hashing: digestsWanted(task)))
  }

  /// A request of an active task, with all that doesn't depend on what is known of its file.
  func request(_ current: ActiveTask, _ condition: RequestCondition) -> TransferRequest {
    let task = current.task
    let planned = plan.tasks[Int(task)]
    let request = TransferRequest(
      task: task, session: planned.session, url: current.url, shownURL: current.shownURL,
      method: current.method, headerLines: current.headerLines,
      body: current.hasDroppedBody ? .none : current.request?.body ?? .none,
      condition: condition, sink: .memory(limit: DataPlan().maxBytes),
      decodes: planned.request.decodes, expect: planned.expect,
      jobAskedPartial: current.asksPartial, allowsUnframed: true,
      timeoutForRequest: plan.policies[planned.policy].timeoutForRequest,
      minimumSpeed: plan.policies[planned.policy].minimumSpeed, maxBytes: nil,
      followsRedirects: plan.policies[planned.policy].redirects.follow != .never)
    request.rateLimit = plan.policies[planned.policy].rateLimit
    request.serviceType = plan.policies[planned.policy].serviceType
    if current.hops > 0 { request.documentURL = current.documentURL }
    switch planned.work {
    case .download(let download) where current.list != nil: askForList(request, download)
    case .download(let download):
      request.sink = .part
      request.maxBytes = download.maxBytes
      request.allowsUnframed =
        download.allowsUnframed || planned.expect.size != nil || !download.checksums.isEmpty
    case .data(let data):
      request.sink = .memory(limit: data.maxBytes)
      request.maxBytes = data.maxBytes
    case .upload: break
    }
    if plan.policies[planned.policy].cachePolicy == .reloadIgnoringLocalAndRemoteCacheData {
      request.headerLines += ["Cache-Control: no-cache", "Pragma: no-cache"]
    }
    authorize(request, current)
    return request
  }

  /// Which digests must be made of a download's bytes.
  func digestsWanted(_ task: Int32) -> [ChecksumAlgorithm] {
    var wanted: [ChecksumAlgorithm] = []
    for digest in active[task]?.request?.declared ?? [] where !wanted.contains(digest.algorithm) {
      wanted.append(digest.algorithm)
    }
    return wanted
  }

  mutating func finished(
    _ report: TransferReport, _ redirect: RedirectTarget?, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    guard active[report.task] != nil else { return }
    note(report)
    heed(report, now, &actions)
    if let file = active[report.task]?.segments {
      segmentEnded(report, file, now, &actions)
    } else if active[report.task]?.abortReason != nil {
      aborted(report.task, now, &actions)
    } else if let failure = report.failure, failure.kind == .digestMismatch {
      mismatch(report.task, failure, now, &actions)
    } else if let failure = report.failure {
      failTry(report.task, failure, report, now, &actions)
    } else if let verdict = report.verdict {
      follow(verdict, report, redirect, now, &actions)
    } else {
      let failure = TransferFailure(.protocol, "the answer has no head that HTTP knows")
      failTry(report.task, failure, report, now, &actions)
    }
  }

  /// Adds what a request did to the task's result.
  private mutating func note(_ report: TransferReport) {
    guard let current = active[report.task] else { return }
    current.result.transactions.append(report.transaction)
    // A list is no part of what the task is for.
    if current.list != nil { return }
    current.result.interim += report.interim
    current.result.bytesReceived += report.bodyBytes
    current.result.bytesSent += report.bodyBytesSent
    if report.segment > 0 {
      if case .store? = report.verdict { ranges[Self.authority(current.url)] = .serves }
      return
    }
    // A file has no status.
    let status = report.head?.status ?? report.transaction.status
    current.result.status = status == 0 ? nil : status
    let wasSent = report.transaction.requestHeaderBytes > 0 || report.bodyBytesSent > 0
    // Who asks for credentials first hasn't done what was asked.
    var wasChallenged = false
    if case .challenged? = report.verdict { wasChallenged = true }
    if !RetryDecision.isIdempotent(current.method), wasSent || report.head != nil, !wasChallenged {
      current.hasActed = true
    }
    if let head = report.head {
      prove(current, head)
      if let shown = report.verdict.flatMap({
        RangeSupport.shown(by: head, to: current.asked, $0)
      }) {
        ranges[Self.authority(current.url)] = shown
      }
      current.result.head = head
      current.result.isUnframed =
        head.isCloseDelimited && plan.tasks[Int(report.task)].request.method != "HEAD"
      if case .store(let from, let total)? = report.verdict {
        // A 206 may leave out what the first answer said already.
        let known = from > 0 ? current.partial?.validator : nil
        let kept = from > 0 ? current.askedKept : ByteRanges()
        current.result.bytesResumed = from > 0 ? from + kept.count : 0
        // Coded bytes are no place to go on from: their like need not come again. What came in one
        // piece is in no part file.
        current.partial =
          head.contentEncoding != nil || report.whole != nil
          ? nil
          : ActiveTask.Partial(
            ByteRanges([0..<report.partSize] + kept.ranges), total: total,
            validator: head.validator.completed(by: known), url: current.shownURL)
      }
    }
  }

  private mutating func follow(
    _ verdict: HeadVerdict, _ report: TransferReport, _ redirect: RedirectTarget?, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    let task = report.task
    switch verdict {
    case .redirect: hop(task, report, redirect, now, &actions)
    case .notModified:
      active[task]?.result.source = .revalidated
      let isHTTP = report.head?.status == 304
      let reason = isHTTP ? StatusPhrase.text(304) : "the source has the same size and time"
      end(task, .unchanged, reason: reason, now, &actions)
    case .restart(let reason): restart(task, reason, report, now, &actions)
    case .insist: insist(task, report, now)
    case .challenged(let grant): challenged(task, grant, now)
    case .fail(let failure) where report.refusedExpect:
      repeatUnexpecting(task, failure, now)
    case .fail(var failure):
      failure.retryAfter = report.pause
      failTry(task, failure, report, now, &actions)
    case .store(let from, _) where from > 0 && active[task]?.askedUpTo != nil:
      filledGap(task, report, now, &actions)
    case .store: verify(task, report, now, &actions)
    case .rangeComplete(let total):
      report.partSize = total
      verify(task, report, now, &actions)
    case .keep: received(task, report, now, &actions)
    }
  }

  private mutating func hop(
    _ task: Int32, _ report: TransferReport, _ target: RedirectTarget?, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    guard let current = active[task], let status = report.head?.status,
      let origin = Origin(url: current.url)
    else { return }
    let decision = RedirectDecision.decide(
      status: status, method: current.method, from: origin, to: target?.origin,
      hops: current.hops, policy: plan.policies[plan.tasks[Int(task)].policy].redirects)
    switch decision {
    case .refuse(let failure): failTry(task, failure, report, now, &actions)
    case .follow(let method, let dropsBody, let leavesOrigin):
      guard let target else { return }
      active[task]?.result.redirects.append(.init(status: status, url: target.shownURL))
      active[task]?.result.currentURL = target.shownURL
      active[task]?.url = target.url
      active[task]?.shownURL = target.shownURL
      active[task]?.method = method
      active[task]?.hasDroppedBody = current.hasDroppedBody || dropsBody
      active[task]?.hasLeftOrigin = current.hasLeftOrigin || leavesOrigin
      active[task]?.hops += 1
      active[task]?.forgetGrants()
      requeue(task, now)
    }
  }

  /// A resume that the server answered in a way that can't be used: again from the start.
  mutating func restart(
    _ task: Int32, _ reason: String, _ report: TransferReport, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    startOver(task)
    active[task]?.restarts += 1
    let failure = TransferFailure(.range, "\(report.transaction.url): \(reason)")
    active[task]?.result.attemptLog.append(
      .init(failure: failure, status: report.head?.status, delay: .zero))
    if active[task]?.restarts ?? 0 > 2 {
      fail(task, failure, now, &actions)
    } else {
      active[task]?.rewind()
      requeue(task, now)
    }
  }

  /// Gives up the place of the last request and waits for one of the next.
  mutating func requeue(_ task: Int32, _ now: Instant) {
    release(task)
    enqueue(task, now)
  }

  /// Gives up the place under the limits.
  mutating func release(_ task: Int32) {
    guard phases[Int(task)] == .active, let lane = active[task]?.lane else { return }
    queue.leave(lane)
    running -= 1
    phases[Int(task)] = .waiting
  }
}

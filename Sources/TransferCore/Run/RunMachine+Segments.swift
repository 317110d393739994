/// One file over several connections. The first request goes out as any other; once its body is
/// accepted the rest of the file is cut into ranges, and the first request ends where the next
/// one's range begins: as soon as that one was answered, so that a refusal costs nothing.
extension RunMachine {
  mutating func storing(
    _ task: Int32, _ head: ResponseHead, _ position: Int64, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    guard let current = active[task], phases[Int(task)] == .active, current.segments == nil,
      current.abortReason == nil, stop == nil, diskFailure == nil,
      let planned = segmentCount(current, head), let total = length(current, head)
    else { return }
    let from = current.askedFrom(head)
    let limit = from > 0 ? current.askedUpTo ?? total : total
    let kept = from > 0 ? current.askedKept : ByteRanges()
    guard position < limit else { return }
    let gaps = [position..<limit] + kept.gaps(in: total).filter { $0.lowerBound >= limit }
    guard let count = count(planned, of: gaps, current, now) else { return }
    let others = min(count - 1, room(current, now))
    if others < 1 { return look(current, at: now + SegmentPlan.looksApart) }
    let pieces = SegmentPlan.split(gaps, into: others + 1)
    guard pieces.count > 1 else { return }
    let file = SegmentedFile(
      total: total,
      validator: head.validator.completed(by: from > 0 ? current.partial?.validator : nil),
      url: current.shownURL, first: from..<limit, limit: limit,
      done: ByteRanges([0..<from] + kept.ranges))
    current.segments = file
    for (index, piece) in pieces.dropFirst().prefix(others).enumerated() {
      start(piece, Int32(index + 1), of: file, current, &actions)
    }
  }

  mutating func segmentAccepted(
    _ task: Int32, _ segment: Int32, _ actions: inout [RunAction]
  ) {
    guard let file = active[task]?.segments, file.streams[segment] != nil else { return }
    file.accepted.insert(segment)
    moveFirstEnd(file, task, &actions)
  }

  /// How many connections the task may have for its file; nil when one is all.
  private func segmentCount(_ current: ActiveTask, _ head: ResponseHead) -> SegmentCount? {
    let planned = plan.tasks[Int(current.task)]
    guard case .download(let download) = planned.work, download.segments != .fixed(1),
      !current.staysWhole, current.method == "GET", !current.asksPartial,
      current.url.hasPrefix("http"), head.contentEncoding == nil, head.validator.strongETag != nil
    else { return nil }
    let authority = Self.authority(current.url)
    let says = head.acceptRanges?.lowercased()
    if says == "none" || ranges[authority] == .ignores { return nil }
    if download.segments != .auto { return download.segments }
    return says == "bytes" || ranges[authority] == .serves || head.status == 206 ? .auto : nil
  }

  private func length(_ current: ActiveTask, _ head: ResponseHead) -> Int64? {
    switch head.status {
    case 200: return head.contentLength
    case 206:
      guard
        case .satisfied(_, _, let total)? = head.contentRange.flatMap(ContentRange.init(parsing:))
      else { return nil }
      return total
    default: return nil
    }
  }

  /// nil when it is not the time to cut, or not worth it.
  private mutating func count(
    _ planned: SegmentCount, of gaps: [Range<Int64>], _ current: ActiveTask, _ now: Instant
  ) -> Int? {
    switch planned {
    case .fixed(let count): return count
    case .auto:
      guard gaps.reduce(0, { $0 + Int64($1.count) }) >= SegmentPlan.autoFrom else { return nil }
      let since = current.storingSince ?? now
      current.storingSince = since
      if now >= since + SegmentPlan.autoAfter { return SegmentPlan.autoCount }
      look(current, at: since + SegmentPlan.autoAfter)
      return nil
    }
  }

  /// Looks at the task's transfer again then.
  private mutating func look(_ current: ActiveTask, at moment: Instant) {
    looks.insert(Wakeup(at: moment, task: current.task))
  }

  /// Connections that no task waits for.
  private func room(_ current: ActiveTask, _ now: Instant) -> Int {
    if queue.isHeld(current.lane, now: now) || notBefore(current.task) != nil { return 0 }
    return min(plan.settings.maxParallel - running, queue.room(current.lane))
  }

  private mutating func start(
    _ piece: Range<Int64>, _ segment: Int32, of file: SegmentedFile, _ current: ActiveTask,
    _ actions: inout [RunAction]
  ) {
    file.streams[segment] = piece
    queue.enter(current.lane)
    running += 1
    let request = self.request(
      current,
      .resume(from: piece.lowerBound, validator: file.validator, total: file.total))
    request.segment = segment
    request.upTo = piece.upperBound
    // If-Match: of another version not a byte is wanted.
    request.insists = true
    actions.append(.transfer(request, hashing: []))
  }

  private func moveFirstEnd(
    _ file: SegmentedFile, _ task: Int32, _ actions: inout [RunAction]
  ) {
    guard let end = file.moveFirstEnd() else { return }
    actions.append(.bound(task: task, upTo: end == file.firstLimit ? nil : end))
  }

  // MARK: Ends

  /// One of the file's requests has ended.
  mutating func segmentEnded(
    _ report: TransferReport, _ file: SegmentedFile, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard let current = active[report.task],
      file.streams.removeValue(forKey: report.segment) != nil
    else { return }
    if !file.streams.isEmpty {
      queue.leave(current.lane)
      running -= 1
    }
    if report.segment == 0 { file.first = report }
    let wasEnding = file.ending != nil || current.abortReason != nil
    if case .store(let from, _)? = report.verdict, report.failure?.kind != .digestMismatch {
      file.done.insert(from..<(from + report.bodyBytes))
    }
    if !wasEnding { judge(report, file, current) }
    if file.streams.isEmpty { return settle(file, current, report, now, &actions) }
    if wasEnding { return }
    if file.ending != nil {
      actions.append(.abort(task: report.task))
    } else {
      moveFirstEnd(file, report.task, &actions)
    }
  }

  /// What the end of one request means for the others.
  private mutating func judge(
    _ report: TransferReport, _ file: SegmentedFile, _ current: ActiveTask
  ) {
    if file.done.gaps(in: file.total).isEmpty {
      file.ending = .complete
      return
    }
    switch (report.failure, report.verdict) {
    case (let failure?, _) where failure.kind == .digestMismatch: file.ending = .mismatch(failure)
    case (let failure?, _) where !failure.isOfItsSource: file.ending = .failed(failure, report)
    case (let failure?, .store?): file.broken = (failure, report)
    case (nil, .restart(let reason)?): file.ending = .changed(reason, report)
    case (nil, .store?): break
    default: refused(report, current)
    }
  }

  /// This server gives no more connections, or no ranges: those that work do the rest.
  private mutating func refused(_ report: TransferReport, _ current: ActiveTask) {
    current.staysWhole = true
    if report.head?.status == 200 { ranges[Self.authority(current.url)] = .ignores }
  }

  /// None of the file's requests is under way any more.
  private mutating func settle(
    _ file: SegmentedFile, _ current: ActiveTask, _ last: TransferReport, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    let task = current.task
    current.segments = nil
    current.partial = ActiveTask.Partial(
      file.done, total: file.total, validator: file.validator, url: file.url)
    if current.abortReason != nil { return aborted(task, now, &actions) }
    switch file.ending {
    case .mismatch(let failure):
      current.staysWhole = true
      mismatch(task, failure, now, &actions)
    case .changed(let reason, let report):
      current.staysWhole = true
      restart(task, reason, report, now, &actions)
    case .failed(let failure, let report): failTry(task, failure, report, now, &actions)
    case .complete:
      let report = file.first ?? last
      report.partSize = file.total
      // The first request has hashed its own bytes alone.
      report.digests = []
      verify(task, report, now, &actions)
    case nil:
      guard let (failure, report) = file.broken else { return goOn(task, now) }
      failTry(task, failure, report, now, &actions)
    }
  }

  /// Asks for the next bytes that are missing.
  private mutating func goOn(_ task: Int32, _ now: Instant) {
    prepareRetry(task)
    requeue(task, now)
  }

  /// A request that was for one missing range of the file is through.
  mutating func filledGap(
    _ task: Int32, _ report: TransferReport, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard let partial = active[task]?.partial, let total = partial.total, partial.size < total
    else {
      report.partSize = active[task]?.partial?.size ?? report.partSize
      return verify(task, report, now, &actions)
    }
    goOn(task, now)
  }
}

extension ActiveTask {
  /// Where the body that is being taken begins: a 200 begins anew.
  func askedFrom(_ head: ResponseHead) -> Int64 {
    guard head.status == 206, case .resume(let from, _, _) = asked else { return 0 }
    return from
  }
}

extension ActiveTask.Partial {
  /// What is there of a file, with whatever stands beyond its first gap.
  init(_ ranges: ByteRanges, total: Int64?, validator: Validator, url: String) {
    size = ranges.prefix
    beyond = ranges.beyondPrefix
    self.total = total
    self.validator = validator
    self.url = url
  }
}

import TransferCore

extension SimulatedRun {
  func start(_ request: TransferRequest, _ algorithms: [ChecksumAlgorithm]) {
    checker.noteRequest(request, now: now, there: parts[request.task]?.written ?? ByteRanges())
    world.tell("run \(number): \(request.words)")
    if request.segment > 0 { world.see(.split) }
    if !request.kept.isEmpty { world.see(.gapFilled) }
    serial += 1
    transfers[request.stream] = LiveTransfer(
      request: request, algorithms: algorithms, serial: serial)
    schedule(
      .answered(request.stream, serial: serial), after: .milliseconds(chance.from(1...300)))
  }

  /// The head is here.
  func answer(_ stream: StreamID) throws(Killed) {
    guard var live = transfers[stream] else { return }
    let request = live.request
    guard let resource = world.scenario.addresses[request.url] else {
      return try end(stream, TransferFailure(.dns, "no such host"))
    }
    let answer = Answerer(
      resource: resource, request: request, chance: chance, second: world.second
    ).answer()
    live.answer = answer
    transfers[stream] = live
    guard let head = answer.head else {
      if answer.stallsAfter != nil { return giveUp(stream) }
      return try end(stream, answer.fault)
    }
    let verdict = mutated(HeadDecision.decide(request, head), request, head)
    transfers[stream]?.verdict = verdict
    see(verdict, request)
    world.tell("  \(stream.words) \(head.status) v\(resource.version.id): \(verdict)")
    if case .store(let from, let total) = verdict {
      guard try openPart(request, from: from) else {
        return try end(stream, TransferFailure(.localFile, "changed"))
      }
      transfers[stream]?.body = answer.body
      transfers[stream]?.isStoring = true
      transfers[stream]?.position = from
      if total == nil || answer.length > 0 { setPace(stream, answer.length) }
      tellOpened(request)
    }
    try proceed(stream)
  }

  private func see(_ verdict: HeadVerdict, _ request: TransferRequest) {
    switch verdict {
    case .store(let from, _) where from > 0: world.see(.continued)
    case .store: if case .resume = request.condition { world.see(.restartedBy200) }
    case .restart where request.segment > 0: world.see(.rangeChanged)
    case .fail where request.segment > 0: world.see(.rangeRefused)
    case .rangeComplete: world.see(.completeBy416)
    case .restart: world.see(.refusedPart)
    case .redirect: world.see(.redirect)
    case .notModified: world.see(.notModified)
    case .keep, .insist, .challenged, .fail: break
    }
  }

  private func setPace(_ stream: StreamID, _ length: Int64) {
    let chunk = min(max(1, length / Int64(chance.from(1...12))), Self.longestChunk)
    transfers[stream]?.chunk = chunk
    transfers[stream]?.pace = .microseconds(max(1, chunk * 1000 / rate(stream.task)))
  }

  private func giveUp(_ stream: StreamID) {
    guard let live = transfers[stream] else { return }
    schedule(.gaveUp(stream, serial: live.serial), after: live.request.timeoutForRequest)
  }

  func size(of task: Int32) -> Int64 {
    parts[task].flatMap { world.disk.files[$0.inode]?.content.size } ?? 0
  }

  /// The next chunk is on its way, or the end.
  private func proceed(_ stream: StreamID) throws(Killed) {
    guard let live = transfers[stream], let answer = live.answer else { return }
    if let stall = answer.stallsAfter, live.passed.size >= stall { return giveUp(stream) }
    if live.body.isEmpty || live.hasEnough { return try end(stream, answer.fault) }
    schedule(.moved(stream, serial: live.serial), after: live.pace)
  }

  func move(_ stream: StreamID) throws(Killed) {
    guard var live = transfers[stream], case .store(let from, let total)? = live.verdict,
      let part = parts[stream.task], let next = live.next()
    else { return }
    let range = live.position..<(live.position + next.length)
    live.hasEnough = live.bound.map { range.upperBound >= $0 } ?? false
    transfers[stream] = live
    let most = from > 0 ? live.request.upTo ?? total : total
    if !live.hasEnough, let most, range.upperBound > most {
      return try end(stream, TransferFailure(.protocol, "more than was declared"))
    }
    try world.step()
    if !world.disk.write(next, at: range.lowerBound, to: part.inode) {
      return try end(stream, TransferFailure(.disk, "no room"))
    }
    parts[stream.task]?.written.insert(range)
    transfers[stream]?.position = range.upperBound
    transfers[stream]?.passed.append(next)
    try proceed(stream)
  }

  /// The transport is through.
  func end(_ stream: StreamID, _ fault: TransferFailure?) throws(Killed) {
    guard let live = transfers.removeValue(forKey: stream) else { return }
    let report = TransferReport(task: stream.task, transaction: transaction(of: live))
    report.segment = stream.segment
    report.head = live.answer?.head
    report.verdict = live.verdict
    report.failure = failure(of: live, fault)
    if case .store(let from, let total)? = live.verdict {
      report.bodyBytes = live.passed.size
      report.partSize = live.isStoring ? live.position : 0
      if from == 0, report.failure == nil, !live.hasEnough {
        let records = total.map { $0 <= 65_536 } ?? false
        let wanted = Set(live.algorithms + (records ? [.sha256] : []))
        report.digests = wanted.map { ($0, live.passed.digest) }
      }
    }
    world.tell("  \(stream.words) ended: \(report.failure?.kind.rawValue ?? "well")")
    checker.noteReport(report, live.request)
    let target = live.answer?.target.flatMap { target in
      Origin(url: target.url).map {
        RedirectTarget(url: target.url, shownURL: target.url, origin: $0)
      }
    }
    events.append(.finished(report, redirect: target))
  }

  private func failure(of live: LiveTransfer, _ fault: TransferFailure?) -> TransferFailure? {
    if let fault, [.cancelled, .disk, .localFile].contains(fault.kind) { return fault }
    guard let verdict = live.verdict else { return fault ?? TransferFailure(.truncated, "no head") }
    if live.hasEnough || world.mutation == .takesCutBodies { return nil }
    return verdict.failure(
      partSize: live.isStoring ? live.position : nil, upTo: live.request.upTo, fault: fault,
      status: live.answer?.head?.status)
  }

  private func transaction(of live: LiveTransfer) -> Transaction {
    var transaction = Transaction(url: live.request.shownURL)
    transaction.status = live.answer?.head?.status
    transaction.responseEnd = world.wall
    transaction.requestHeaderBytes = live.answer == nil ? 0 : 100
    return transaction
  }

  /// What a wrong program would make of an answer.
  private func mutated(
    _ verdict: HeadVerdict, _ request: TransferRequest, _ head: ResponseHead
  ) -> HeadVerdict {
    guard case .resume(let from, _, let total) = request.condition else { return verdict }
    switch (world.mutation, verdict) {
    case (.takesAnyPartialAnswer, .restart) where request.segment == 0 && head.status == 206:
      return .store(from: from, total: nil)
    case (.takesAny416, .restart) where head.contentRange == "bytes */\(from)":
      return .rangeComplete(total: from)
    case (.takesAnyRange, .restart), (.takesAnyRange, .fail):
      return request.segment > 0 && head.status == 206
        ? .store(from: from, total: total) : verdict
    default: return verdict
    }
  }
}

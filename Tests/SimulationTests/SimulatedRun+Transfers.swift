import TransferCore

/// A request under way.
struct LiveTransfer {
  var request: TransferRequest
  var algorithms: [ChecksumAlgorithm]
  var serial: Int
  var answer: Answer?
  var verdict: HeadVerdict?
  /// Why we ended it.
  var failure: TransferFailure?
  var body: [Content.Piece] = []
  /// The part file holds this answer's bytes and what they continue.
  var isStoring = false
  var received: Int64 = 0
  var chunk: Int64 = 1
  /// Nanoseconds a chunk takes.
  var pace = Duration.milliseconds(1)
}

/// A part file that this run has open.
struct Part {
  var inode: UInt64
  var resumed: Validator?
  var isDistrusted = false
}

/// A file being hashed.
struct Hashing {
  var serial: Int
  var path: String
  /// So much of a part file; nil is all of a target.
  var partSize: Int64?
  var algorithms: [ChecksumAlgorithm]
}

extension SimulatedRun {
  func start(_ request: TransferRequest, _ algorithms: [ChecksumAlgorithm]) {
    checker.noteRequest(request, now: now)
    world.tell("run \(number): \(request.url) \(request.condition)")
    serial += 1
    transfers[request.task] = LiveTransfer(
      request: request, algorithms: algorithms, serial: serial)
    schedule(
      .answered(request.task, serial: serial), after: .milliseconds(chance.from(1...300)))
  }

  /// The head is here.
  func answer(_ task: Int32) throws(Killed) {
    guard var live = transfers[task] else { return }
    let request = live.request
    guard let resource = world.scenario.addresses[request.url] else {
      return try end(task, TransferFailure(.dns, "no such host"))
    }
    let answer = Answerer(
      resource: resource, request: request, chance: chance, second: world.second
    ).answer()
    live.answer = answer
    transfers[task] = live
    guard let head = answer.head else {
      if answer.stallsAfter != nil { return giveUp(task) }
      return try end(task, answer.fault)
    }
    let verdict = mutated(HeadDecision.decide(request, head), request, head)
    transfers[task]?.verdict = verdict
    see(verdict, request)
    world.tell("  \(head.status) v\(resource.version.id): \(verdict)")
    if case .store(let from, let total) = verdict {
      guard try openPart(request, from: from) else {
        return try end(task, TransferFailure(.localFile, "changed"))
      }
      transfers[task]?.body = answer.body
      transfers[task]?.isStoring = true
      if total == nil || answer.length > 0 { setPace(task, answer.length) }
    }
    try proceed(task)
  }

  private func see(_ verdict: HeadVerdict, _ request: TransferRequest) {
    switch verdict {
    case .store(let from, _) where from > 0: world.see(.continued)
    case .store: if case .resume = request.condition { world.see(.restartedBy200) }
    case .rangeComplete: world.see(.completeBy416)
    case .restart: world.see(.refusedPart)
    case .redirect: world.see(.redirect)
    case .notModified: world.see(.notModified)
    case .keep, .insist, .fail: break
    }
  }

  private func setPace(_ task: Int32, _ length: Int64) {
    let chunk = min(max(1, length / Int64(chance.from(1...12))), Self.longestChunk)
    transfers[task]?.chunk = chunk
    transfers[task]?.pace = .microseconds(max(1, chunk * 1000 / rate(task)))
  }

  private func giveUp(_ task: Int32) {
    guard let live = transfers[task] else { return }
    schedule(.gaveUp(task, serial: live.serial), after: live.request.timeoutForRequest)
  }

  private func openPart(_ request: TransferRequest, from: Int64) throws(Killed) -> Bool {
    let task = request.task
    try willRewrite(task, from: from)
    let inode = world.disk.openOrCreate(Scenario.partPath(task))
    world.disk.open.insert(inode)
    if parts[task] == nil { parts[task] = Part(inode: inode) }
    if case .resume(_, let validator, _) = request.condition { parts[task]?.resumed = validator }
    if size(of: task) < from { return false }
    try world.step()
    world.disk.truncate(inode, to: from)
    return true
  }

  func size(of task: Int32) -> Int64 {
    parts[task].flatMap { world.disk.files[$0.inode]?.content.size } ?? 0
  }

  /// The next chunk is on its way, or the end.
  private func proceed(_ task: Int32) throws(Killed) {
    guard let live = transfers[task], let answer = live.answer else { return }
    if let stall = answer.stallsAfter, live.received >= stall { return giveUp(task) }
    if live.body.isEmpty { return try end(task, answer.fault) }
    schedule(.moved(task, serial: live.serial), after: live.pace)
  }

  func move(_ task: Int32) throws(Killed) {
    guard var live = transfers[task], var next = live.body.first,
      case .store(_, let total)? = live.verdict, let part = parts[task]
    else { return }
    if next.length > live.chunk {
      live.body[0].start += live.chunk
      live.body[0].length -= live.chunk
      next.length = live.chunk
    } else {
      live.body.removeFirst()
    }
    transfers[task] = live
    let size = size(of: task) + next.length
    if let total, size > total {
      return try end(task, TransferFailure(.protocol, "more than was declared"))
    }
    try world.step()
    if !world.disk.append(next, to: part.inode) {
      return try end(task, TransferFailure(.disk, "no room"))
    }
    transfers[task]?.received += next.length
    try proceed(task)
  }

  /// The transport is through.
  func end(_ task: Int32, _ fault: TransferFailure?) throws(Killed) {
    guard let live = transfers.removeValue(forKey: task) else { return }
    let report = TransferReport(task: task, transaction: transaction(of: live))
    report.head = live.answer?.head
    report.verdict = live.verdict
    report.failure = failure(of: live, fault)
    if case .store(let from, let total)? = live.verdict {
      report.bodyBytes = live.received
      report.partSize = size(of: task)
      if from == 0, report.failure == nil, let part = parts[task] {
        let records = total.map { $0 <= 65_536 } ?? false
        let wanted = Set(live.algorithms + (records ? [.sha256] : []))
        let digest = world.disk.files[part.inode]?.content.digest ?? ""
        report.digests = wanted.map { ($0, digest) }
      }
    }
    world.tell("  ended \(live.request.url): \(report.failure?.kind.rawValue ?? "well")")
    checker.noteReport(report, live.request, now: now)
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
    if world.mutation == .takesCutBodies { return nil }
    return verdict.failure(
      partSize: parts[live.request.task] == nil ? nil : size(of: live.request.task),
      fault: fault, status: live.answer?.head?.status)
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
    guard case .restart = verdict, case .resume(let from, _, _) = request.condition else {
      return verdict
    }
    switch world.mutation {
    case .takesAnyPartialAnswer where head.status == 206: return .store(from: from, total: nil)
    case .takesAny416 where head.contentRange == "bytes */\(from)":
      return .rangeComplete(total: from)
    default: return verdict
    }
  }
}

import Testing

@testable import TransferCore

/// The machine against a server that changes its file, refuses, ignores ranges and breaks off, in
/// any order: what is put in place is of one version.
@Suite struct SegmentRunTests {
  @Test func noOrderOfEventsMakesAWrongFile() {
    var outcomes: [Outcome: Int] = [:]
    var split = 0
    for seed in UInt64(1)...3_000 {
      let run = SegmentRun(seed: seed)
      run.play()
      if let complaint = run.complaint {
        Issue.record("seed \(seed): \(complaint)\n\(run.story.joined(separator: "\n"))")
        return
      }
      outcomes[run.outcome ?? .skipped, default: 0] += 1
      split += run.mostLive > 1 ? 1 : 0
    }
    #expect(outcomes[.done] ?? 0 > 1_500, "\(outcomes)")
    #expect(outcomes[.failed] ?? 0 > 10, "\(outcomes)")
    #expect(split > 1_000)
  }
}

/// One download of 16 MiB.
private final class SegmentRun {
  private static let unit: Int64 = 1_048_576
  private static let total = 16 * unit
  private static let places = 4

  private struct Live {
    var request: TransferRequest
    var head: ResponseHead?
    var verdict: HeadVerdict?
    var version = 0
    var from: Int64 = 0
    /// In bytes, as all here.
    var position: Int64 = 0
    var end: Int64 = 0
    var bound: Int64?
  }

  private var machine: RunMachine
  private var chance: SeededChance
  private var now = Instant(nanoseconds: 0)
  private var wakeAt: Instant?
  private var live: [Int32: Live] = [:]
  /// Which bytes of the part file are of which version.
  private var part: [Int: ByteRanges] = [:]
  private var version = 1
  private var events: [RunEvent] = [.started]
  private let knowsRanges: Bool
  private(set) var outcome: Outcome?
  private(set) var complaint: String?
  private(set) var mostLive = 0
  private(set) var story: [String] = []

  init(seed: UInt64) {
    chance = SeededChance(seed: seed)
    knowsRanges = seed % 7 != 0
    var download = DownloadPlan(path: "/t")
    download.segments = .fixed(Int(2 + seed % 5))
    let task = TaskPlan(
      id: "t", session: 0, policy: 0, work: .download(download),
      request: RequestPlan(method: "GET", url: PlanText("http://a.test/x")))
    var session = SessionPlan(name: "default")
    session.maxConnectionsPerHost = Self.places
    machine = RunMachine(
      plan: Plan(
        job: JobIdentity(name: "j", file: "/j", folder: "/", root: "/"), settings: RunSettings(),
        sessions: [session], policies: [TransferPolicy()], tasks: [task]),
      options: RunOptions(runID: "r", startedAt: WallTime(microseconds: 0), seed: seed))
  }

  private func one(in count: Double) -> Bool { chance.next() * count < 1 }

  func play() {
    for _ in 0..<4_000 where outcome == nil && complaint == nil {
      if !events.isEmpty {
        handle(events.removeFirst())
      } else if live.isEmpty || (wakeAt ?? now) < now {
        wake()
      } else {
        step()
      }
    }
    if outcome == nil, complaint == nil { complaint = "it came to no end" }
  }

  private func wake() {
    guard let wakeAt else {
      complaint = "nothing is under way, and nothing is waited for"
      return
    }
    now = max(now, wakeAt)
    self.wakeAt = nil
    handle(.woke)
  }

  private func handle(_ event: RunEvent) {
    let wall = WallTime(microseconds: now.nanoseconds / 1_000)
    for action in machine.handle(event, now: now, wall: wall) { perform(action) }
    mostLive = max(mostLive, live.count)
    if live.count > Self.places { complaint = "\(live.count) requests at one time" }
  }

  private func perform(_ action: RunAction) {
    switch action {
    case .inspect:
      events.append(
        .inspected(
          task: 0,
          .ready(
            ResolvedRequest(
              addresses: [.init(url: "http://a.test/x", shownURL: "http://a.test/x")],
              headers: ResolvedHeaders([]), body: .none, declared: []), .fetch(reason: ""))))
    case .transfer(let request, _):
      if live[request.segment] != nil { complaint = "segment \(request.segment) twice" }
      live[request.segment] = Live(request: request)
      story.append("\(request.segment): \(request.condition) to \(request.upTo ?? -1)")
    case .bound(_, let end):
      guard var first = live[0], first.verdict != nil else { return }
      first.bound = end
      live[0] = first
      story.append("bound \(end ?? -1)")
      if let end, first.position >= end { finish(0, nil) }
    case .measure: tellStoring()
    case .abort:
      if live.isEmpty { events.append(.aborted(task: 0)) }
      for segment in live.keys.sorted() {
        finish(segment, TransferFailure(.cancelled, "cancelled"))
      }
    case .commit(let request): commit(request)
    case .record(let end): outcome = end.result.outcome
    case .wake(let at): wakeAt = at
    case .learn, .hashPart, .hold, .finish: break
    }
  }

  private func commit(_ request: CommitRequest) {
    let isWhole = part.contains { version, there in
      there == ByteRanges([0..<Self.total]) && request.validator.etag == etag(version)
    }
    if !isWhole || !live.isEmpty || request.size != Self.total {
      complaint = "\(part) was put in place as \(request.validator.etag ?? "") \(request.size)"
    }
    events.append(.committed(task: 0, nil))
  }

  private func etag(_ version: Int) -> String { "\"v\(version)\"" }

  // MARK: The server

  private func step() {
    now = now + .milliseconds(100)
    if one(in: 150) { version += 1 }
    let segments = live.keys.sorted()
    let segment = segments[Int(chance.next() * Double(segments.count))]
    guard let transfer = live[segment] else { return }
    if transfer.head == nil { return answer(segment) }
    if one(in: 25) { return finish(segment, TransferFailure(.truncated, "cut")) }
    let position = min(transfer.position + Self.unit, transfer.end)
    write(transfer.position..<position, transfer.version)
    live[segment]?.position = position
    if position >= min(transfer.end, transfer.bound ?? .max) { finish(segment, nil) }
  }

  private func answer(_ segment: Int32) {
    guard var transfer = live[segment] else { return }
    if one(in: 12) { return finish(segment, TransferFailure(.connect, "refused")) }
    let head = head(to: transfer.request)
    let verdict = HeadDecision.decide(transfer.request, head)
    (transfer.head, transfer.verdict, transfer.version) = (head, verdict, version)
    story.append("\(segment): \(head.status) of \(version), \(verdict)")
    guard case .store(let from, let total?) = verdict else {
      live[segment] = transfer
      return finish(segment, nil)
    }
    let end = from > 0 ? transfer.request.upTo ?? total : total
    (transfer.from, transfer.position, transfer.end) = (from, from, end)
    live[segment] = transfer
    if segment > 0 { return events.append(.segmentAccepted(task: 0, segment: segment)) }
    checkKept(transfer.request, from)
    tellStoring()
  }

  private func head(to request: TransferRequest) -> ResponseHead {
    let total = Self.total
    var head = ResponseHead(
      status: 200, contentLength: total, validator: Validator(etag: etag(version)))
    guard case .resume(let from, let validator, _) = request.condition, knowsRanges else {
      return head
    }
    if request.segment > 0, one(in: 10) {
      head.status = 503
      return head
    }
    if validator?.etag != etag(version) {
      if request.insists { head.status = 412 }
      return head
    }
    head.status = 206
    let end = request.upTo ?? total
    head.contentLength = end - from
    head.contentRange = "bytes \(from)-\(end - 1)/\(total)"
    return head
  }

  /// What a request builds on is there, and of its version; the rest is cut off.
  private func checkKept(_ request: TransferRequest, _ from: Int64) {
    let kept = ByteRanges([0..<from] + (from > 0 ? request.kept.ranges : []))
    if part[version, default: ByteRanges()].covers(kept) {
      part = [version: kept]
    } else {
      complaint = "\(part) is not \(kept.ranges) of \(version)"
    }
  }

  private func write(_ range: Range<Int64>, _ version: Int) {
    for (other, there) in part where other != version {
      part[other] = ByteRanges(
        there.ranges.flatMap { old in
          [old.clamped(to: 0..<range.lowerBound), old.clamped(to: range.upperBound..<Self.total)]
        })
    }
    part[version, default: ByteRanges()].insert(range)
  }

  private func tellStoring() {
    guard let first = live[0], let head = first.head, case .store? = first.verdict else { return }
    events.append(.storing(task: 0, head, position: first.position))
  }

  private func finish(_ segment: Int32, _ failure: TransferFailure?) {
    guard let transfer = live.removeValue(forKey: segment) else { return }
    let report = TransferReport(task: 0, transaction: Transaction(url: "u"))
    report.segment = segment
    report.head = transfer.head
    report.verdict = transfer.verdict
    report.failure = failure
    report.bodyBytes = transfer.position - transfer.from
    report.partSize = transfer.position
    events.append(.finished(report, redirect: nil))
    story.append("\(segment): ended at \(transfer.position) \(failure?.detail ?? "")")
  }
}

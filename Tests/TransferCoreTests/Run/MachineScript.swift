import TransferCore

/// Plays events to a run machine and tells its actions in short words, so that a test reads as a
/// script: what happened, then what the machine wanted.
struct MachineScript {
  var machine: RunMachine
  var now = Instant(nanoseconds: 0)
  /// What the machine last asked to be woken for, from the script's start.
  var wakeAfter: Duration?
  var results: [TaskResult] = []
  var fates: [PartFate] = []
  var requests: [TransferRequest] = []
  var commits: [CommitRequest] = []
  /// Bytes of part files that were to be hashed.
  var hashedSizes: [Int64] = []
  var summary: RunSummary?

  init(
    _ tasks: [TaskPlan], settings: RunSettings = RunSettings(), session: SessionPlan? = nil,
    policy: TransferPolicy = TransferPolicy(), deadline: Duration? = nil,
    doneInRun: [String: String] = [:], lists: [ListPlan] = []
  ) {
    let plan = Plan(
      job: JobIdentity(name: "j", file: "/j.yaml", folder: "/", root: "/"), settings: settings,
      sessions: [session ?? SessionPlan(name: "default")], policies: [policy], tasks: tasks,
      lists: lists)
    var options = RunOptions(runID: "r1", startedAt: WallTime(microseconds: 0), seed: 1)
    options.deadline = deadline.map { Instant(nanoseconds: 0) + $0 }
    options.doneInRun = doneInRun
    machine = RunMachine(plan: plan, options: options)
  }

  @discardableResult
  mutating func play(_ event: RunEvent, after: Duration = .zero) -> [String] {
    now = now + after
    return machine.handle(event, now: now, wall: WallTime(microseconds: now.nanoseconds / 1000))
      .compactMap { tell($0) }
  }

  private mutating func tell(_ action: RunAction) -> String? {
    func id(_ task: Int32) -> String { machine.plan.tasks[Int(task)].id }
    switch action {
    case .inspect(let task): return "inspect \(id(task))"
    case .learn(let list, _): return "learn \(list)"
    case .transfer(let request, _):
      requests.append(request)
      return "\(request.method) \(request.shownURL)\(Self.tell(request.condition))"
    case .hashPart(let task, _, let size):
      hashedSizes.append(size)
      return "hash \(id(task))"
    case .bound(let task, let end): return "bound \(id(task)) \(end.map(String.init) ?? "none")"
    case .measure(let task): return "measure \(id(task))"
    case .abort(let task): return "abort \(id(task))"
    case .commit(let request):
      commits.append(request)
      return "commit \(id(request.task))"
    case .hold(let host, _): return "hold \(host)"
    case .record(let end):
      let (result, fate) = (end.result, end.part)
      results.append(result)
      fates.append(fate)
      let why = result.failure.map { " \($0.kind.rawValue)" } ?? ""
      return "\(result.outcome.rawValue) \(id(result.task))\(why)"
    case .wake(let at):
      wakeAfter = at - now
      return nil
    case .finish(let summary):
      self.summary = summary
      return "finish"
    }
  }

  private static func tell(_ condition: RequestCondition) -> String {
    switch condition {
    case .none: ""
    case .refresh: " refresh"
    case .resume(let from, let validator, _):
      " from \(from)\(validator == nil ? " unvalidated" : "")"
    }
  }

  /// Answers an inspection.
  @discardableResult
  mutating func inspect(
    _ task: Int32, _ decision: LocalDecision = .fetch(reason: ""),
    declared: [LocalFacts.DeclaredDigest] = [], body: RequestBody = .none,
    headers: [ResolvedHeaders.Field] = []
  ) -> [String] {
    let urls = machine.plan.tasks[Int(task)].request.shownURLs
    let request = ResolvedRequest(
      addresses: urls.map { .init(url: $0, shownURL: $0) }, headers: ResolvedHeaders(headers),
      body: body, declared: declared)
    return play(.inspected(task: task, .ready(request, decision)))
  }

  /// Ends a request by an answer without a failure.
  @discardableResult
  mutating func answer(
    _ task: Int32, _ status: Int = 200, verdict: HeadVerdict? = nil, size: Int64 = 10,
    body: [UInt8] = [], etag: String? = nil, digest: String? = nil, to location: String? = nil,
    failure: TransferFailure? = nil, sent: Int64 = 0, reprDigest: String? = nil,
    retryAfter: String? = nil
  ) -> [String] {
    var transaction = Transaction(url: "u")
    transaction.status = status
    transaction.responseEnd = WallTime(microseconds: 0)
    let report = TransferReport(task: task, transaction: transaction)
    report.head = ResponseHead(
      status: status, contentLength: size, validator: Validator(etag: etag))
    report.head?.reprDigest = reprDigest
    report.head?.retryAfter = retryAfter
    report.verdict = verdict ?? .store(from: 0, total: size)
    report.bodyBytes = size
    report.partSize = size
    report.body = body
    report.bodyBytesSent = sent
    report.failure = failure
    if let digest { report.digests = [(.sha256, digest)] }
    let target = location.flatMap { url in
      Origin(url: url).map { RedirectTarget(url: url, shownURL: url, origin: $0) }
    }
    return play(.finished(report, redirect: target))
  }

  /// Ends a request by a refusal that asks to be left alone for so long.
  @discardableResult
  mutating func refuse(_ task: Int32, _ status: Int = 503, retryAfter seconds: Int) -> [String] {
    answer(
      task, status, verdict: .fail(TransferFailure(.status, "\(status)", status: status)),
      retryAfter: "\(seconds)")
  }

  /// Ends a request without an answer.
  @discardableResult
  mutating func breakOff(_ task: Int32, _ kind: TransferFailure.Kind) -> [String] {
    let report = TransferReport(task: task, transaction: Transaction(url: "u"))
    report.failure = TransferFailure(kind, "it broke")
    return play(.finished(report, redirect: nil))
  }

  /// Plays the whole life of a download that goes well, from its inspection.
  @discardableResult
  mutating func succeed(_ task: Int32) -> [String] {
    inspect(task)
    answer(task)
    return play(.committed(task: task, nil))
  }
}

func download(_ id: String, _ url: String = "http://a.test/x", after: [Int32] = []) -> TaskPlan {
  var task = TaskPlan(
    id: id, session: 0, policy: 0, work: .download(DownloadPlan(path: "/t/\(id)")),
    request: RequestPlan(method: "GET", url: PlanText(url)))
  task.after = after
  return task
}

func data(_ id: String, method: String = "GET") -> TaskPlan {
  TaskPlan(
    id: id, session: 0, policy: 0, work: .data(DataPlan()),
    request: RequestPlan(method: method, url: PlanText("http://a.test/\(id)")))
}

import TransferCore

/// A promise that was broken, in words.
struct Violation: Error, CustomStringConvertible {
  var description: String
}

/// Looks over the shoulder of one run: what jobrun promises about requests, order, limits and ends.
/// What it finds it keeps; the run goes on to its end, so that a seed tells all.
final class Checker {
  private let plan: Plan
  private let deadline: Instant?
  private(set) var violations: [String] = []
  /// How tasks of this run ended.
  private(set) var outcomes: [Int32: TaskResult] = [:]
  private var hasFinished = false
  /// The host of each request under way, by session.
  private var inFlight: [StreamID: String] = [:]
  /// Tasks whose file comes over several connections now.
  private var split: Set<Int32> = []
  /// Those of them of which a request broke off that had brought little.
  private var broken: Set<Int32> = []
  private var hops: [Int32: Int] = [:]
  private var tries: [Int32: Int] = [:]
  private var nextIsHop: Set<Int32> = []
  /// The next first request of a task is no try of its own: a restart, or progress by resuming.
  private var isFree: Set<Int32> = []
  /// Hosts that asked to be left alone, in this run or in one before.
  private var heldUntil: [String: Instant]
  private var stopped: Instant?

  init(plan: Plan, deadline: Instant?, heldUntil: [String: Instant]) {
    self.plan = plan
    self.deadline = deadline
    self.heldUntil = heldUntil
  }

  func fail(_ words: String) {
    if violations.count < 20 { violations.append(words) }
  }

  func check(_ holds: Bool, _ words: @autoclosure () -> String) {
    if !holds { fail(words()) }
  }

  // MARK: Requests

  func noteStop(at now: Instant) { if stopped == nil { stopped = now } }

  func noteInspection(_ task: Int32, now: Instant) {
    check(stopped.map { $0 >= now } ?? true, "task \(task) starts after the run was stopped")
    check(outcomes[task] == nil, "task \(task) starts after its end")
    for before in plan.tasks[Int(task)].after {
      let outcome = outcomes[before]?.outcome
      check(
        outcome == .done || outcome == .unchanged || outcome == .cached,
        "task \(task) starts before \(before) has succeeded")
    }
  }

  /// - Parameter there: what the part file has.
  func noteRequest(_ request: TransferRequest, now: Instant, there: ByteRanges) {
    let task = request.task
    let host = Self.host(request.url)
    check(outcomes[task] == nil, "task \(task) sends after its end")
    check(inFlight[request.stream] == nil, "the request \(request.words) is under way already")
    check(
      heldUntil[host].map { $0 <= now } ?? true, "\(host) is asked before its Retry-After is over")
    checkRange(request, there)
    inFlight[request.stream] = "\(request.session) \(host)"
    checkLimits(request)
    if request.segment > 0 {
      split.insert(task)
    } else {
      check(streams(of: task) == 1, "task \(task) begins anew with requests under way")
      noteTry(request)
    }
  }

  private func streams(of task: Int32) -> Int { inFlight.keys.count { $0.task == task } }

  /// What is there isn't fetched again.
  private func checkRange(_ request: TransferRequest, _ there: ByteRanges) {
    guard case .resume(let from, let validator, let total) = request.condition else { return }
    let range = from..<max(from, request.upTo ?? total ?? from)
    let kept = validator?.strongETag == nil ? ByteRanges() : request.kept
    check(
      !kept.overlaps(range) && (request.segment == 0 || !there.overlaps(range)),
      "\(request.words) asks for what is there")
  }

  private func checkLimits(_ request: TransferRequest) {
    check(inFlight.count <= plan.settings.maxParallel, "more than max_parallel requests")
    let limit = plan.sessions[request.session].maxConnectionsPerHost
    let lane = inFlight[request.stream]
    check(inFlight.values.count { $0 == lane } <= limit, "more than max_connections_per_host")
    guard case .download(let download) = plan.tasks[Int(request.task)].work else { return }
    let most = if case .fixed(let count) = download.segments { count } else { 4 }
    check(streams(of: request.task) <= most, "more than the segments of task \(request.task)")
  }

  private func noteTry(_ request: TransferRequest) {
    let task = request.task
    if nextIsHop.remove(task) != nil {
      hops[task, default: 0] += 1
      let most = policy(task).redirects.max
      check(hops[task, default: 0] <= most, "task \(task) followed more than \(most) redirects")
      return
    }
    hops[task] = 0
    if isFree.remove(task) == nil { tries[task, default: 0] += 1 }
    if let most = policy(task).retry.attempts {
      check(tries[task, default: 0] <= most, "task \(task) was tried more than \(most) times")
    }
  }

  /// Should it be another file, what follows is no try of its own.
  func noteHashing(_ task: Int32) { isFree.insert(task) }

  /// The machine is about to hear of it.
  func noteHearing(_ report: TransferReport, now: Instant) {
    guard case .fail? = report.verdict, let seconds = report.head?.retryAfter.flatMap(Int64.init)
    else { return }
    let host = Self.host(report.transaction.url)
    heldUntil[host] = max(heldUntil[host] ?? now, now + .seconds(seconds))
  }

  func noteReport(_ report: TransferReport, _ request: TransferRequest) {
    inFlight[request.stream] = nil
    if split.contains(report.task) { return noteSplit(report) }
    let task = report.task
    switch report.verdict {
    case .redirect?: if report.failure == nil { nextIsHop.insert(task) }
    case .keep? where report.failure == nil && isList(request): tries[task] = 0
    case .restart?, .rangeComplete?, .insist?: if report.failure == nil { isFree.insert(task) }
    case .store(let from, _)?:
      if report.failure == nil || (from > 0 && report.bodyBytes >= 1_048_576) {
        isFree.insert(task)
      }
    default: break
    }
  }

  /// A file over several connections is one try, which counts when a request of it broke off and
  /// none has brought much. Another version is none.
  private func noteSplit(_ report: TransferReport) {
    let task = report.task
    switch report.verdict {
    case .restart?: isFree.insert(task)
    case .store? where report.bodyBytes >= 1_048_576: isFree.insert(task)
    case .store?:
      if let failure = report.failure, failure.kind != .cancelled { broken.insert(task) }
    default: break
    }
    if streams(of: task) > 0 { return }
    split.remove(task)
    if broken.remove(task) == nil { isFree.insert(task) }
  }

  /// A list's tries are not those of the file after it.
  private func isList(_ request: TransferRequest) -> Bool {
    guard case .download = plan.tasks[Int(request.task)].work else { return false }
    return request.sink != .part
  }

  private func policy(_ task: Int32) -> TransferPolicy {
    plan.policies[plan.tasks[Int(task)].policy]
  }

  static func host(_ url: String) -> String {
    String(url.dropFirst(7).prefix { $0 != "/" })
  }

  /// Hosts that the next run has to leave alone, should it start before that time is over.
  var heldPastDeadline: [String: Instant] {
    guard let deadline else { return [:] }
    return heldUntil.filter { $0.value > deadline }
  }

  // MARK: Ends

  func noteEnd(_ result: TaskResult) {
    check(outcomes[result.task] == nil, "task \(result.task) ended twice")
    check(!hasFinished, "task \(result.task) ended after the run")
    check(streams(of: result.task) == 0, "task \(result.task) ended with a request under way")
    check(
      result.transactions.allSatisfy { !$0.url.isEmpty },
      "task \(result.task) tells of a request that was none")
    outcomes[result.task] = result
  }

  func noteFinish(_ summary: RunSummary, now: Instant) {
    check(!hasFinished, "the run finished twice")
    hasFinished = true
    if let stopped, summary.signal != nil {
      check(now - stopped <= .seconds(2), "the run goes on for \(now - stopped) after a signal")
    }
    check(outcomes.count == plan.tasks.count, "the run finished before its tasks")
    check(summary.counts.values.reduce(0, +) == plan.tasks.count, "the summary miscounts")
  }
}

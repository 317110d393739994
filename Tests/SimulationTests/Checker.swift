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
  private var inFlight: [Int32: String] = [:]
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

  func noteRequest(_ request: TransferRequest, now: Instant) {
    let task = request.task
    let host = Self.host(request.url)
    let lane = "\(request.session) \(host)"
    check(outcomes[task] == nil, "task \(task) sends after its end")
    check(inFlight[task] == nil, "task \(task) has two requests at once")
    check(
      heldUntil[host].map { $0 <= now } ?? true, "\(host) is asked before its Retry-After is over")
    inFlight[task] = lane
    check(inFlight.count <= plan.settings.maxParallel, "more than max_parallel requests")
    let limit = plan.sessions[request.session].maxConnectionsPerHost
    check(
      inFlight.values.count { $0 == lane } <= limit, "more than max_connections_per_host at \(host)"
    )
    if nextIsHop.remove(task) != nil {
      hops[task, default: 0] += 1
      let most = policy(task).redirects.max
      check(hops[task, default: 0] <= most, "task \(task) followed more than \(most) redirects")
    } else {
      hops[task] = 0
      if isFree.remove(task) == nil { tries[task, default: 0] += 1 }
      if let most = policy(task).retry.attempts {
        check(tries[task, default: 0] <= most, "task \(task) was tried more than \(most) times")
      }
    }
  }

  func noteReport(_ report: TransferReport, _ request: TransferRequest, now: Instant) {
    let task = report.task
    inFlight[task] = nil
    if case .fail? = report.verdict, let seconds = report.head?.retryAfter.flatMap(Int64.init) {
      let host = Self.host(request.url)
      heldUntil[host] = max(heldUntil[host] ?? now, now + .seconds(seconds))
    }
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
    check(inFlight[result.task] == nil, "task \(result.task) ended with a request under way")
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

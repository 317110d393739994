/// What the machine knows of a task between its start and its end. An object, so that a step of its
/// life changes it in place: a value of this size would be copied at each.
final class ActiveTask {
  let task: Int32
  var lane: Int
  /// When its resource timeout began to run.
  let started: Instant
  var deadline: Instant
  /// The task's request, once it was resolved.
  var request: ResolvedRequest?
  /// Where the next request goes: the task's address, or where a redirect led.
  var url = ""
  var shownURL = ""
  var method: String
  var hasLeftOrigin = false
  var hasDroppedBody = false
  var hops = 0
  /// The condition of the next request.
  var condition = RequestCondition.none
  /// The one address that a refresh's condition is laid on: a validator speaks for no other.
  var refreshURL = ""
  /// Tries that count against `retry.attempts`.
  var countedAttempts = 0
  /// A request that is not idempotent may have reached a server.
  var hasActed = false
  /// Answers that made a resume start over, in this try.
  var restarts = 0
  /// A digest differed once already: the next difference is final.
  var hadDigestMismatch = false
  /// What the part file's bytes belong to, once there are any.
  var partial: Partial?
  /// Why the machine ended the request itself.
  var abortReason: TransferFailure?
  /// The report that waits for the part file's digests.
  var pendingReport: TransferReport?
  /// Its bytes are whole and on their way to the target: it can no longer be interrupted.
  var isCommitting = false
  var result: TaskResult

  struct Partial {
    var size: Int64
    var total: Int64?
    var validator: Validator
    var url: String
  }

  init(task: Int32, lane: Int, started: Instant, deadline: Instant, plan: TaskPlan) {
    self.task = task
    self.lane = lane
    self.started = started
    self.deadline = deadline
    method = plan.request.method
    let shown = plan.request.url.shown
    result = TaskResult(task: task, outcome: .failed, originalURL: shown, currentURL: shown)
  }

  /// Headers of the job that go with the next request.
  var headerLines: [String] {
    guard let request else { return [] }
    return request.headers.filter { header in
      if self.hasLeftOrigin, header.scope == .origin { return false }
      return !(self.hasDroppedBody && header.name.hasPrefix("content-"))
    }.map(\.line)
  }

  /// The job's own headers ask for a part or lay a condition.
  var asksPartial: Bool { request?.headers.contains { Self.partial.contains($0.name) } ?? false }

  /// In lower case.
  private static let partial: Set = [
    "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
  ]

  /// Go back to the task's own address, for a new try.
  func rewind() {
    guard let request else { return }
    url = request.url
    shownURL = request.shownURL
    hasLeftOrigin = false
    hasDroppedBody = false
    hops = 0
  }
}

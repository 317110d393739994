/// What the machine knows of a task between its start and its end. An object, so that a step of its
/// life changes it in place: a value of this size would be copied at each.
final class ActiveTask {
  let task: Int32
  var lane: Int
  /// When its resource timeout began to run.
  let started: Instant
  var deadline: Instant
  /// The task's request, once it was resolved; while `list` is set, the list's.
  var request: ResolvedRequest?
  /// The checksum list that the task is fetching: its own request comes after it.
  var list: Int32?
  /// Where the next request goes: the task's address, or where a redirect led.
  var url = ""
  var shownURL = ""
  var method: String
  /// Which of the task's addresses is asked.
  var mirror = 0
  /// Addresses that have failed since the last wait.
  var failedMirrors = 0
  /// The last failure among theirs that may pass, and whose it is.
  var passingFailure: (TransferFailure, url: String)?
  var hasLeftOrigin = false
  var hasDroppedBody = false
  var hops = 0
  /// The condition of the next request.
  var condition = RequestCondition.none
  /// The validator of the file that is here, and the address that it speaks for.
  var known: (validator: Validator, url: String)?
  /// The condition of the request that is under way.
  var asked = RequestCondition.none
  /// The next resume says If-Match.
  var insists = false
  /// The server refused Expect: 100-continue.
  var omitsExpect = false
  /// The credential that goes with requests to the present address, and those that went there.
  var grant: CredentialGrant?
  var triedGrants: [CredentialGrant] = []
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
  /// Ranges of its file that are being fetched at one time; nil when it is one request alone.
  var segments: SegmentedFile?
  /// No more than one connection fetches its file from here on.
  var staysWhole = false
  /// Since when the request under way has been taking its body.
  var storingSince: Instant?
  /// Where the resume under way ends, and what is there beyond.
  var askedUpTo: Int64?
  var askedKept = ByteRanges()
  /// Why the machine ended the request itself.
  var abortReason: TransferFailure?
  /// The report that waits for the part file's digests.
  var pendingReport: TransferReport?
  /// Its bytes are whole and on their way to the target: it can no longer be interrupted.
  var isCommitting = false
  var result: TaskResult

  struct Partial {
    /// From the file's start.
    var size: Int64
    /// What is there after the first gap, of a file that came in segments.
    var beyond = ByteRanges()
    var total: Int64?
    var validator: Validator
    var url: String
  }

  init(task: Int32, lane: Int, started: Instant, deadline: Instant, request: RequestPlan) {
    self.task = task
    self.lane = lane
    self.started = started
    self.deadline = deadline
    method = request.method
    let shown = request.url.shown
    result = TaskResult(task: task, outcome: .failed, originalURL: shown, currentURL: shown)
  }

  /// The next try asks the next address.
  func turnToNextMirror() {
    if let count = request?.addresses.count { mirror = (mirror + 1) % count }
  }

  /// Headers of the job that go with the next request.
  var headerLines: [String] {
    guard let headers = request?.headers else { return [] }
    if !hasLeftOrigin, !hasDroppedBody, !omitsExpect { return headers.lines }
    // Libcurl adds its own Expect to large bodies, unless it is told not to.
    let unexpecting = omitsExpect ? ["Expect:"] : []
    return headers.fields.filter { header in
      if self.omitsExpect, header.name == "expect" { return false }
      if self.hasLeftOrigin, header.scope == .origin { return false }
      return !(self.hasDroppedBody && header.name.hasPrefix("content-"))
    }.map(\.line) + unexpecting
  }

  /// The job's own headers ask for a part or lay a condition.
  var asksPartial: Bool { request?.headers.asksPartial ?? false }

  /// The address that its redirects began at.
  var documentURL: String? { request.map { $0.addresses[mirror].url } }

  /// Go back to the task's own address, for a new try.
  func rewind() {
    guard let request else { return }
    url = request.addresses[mirror].url
    shownURL = request.addresses[mirror].shownURL
    result.currentURL = shownURL
    hasLeftOrigin = false
    hasDroppedBody = false
    hops = 0
    forgetGrants()
  }
}

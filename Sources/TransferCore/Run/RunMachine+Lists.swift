/// Checksum lists from addresses. The first task that needs one fetches it, in its own name and by
/// its own policy, before it is looked at; the others wait without holding a place.
extension RunMachine {
  struct ListProgress {
    enum Outcome {
      case here
      /// For the whole run; `mayPass`: another run may do better.
      case failed(TransferFailure, mayPass: Bool)
    }

    var outcome: Outcome?
    /// The task that fetches it.
    var fetcher: Int32?
    var waiting: [Int32] = []
    /// Those of `waiting` that became the fetcher, each because the one before had ended.
    var called = 0
  }

  /// The first of a task's lists that isn't here.
  private func missingList(_ task: Int32) -> Int? {
    guard !lists.isEmpty, case .download(let download) = plan.tasks[Int(task)].work else {
      return nil
    }
    let missing = download.lists.first { list in
      if case .here? = lists[Int(list)].outcome { false } else { true }
    }
    return missing.map(Int.init)
  }

  /// Whether another task fetches a list that this one can't do without: then it is called when the
  /// list's fate is known.
  mutating func waitsForList(_ task: Int32) -> Bool {
    guard !lists.isEmpty, active[task]?.request == nil, let list = missingList(task),
      let fetcher = lists[list].fetcher, fetcher != task
    else { return false }
    lists[list].waiting.append(task)
    phases[Int(task)] = active[task] == nil ? .blocked : .waiting
    return true
  }

  /// A task that may go on: with its next request, or with a look at what it has and needs.
  mutating func goOn(_ task: Int32, _ now: Instant, _ actions: inout [RunAction]) {
    if active[task]?.request != nil { return send(task, &actions) }
    if let list = missingList(task) {
      if case .failed(let failure, let mayPass)? = lists[list].outcome {
        return end(task, failedBy: failure, mayPass: mayPass, now, &actions)
      }
      lists[list].fetcher = task
    }
    actions.append(.inspect(task: task))
  }

  /// Turns a task to its list, under the limits of the list's host.
  mutating func ask(
    _ task: Int32, for list: Int32, _ request: Result<ResolvedRequest, TransferFailure>,
    _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard let current = active[task] else { return }
    current.list = list
    switch request {
    case .success(let request):
      current.request = request
      current.mirror = request.first
      current.rewind()
      requeue(task, now)
    // What ails one of the secrets in its address does so for all who need it.
    case .failure(let failure) where failure.kind == .secret:
      failList(list, by: task, failure, told: failure, now, &actions)
    case .failure(let failure): fail(task, failure, now, &actions)
    }
  }

  /// What is asked of a list's answer has nothing to do with the task's file.
  func askForList(_ request: TransferRequest, _ download: DownloadPlan) {
    request.sink = .memory(limit: ListPlan.bound)
    request.maxBytes = ListPlan.bound
    request.decodes = true
    request.expect = Expectation()
    request.allowsUnframed = download.allowsUnframed
  }

  /// The list is here: the task begins anew with it, and those that wait begin.
  mutating func learn(
    _ list: Int32, by task: Int32, _ body: [UInt8], _ now: Instant, _ actions: inout [RunAction]
  ) {
    actions.append(.learn(list: list, body))
    active[task]?.turnFromList()
    requeue(task, now)
    settle(list, .here, now)
  }

  /// The list can't be had in this run.
  /// - Parameter told: what is said of it to all who need it; nil is the failure, told of a list.
  mutating func failList(
    _ list: Int32, by task: Int32, _ failure: TransferFailure, told: TransferFailure? = nil,
    _ now: Instant, _ actions: inout [RunAction]
  ) {
    let policy = plan.policies[plan.tasks[Int(task)].policy].retry
    let mayPass = RetryDecision.isTransient(failure, policy)
    let told = told ?? failure.ofList(plan.lists[Int(list)].url.shown)
    active[task]?.turnFromList()
    settle(list, .failed(told, mayPass: mayPass), now)
    end(task, failedBy: told, mayPass: mayPass, now, &actions)
  }

  private mutating func end(
    _ task: Int32, failedBy failure: TransferFailure, mayPass: Bool, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    active[task]?.result.failure = failure
    active[task]?.result.isRetryable = mayPass
    active[task]?.result.isExcused = plan.tasks[Int(task)].optional.excuses(failure)
    end(task, .failed, reason: nil, now, &actions)
  }

  /// A task has ended: what it was fetching is left to the next that needs it.
  mutating func abandonLists(_ task: Int32, _ now: Instant) {
    guard !lists.isEmpty, case .download(let download) = plan.tasks[Int(task)].work else { return }
    for list in download.lists.map(Int.init) where lists[list].fetcher == task {
      lists[list].fetcher = nil
      while lists[list].fetcher == nil, lists[list].called < lists[list].waiting.count {
        let next = lists[list].waiting[lists[list].called]
        lists[list].called += 1
        if isParked(next) {
          lists[list].fetcher = next
          enqueue(next, now)
        }
      }
    }
  }

  private mutating func settle(_ list: Int32, _ outcome: ListProgress.Outcome, _ now: Instant) {
    let progress = lists[Int(list)]
    lists[Int(list)] = ListProgress(outcome: outcome)
    for task in progress.waiting.dropFirst(progress.called) where isParked(task) {
      enqueue(task, now)
    }
  }

  /// Whether a task that waits for a list hasn't ended meanwhile.
  private func isParked(_ task: Int32) -> Bool {
    phases[Int(task)] == .blocked || phases[Int(task)] == .waiting
  }
}

extension ActiveTask {
  /// Its list is done with; nothing of the list's request holds for the task's own.
  func turnFromList() {
    list = nil
    request = nil
    (url, shownURL) = ("", "")
    (hops, restarts, countedAttempts, failedMirrors) = (0, 0, 0, 0)
    hasLeftOrigin = false
    hasDroppedBody = false
    hadDigestMismatch = false
    forgetGrants()
    result.redirects = []
    result.currentURL = result.originalURL
  }
}

extension DownloadPlan {
  /// Those of its checksum lists that come from addresses.
  package var lists: some Sequence<Int32> {
    checksums.lazy.compactMap { checksum -> Int32? in
      if case .list(let list, _) = checksum { list } else { nil }
    }
  }
}

extension TransferFailure {
  /// It tells of the list that was being fetched, and not of the task or the run.
  var speaksOfList: Bool {
    switch kind {
    case .deadline, .cancelled, .dependency, .stopped, .secret, .disk: false
    default: true
    }
  }

  /// The same, told of a list. A status of the list's is none of the file's.
  fileprivate func ofList(_ url: String) -> TransferFailure {
    let words =
      kind == .tooLarge
      ? "the checksum list \(url) is larger than \(ListPlan.bound >> 20) MiB: is it the right file?"
      : "the checksum list \(url) can't be had: \(detail)"
    return TransferFailure(.checksumList, words, curlCode: curlCode)
  }
}

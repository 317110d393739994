/// Failed tries, waiting between them, and time running out.
extension RunMachine {
  mutating func failTry(
    _ task: Int32, _ failure: TransferFailure, _ report: TransferReport, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    guard let current = active[task] else { return }
    if turnToMirror(task, failure, report, now) { return }
    let (failure, url) = worst(task, failure)
    // A resumed try that moved much is progress, not a failure in a row.
    let moved = report.bodyBytes >= 1_048_576 && current.result.bytesResumed > 0
    if !moved { current.countedAttempts += 1 }
    current.result.attempts += 1
    let policy = plan.policies[plan.tasks[Int(task)].policy].retry
    let decision = RetryDecision.decide(
      failure, method: plan.tasks[Int(task)].request.method, hasActed: current.hasActed,
      attempts: max(current.countedAttempts, 1), policy: policy, chance: chance.next())
    guard case .retry(let delay) = decision, stop == nil else {
      active[task]?.result.attempts -= 1
      fail(task, failure, now, &actions)
      return
    }
    let isLast = failure.retryAfter != nil && isTooLate(now + delay, task)
    active[task]?.result.attemptLog.append(
      .init(failure: failure, status: report.head?.status, delay: isLast ? nil : delay))
    if isLast, let pause = failure.retryAfter {
      active[task]?.result.attempts -= 1
      return hold(task, failure, Self.authority(url), for: pause, now, &actions)
    }
    release(task)
    prepareRetry(task)
    retries.insert(Wakeup(at: now + delay, task: task))
  }

  /// Whether neither the run nor the task has the time for a try then.
  private func isTooLate(_ due: Instant, _ task: Int32) -> Bool {
    isPastRun(due) || active[task].map { due > $0.deadline } ?? false
  }

  /// A retry resumes where the bytes so far can be proven to belong to the rest.
  mutating func prepareRetry(_ task: Int32) {
    guard let current = active[task] else { return }
    let wasRefresh = if case .refresh = current.condition { true } else { false }
    current.rewind()
    current.insists = false
    current.method = plan.tasks[Int(task)].request.method
    current.restarts = 0
    current.result.redirects = []
    if let partial = current.partial, partial.size > 0 {
      let strong = partial.validator.strongETag != nil || partial.validator.hasStrongDate
      let checked = !(current.request?.declared.isEmpty ?? true)
      current.condition =
        strong || checked
        ? .resume(
          from: partial.size, validator: strong ? partial.validator : nil, total: partial.total)
        : .none
      current.result.bytesResumed = strong || checked ? partial.size + partial.beyond.count : 0
    } else if !wasRefresh {
      current.condition = .none
    }
  }

  mutating func woke(_ now: Instant, _ actions: inout [RunAction]) {
    while let due = retries.first, due.at <= now {
      _ = retries.removeFirst()
      if active[due.task] != nil, phases[Int(due.task)] == .waiting { enqueue(due.task, now) }
    }
    while let due = looks.first, due.at <= now {
      _ = looks.removeFirst()
      if active[due.task] != nil, phases[Int(due.task)] == .active {
        actions.append(.measure(task: due.task))
      }
    }
    guard now >= earliestDeadline else { return }
    for task in active.values.filter({ $0.deadline <= now }).map(\.task).sorted() {
      expire(task, now, &actions)
    }
    earliestDeadline = active.values.lazy.map(\.deadline).min() ?? Instant(nanoseconds: .max)
  }

  /// The task's resource timeout has run out.
  private mutating func expire(_ task: Int32, _ now: Instant, _ actions: inout [RunAction]) {
    let limit = plan.policies[plan.tasks[Int(task)].policy].timeoutForResource
    let failure = TransferFailure(
      .deadline, "not finished within \(DurationWords.text(limit)) (timeout_for_resource)")
    interrupt(task, failure, now, &actions)
  }

  /// Ends an active task early: its request is taken off first, where one is under way.
  private mutating func interrupt(
    _ task: Int32, _ reason: TransferFailure, _ now: Instant, _ actions: inout [RunAction]
  ) {
    active[task]?.deadline = Instant(nanoseconds: .max)
    switch phases[Int(task)] {
    case .active where active[task]?.isCommitting == true: break
    case .active:
      active[task]?.abortReason = reason
      actions.append(.abort(task: task))
    case .ready, .waiting: giveUp(task, reason, now, &actions)
    case .blocked, .ended: break
    }
  }

  /// What the task had under way is ended, as it was asked.
  mutating func aborted(_ task: Int32, _ now: Instant, _ actions: inout [RunAction]) {
    // The reports of several requests are on their way, and the last of them counts.
    if active[task]?.segments?.streams.isEmpty == false { return }
    guard let reason = active[task]?.abortReason else { return }
    active[task]?.abortReason = nil
    giveUp(task, reason, now, &actions)
  }

  private mutating func giveUp(
    _ task: Int32, _ reason: TransferFailure, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard let stop, stop.defers else {
      fail(task, reason, now, &actions)
      return
    }
    end(task, .deferred, reason: reason.detail, now, &actions)
  }

  /// No new task starts from here on.
  mutating func halt(_ reason: Stop, _ now: Instant, _ actions: inout [RunAction]) {
    // Only a graver reason than the one that is there: the deadline interrupts what may finish
    // after too many errors, and a signal says how the run ended.
    guard reason.gravity > stop?.gravity ?? 0 else { return }
    stop = reason
    if case .signal(let signal) = reason { summary.signal = signal }
    summary.stopReason = reason.words
    if reason.interrupts {
      let failure = TransferFailure(.stopped, reason.words)
      for task in active.keys.sorted() { interrupt(task, failure, now, &actions) }
    }
    for task in queue.drain() where active[task] == nil {
      endUnstarted(task, reason, now, &actions)
    }
    // What waits between tries, or behind others, will not start any more.
    for task in plan.tasks.indices where phases[task] == .blocked || phases[task] == .ready {
      if active[Int32(task)] == nil { endUnstarted(Int32(task), reason, now, &actions) }
    }
    settleWaiting(reason, now, &actions)
  }

  /// Tasks between two tries, when a stop lets running ones finish.
  private mutating func settleWaiting(
    _ reason: Stop, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard !reason.interrupts else { return }
    for task in active.keys.sorted() where phases[Int(task)] != .active {
      fail(task, TransferFailure(.stopped, reason.words), now, &actions)
    }
  }

  private mutating func endUnstarted(
    _ task: Int32, _ reason: Stop, _ now: Instant, _ actions: inout [RunAction]
  ) {
    guard phases[Int(task)] != .ended else { return }
    let planned = plan.tasks[Int(task)]
    active[task] = ActiveTask(
      task: task, lane: 0, started: now, deadline: now, request: planned.request)
    phases[Int(task)] = .waiting
    if reason.defers {
      end(task, .deferred, reason: reason.words, now, &actions)
    } else {
      active[task]?.result.failure = TransferFailure(.stopped, reason.words)
      end(task, .skipped, reason: reason.words, now, &actions)
    }
  }
}

extension RunMachine.Stop {
  var gravity: Int {
    switch self {
    case .errors: 1
    case .deadline: 2
    case .signal: 3
    }
  }
  /// Unfinished tasks are to be done by the next run.
  var defers: Bool { if case .errors = self { false } else { true } }
  /// Running transfers are ended too.
  var interrupts: Bool { defers }
  var words: String {
    switch self {
    case .signal(let number): "interrupted by signal \(number)"
    case .deadline: "the run's deadline has passed"
    case .errors(let words): words
    }
  }
}

/// A duration for messages.
package enum DurationWords {
  /// `1.5 s`, `2 min`, `7 d`: the largest unit that stays exact, else seconds.
  package static func text(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    for (unit, name) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")] {
      let size = Int64(unit)
      if milliseconds >= size, milliseconds % size == 0 { return "\(milliseconds / size) \(name)" }
    }
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}

/// Hosts that ask to be left alone (RFC 9110, section 10.2.3): whoever hears it, nothing is sent to
/// them before.
extension RunMachine {
  /// The host asks it of everybody, whatever becomes of the task that asked. A lane that is held
  /// past the run's end would hold its tasks until then: these are deferred at once.
  mutating func heed(_ report: TransferReport, _ now: Instant, _ actions: inout [RunAction]) {
    guard let current = active[report.task], let pause = report.pause else { return }
    if isPastRun(now + pause) {
      let host = Self.authority(current.url)
      let until = max(notBefore[host] ?? wall, wall.after(pause))
      notBefore[host] = until
      actions.append(.hold(host: host, until: until))
    } else {
      queue.hold(current.lane, until: now + pause)
      let host = Self.authority(current.url)
      heard[host] = max(heard[host] ?? wall, wall.after(pause))
    }
  }

  /// The run is being ended: the next one minds what hosts have asked of this one.
  mutating func passHoldsOn(_ actions: inout [RunAction]) {
    for (host, until) in heard.sorted(by: { $0.key < $1.key }) where until > wall {
      actions.append(.hold(host: host, until: until))
    }
    heard = [:]
  }

  func isPastRun(_ moment: Instant) -> Bool { options.deadline.map { moment > $0 } ?? false }

  /// Until when the task's host wants to be left alone, when that is longer than this run may wait.
  func notBefore(_ task: Int32) -> (host: String, until: WallTime)? {
    if notBefore.isEmpty { return nil }
    let url = active[task]?.url ?? ""
    let host = Self.authority(url.isEmpty ? plan.tasks[Int(task)].request.url.shown : url)
    guard let until = notBefore[host], until > wall else { return nil }
    return (host, until)
  }

  /// Whether the task's host wants to be left alone for longer than this run may wait: then the
  /// task has been deferred, and nothing is sent.
  mutating func isHeld(_ task: Int32, _ now: Instant, _ actions: inout [RunAction]) -> Bool {
    guard let (host, until) = notBefore(task) else { return false }
    end(task, .deferred, reason: HoldWords.text(host, until), now, &actions)
    return true
  }

  /// The task can't wait for as long as its host asks: a later run does, also one that starts
  /// before that time is over.
  mutating func hold(
    _ task: Int32, _ failure: TransferFailure, _ host: String, for pause: Duration, _ now: Instant,
    _ actions: inout [RunAction]
  ) {
    let until = wall.after(pause)
    if !isPastRun(now + pause) { actions.append(.hold(host: host, until: until)) }
    active[task]?.result.failure = failure
    end(task, .deferred, reason: HoldWords.text(host, until), now, &actions)
  }
}

extension TransferReport {
  /// What an answer that was not accepted asks us to wait.
  var pause: Duration? {
    guard case .fail? = verdict, let text = head?.retryAfter else { return nil }
    return RetryAfter.parse(text, now: answeredAtSecond)
  }

  /// When the answer came, in seconds since 1970.
  private var answeredAtSecond: Int64 { (transaction.responseEnd?.microseconds ?? 0) / 1_000_000 }
}

extension WallTime {
  fileprivate func after(_ pause: Duration) -> WallTime {
    WallTime(microseconds: microseconds + pause.nanoseconds / 1_000)
  }
}

/// What is told of a host that wants to be left alone.
package enum HoldWords {
  package static func text(_ host: String, _ until: WallTime) -> String {
    "\(host) asks to wait (Retry-After): not before \(until.rfc3339.prefix(19))Z"
  }
}

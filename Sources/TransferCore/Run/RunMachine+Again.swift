/// Requests that are made once more at once, in another way.
extension RunMachine {
  /// The part file's bytes are of no use: the next request asks for the whole file.
  func startOver(_ task: Int32) {
    guard let current = active[task] else { return }
    current.condition = .none
    current.known = nil
    current.insists = false
    current.partial = nil
    current.result.bytesResumed = 0
  }

  /// An origin that has shown that it ignores ranges isn't asked for one again in this run.
  func forgoRange(_ task: Int32) {
    guard let current = active[task], case .resume = current.condition,
      ranges[Self.authority(current.url)] == .ignores
    else { return }
    startOver(task)
  }

  /// The condition that the next request may lay: what is known of one address says nothing of
  /// another that a redirect leads to.
  func hopCondition(_ current: ActiveTask) -> RequestCondition {
    switch current.condition {
    case .none:
      guard let known = current.known, known.url == current.shownURL, current.partial == nil
      else { return .none }
      return .refresh(known.validator)
    case .refresh: return current.known?.url == current.shownURL ? current.condition : .none
    case .resume(_, let validator, let total):
      if validator == nil || current.partial?.url == current.shownURL { return current.condition }
      return validator?.strongETag != nil && total != nil ? current.condition : .none
    }
  }

  /// 200 to If-Range though the file is the same: one request more, with If-Match.
  mutating func insist(_ task: Int32, _ report: TransferReport, _ now: Instant) {
    active[task]?.insists = true
    let failure = TransferFailure(
      .range,
      "\(report.transaction.url): the whole file came, though it is the same; If-Match is "
        + "tried", status: report.head?.status)
    again(task, failure, now)
  }

  /// 417 to our own Expect: the same request without it (RFC 9110, section 10.1.1).
  mutating func repeatUnexpecting(_ task: Int32, _ failure: TransferFailure, _ now: Instant) {
    active[task]?.omitsExpect = true
    again(task, failure, now)
  }

  private mutating func again(_ task: Int32, _ failure: TransferFailure, _ now: Instant) {
    active[task]?.result.attemptLog.append(
      .init(failure: failure, status: failure.status, delay: .zero))
    requeue(task, now)
  }
}

/// Several addresses of one file: when one fails the next is asked at once. A try has failed when
/// all of them have.
extension RunMachine {
  /// Goes on with the file's next address, when there is one that this try hasn't asked.
  mutating func turnToMirror(
    _ task: Int32, _ failure: TransferFailure, _ report: TransferReport, _ now: Instant
  ) -> Bool {
    guard let current = active[task], let count = current.request?.addresses.count, count > 1,
      stop == nil, failure.isOfItsSource
    else { return false }
    current.failedMirrors += 1
    let policy = plan.policies[plan.tasks[Int(task)].policy].retry
    if RetryDecision.isTransient(failure, policy) {
      current.passingFailure = (failure, current.url)
    }
    current.turnToNextMirror()
    guard current.failedMirrors < count else { return false }
    current.result.attempts += 1
    current.result.attemptLog.append(
      .init(failure: failure, status: report.head?.status, delay: .zero))
    release(task)
    prepareRetry(task)
    enqueue(task, now)
    return true
  }

  /// What a try of all addresses failed with, and at which: of several failures, one that may pass.
  func worst(_ task: Int32, _ failure: TransferFailure) -> (TransferFailure, url: String) {
    guard let current = active[task] else { return (failure, "") }
    defer { (current.failedMirrors, current.passingFailure) = (0, nil) }
    return current.passingFailure ?? (failure, current.url)
  }
}

extension TransferFailure {
  /// Another source of the same file may do better.
  var isOfItsSource: Bool {
    switch kind {
    case .dns, .connect, .tls, .timeout, .truncated, .redirectLimit, .redirectRefused, .auth,
      .digestMismatch, .range, .status, .unexpectedContent, .protocol, .unsupportedScheme:
      true
    case .cacheMiss, .tooLarge, .disk, .localFile, .collision, .checksumList, .unconfirmed, .secret,
      .deadline, .cancelled, .dependency, .stopped:
      false
    }
  }
}

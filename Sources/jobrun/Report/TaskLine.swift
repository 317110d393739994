import TransferCore

/// The line that tells how a task ended: outcome, id, and which file, how much of it and how fast,
/// or why not.
struct TaskLine {
  var plan: Plan
  var style: Style

  func text(_ result: TaskResult) -> String {
    let id = Prose.printable(plan.tasks[Int(result.task)].id)
    let outcome = result.outcome.rawValue.padded(to: 10)
    return "\(style.paint(outcome, mark(result))) \(id)  \(Prose.printable(words(result)))"
  }

  /// What stands after the id.
  func words(_ result: TaskResult) -> String {
    switch result.outcome {
    case .failed, .cancelled:
      if let failure = result.failure { return self.failure(failure, result) }
    case .skipped, .deferred: return waiting(result)
    case .done, .unchanged, .cached: break
    }
    let facts = self.facts(result)
    let place = result.path ?? plan.tasks[Int(result.task)].path
    let what = place.map(plan.job.shown) ?? result.currentURL
    return facts.isEmpty ? what : "\(what) (\(facts.joined(separator: ", ")))"
  }

  private func facts(_ result: TaskResult) -> [String] {
    var facts: [String] = []
    if let reason = result.reason { facts.append(reason) }
    // Files have no status.
    if result.path == nil, result.outcome == .done, let status = result.status, status > 0 {
      facts.append(StatusPhrase.text(status))
    }
    if result.bytesSent > 0 { facts.append("\(HumanText.size(result.bytesSent)) sent") }
    if result.bytesReceived > 0 { facts.append(HumanText.size(result.bytesReceived)) }
    if let speed = speed(result) { facts.append(speed) }
    if result.bytesResumed > 0 {
      facts.append("\(HumanText.size(result.bytesResumed)) were here already")
    }
    return facts
  }

  /// Of transfers that are long enough for it to mean something: 1 MiB.
  private func speed(_ result: TaskResult) -> String? {
    let bytes = max(result.bytesReceived, result.bytesSent)
    guard bytes >= 1_048_576, let last = result.transactions.last, let start = last.fetchStart,
      let end = last.responseEnd
    else { return nil }
    return HumanText.speed(bytes, in: .microseconds(end.microseconds - start.microseconds))
  }

  /// Why it wasn't done this time; the task or stop that is to blame has told the way out.
  private func waiting(_ result: TaskResult) -> String {
    guard let reason = result.reason ?? result.failure?.detail else { return result.currentURL }
    let cause = result.failure?.detail ?? reason
    return cause == reason ? reason : "\(reason): \(cause)"
  }

  /// What happened, where, its code, and the way out.
  private func failure(_ failure: TransferFailure, _ result: TaskResult) -> String {
    var text = failure.detail
    if result.attempts > 1 { text += ", after \(result.attempts) tries" }
    let isAboutAddress = failure.kind.isAboutAddress && !text.contains(result.currentURL)
    if isAboutAddress { text += ": \(result.currentURL)" }
    text += " [\(failure.kind.rawValue)]"
    if result.isExcused { return text + "; optional, not counted" }
    // Words that name their own way out have it after a semicolon.
    return failure.detail.contains("; ") ? text : text + "; \(failure.kind.wayOut)"
  }

  private func mark(_ result: TaskResult) -> Style.Mark {
    switch result.outcome {
    case .done: .good
    case .unchanged, .cached: .faint
    case .failed, .cancelled: result.isExcused ? .attention : .bad
    case .skipped, .deferred: .attention
    }
  }
}

extension TransferFailure.Kind {
  /// The address belongs to the message.
  fileprivate var isAboutAddress: Bool {
    switch self {
    case .disk, .localFile, .collision, .secret, .cancelled, .dependency, .stopped: false
    default: true
    }
  }
}

import TransferCore

/// The line that tells how a task ended: outcome, id, and which file, how much of it and how fast,
/// or why not. A failure has its address and its way out on lines of their own.
struct TaskLine {
  var plan: Plan
  var style: Style

  /// Where the lines after the first begin: under the id.
  private static let indent = String(repeating: " ", count: 11)
  private static let width = 80

  func text(_ result: TaskResult) -> String {
    let id = Prose.printable(plan.tasks[Int(result.task)].id)
    let outcome = result.outcome.rawValue.padded(to: 10)
    let head = "\(style.paint(outcome, mark(result))) \(id)  "
    guard result.outcome == .failed || result.outcome == .cancelled, let failure = result.failure
    else { return head + Prose.printable(words(result)) }
    return head + Self.lines(of: self.failure(failure, result), afterID: id)
  }

  /// The parts wrapped, each from a line of its own on; the first begins after the id.
  private static func lines(of parts: [String], afterID id: String) -> String {
    let width = Self.width - indent.count
    // A word that takes the id's room on the first line.
    let room = String(repeating: "_", count: min(id.count + 1, width))
    var lines = Prose.wrap("\(room) \(Prose.printable(parts[0]))", width: width)
    lines[0] = String(lines[0].dropFirst(room.count + 1))
    for part in parts.dropFirst() { lines += Prose.wrap(Prose.printable(part), width: width) }
    return lines.joined(separator: "\n" + indent)
  }

  /// What stands after the id of a task that didn't fail.
  private func words(_ result: TaskResult) -> String {
    switch result.outcome {
    case .skipped, .deferred: return waiting(result)
    case .done, .unchanged, .cached, .failed, .cancelled: break
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

  /// What happened and its code; where; the way out.
  private func failure(_ failure: TransferFailure, _ result: TaskResult) -> [String] {
    let tries = result.attempts > 1 ? ", after \(result.attempts) tries" : ""
    var parts = ["\(failure.detail)\(tries) [\(failure.kind.rawValue)]"]
    if failure.kind.isAboutAddress, !failure.detail.contains(result.currentURL) {
      parts.append(result.currentURL)
    }
    if result.isExcused { return parts + ["optional, not counted"] }
    // Words that name their own way out have it after a semicolon.
    return failure.detail.contains("; ")
      ? parts : parts + [failure.kind.wayOut(status: failure.status)]
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

import TransferCore

/// The one line at the end of a run.
enum SummaryLine {
  static func text(_ summary: RunSummary, job: String) -> String {
    let counts = Outcome.allCases.compactMap { outcome -> String? in
      let count = summary.count(outcome)
      guard count > 0 else { return nil }
      let excused = outcome == .failed && summary.excused > 0
      return "\(count) \(outcome.rawValue)" + (excused ? " (\(summary.excused) optional)" : "")
    }
    let time = Duration.microseconds(
      max(0, summary.ended.microseconds - summary.started.microseconds))
    var text = "\(job): \(counts.isEmpty ? "no tasks" : counts.joined(separator: ", "))"
    text += " in \(HumanText.duration(time))"
    if summary.bytesReceived > 0 {
      text += ", \(HumanText.size(summary.bytesReceived)) received"
      if summary.bytesReceived >= 1_048_576,
        let speed = HumanText.speed(summary.bytesReceived, in: time)
      {
        text += " (\(speed))"
      }
    }
    if summary.bytesSent > 0 { text += ", \(HumanText.size(summary.bytesSent)) sent" }
    return text + ending(summary)
  }

  /// Why it stopped, and what to do.
  private static func ending(_ summary: RunSummary) -> String {
    var text = summary.stopReason.map { "; \($0)" } ?? ""
    switch ExitCode(summary) {
    case .signal, .deferred: text += "; run again to go on"
    case .machine:
      if let failure = summary.machineFailure {
        text += "; \(failure.detail): \(failure.kind.wayOut)"
      }
    default: break
    }
    return text
  }
}

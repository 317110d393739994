import TransferCore

/// Tells on standard error how a run gets on: lines, a bar, or JSON, as asked for.
final class RunReporter {
  enum Mode: String { case bar, plain, json, none }

  struct Settings {
    var mode: Mode
    /// Errors alone.
    var isQuiet: Bool
    /// 0 to 2.
    var verbosity: Int
    var style: Style
  }

  private let plan: Plan
  private let run: RunRecord
  private let settings: Settings
  private let errors: OutputStream
  private let line: TaskLine
  private var bar = ProgressBar()
  private var isBarShown = false
  private var lastShown: Instant?

  init(plan: Plan, run: RunRecord, settings: Settings, errors: OutputStream) {
    self.plan = plan
    self.run = run
    self.settings = settings
    self.errors = errors
    line = TaskLine(plan: plan, style: settings.style)
  }

  /// How long a snapshot is good for: five bars a second, one JSON line a second; nil wants none.
  var interval: Duration? {
    if settings.isQuiet { return nil }
    return switch settings.mode {
    case .bar: .milliseconds(200)
    case .json: .seconds(1)
    case .plain, .none: nil
    }
  }

  /// A run has begun.
  func started(_ start: RunStart, at time: WallTime) {
    guard settings.mode == .json else { return }
    writeJSON { RecordEncoding.runStarted(start, of: run, at: time, to: &$0) }
  }

  /// A task has ended.
  func ended(_ result: TaskResult, at time: WallTime) {
    if settings.mode == .json {
      writeJSON { RecordEncoding.taskFinished(result, in: plan, of: run, at: time, to: &$0) }
    } else if isTold(result) {
      let head = settings.isQuiet ? "\(run.job): " : ""
      let detail = settings.verbosity > 0 ? TaskDetail.lines(result) : []
      write([head + line.text(result)] + detail)
    }
  }

  /// Shows a snapshot, unless the last one is still good.
  func progress(_ snapshot: ProgressSnapshot) {
    guard let interval else { return }
    if let lastShown, snapshot.now - lastShown < interval { return }
    lastShown = snapshot.now
    if settings.mode == .json {
      return writeJSON { ProgressJSON.write(snapshot, plan: plan, run: run, to: &$0) }
    }
    let width = Terminal(descriptor: errors.descriptor).width
    errors.write("\r" + bar.line(snapshot, plan: plan, width: width) + "\u{1B}[K")
    errors.flush()
    isBarShown = true
  }

  /// Something about the run that the operator must know: a warning, a line of the trace.
  func notice(_ text: String) {
    if settings.mode != .json { write([Prose.printable(text)]) }
  }

  /// The run has ended: the screen is left clean.
  func finished(_ summary: RunSummary, at time: WallTime) {
    clearBar()
    let code = ExitCode(summary)
    if settings.mode == .json {
      let end = RunEnd(summary: summary, exitCode: code.status)
      return writeJSON { RecordEncoding.runFinished(end, of: run, at: time, to: &$0) }
    }
    // A failed disk is an error of the run, and no task's line may have told it.
    if !settings.isQuiet || code == .machine { write([SummaryLine.text(summary, job: run.job)]) }
  }

  private func isTold(_ result: TaskResult) -> Bool {
    let isError = !result.isExcused && (result.outcome == .failed || result.outcome == .cancelled)
    if isError { return true }
    if settings.isQuiet || settings.mode == .none { return false }
    // A bar counts what needed nothing.
    let isIdle = result.outcome == .unchanged || result.outcome == .cached
    return settings.mode == .plain || !isIdle || settings.verbosity > 0
  }

  private func write(_ lines: [String]) {
    clearBar()
    for line in lines { errors.write(line + "\n") }
    errors.flush()
  }

  private func clearBar() {
    guard isBarShown else { return }
    errors.write("\r\u{1B}[K")
    errors.flush()
    isBarShown = false
    lastShown = nil
  }

  private func writeJSON(_ body: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    body(&json)
    json.endLine()
    errors.write(json.bytes)
    errors.flush()
  }
}

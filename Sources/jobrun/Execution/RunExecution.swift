import TransferCore
import TransferIO

/// Carries a plan out and tells on standard error how it goes, on standard output what `--json`
/// asks for.
struct RunExecution {
  var invocation: Invocation
  var output: OutputStream
  var errors: OutputStream
  var plan: Plan
  var begun: RunCommand.Begun

  func run(started: WallTime) -> ExitCode {
    let chain = begun.session.chain
    let record = RunRecord(runID: chain.runID, job: plan.job.name)
    let reporter = RunReporter(
      plan: plan, run: record, settings: reporterSettings, errors: errors)
    for notice in begun.session.notices where !invocation.has(.quiet) {
      reporter.notice("\(plan.job.name): \(notice)")
    }
    for session in plan.backgroundSessions where !invocation.has(.quiet) {
      reporter.notice(
        "\(plan.job.name): \(session.name) is a background session: this version runs it here, "
          + "so it ends with this process, and doesn't wait for a network; run again to go on")
    }
    let start = RunStart(
      jobFile: plan.job.file, continues: chain.continues, taskCount: plan.tasks.count,
      version: ProgramVersion.number)
    reporter.started(start, at: started)
    let tally = RunTally(keepsResults: invocation.has(.json))
    do throws(Driver.Obstacle) {
      let driver = try driver(reporter, tally, start, started)
      let summary = try driver.run { ExitCode($0).status }
      return told(summary, reporter, tally, record)
    } catch {
      reporter.notice("jobrun: \(error.failure.detail)")
      if case .state(let damage) = error, let words = begun.session.setAside(damage) {
        reporter.notice("jobrun: \(words); run again to go on")
      }
      return .machine
    }
  }

  private func driver(
    _ reporter: RunReporter, _ tally: RunTally, _ start: RunStart, _ started: WallTime
  ) throws(Driver.Obstacle) -> Driver {
    var options = RunOptions(
      runID: begun.session.chain.runID, startedAt: started, seed: Chance.seed(),
      doneInRun: begun.done)
    do throws(StateError) { options.notBefore = try begun.session.store.holds(at: started) } catch {
      throw .state(error)
    }
    options.deadline = plan.settings.deadline.map { Clock.monotonic() + $0 }
    let secrets = SecretResolver(
      plan.secrets, folder: plan.job.folder, variable: Environment.variable,
      warn: { reporter.notice("warning: \($0)") },
      shouldStop: { [deadline = options.deadline] in
        begun.signals.isEndWaiting || deadline.map { Clock.monotonic() >= $0 } ?? false
      })
    var engineOptions = engineOptions(reporter, secrets)
    engineOptions.jars = try jars(reporter, started)
    return try Driver(
      plan: plan, options: options, start: start, state: begun.session.store,
      log: begun.session.log, secrets: secrets,
      signals: begun.signals, engineOptions: engineOptions,
      observer: observer(reporter, tally))
  }

  private func jars(
    _ reporter: RunReporter, _ now: WallTime
  ) throws(Driver.Obstacle) -> CookieJars {
    do throws(FileError) {
      let jars = try CookieJars(
        plan.sessions, used: plan.usedSessions,
        StateLocation.jars(beside: begun.session.store.folder), at: now)
      for notice in jars.notices { reporter.notice("jobrun: \(notice)") }
      return jars
    } catch { throw .cookies(error) }
  }

  private func observer(_ reporter: RunReporter, _ tally: RunTally) -> Driver.Observer {
    func snapshot(_ progress: [TransferEngine.Progress]) -> ProgressSnapshot {
      ProgressSnapshot(
        now: Clock.monotonic(), endedTasks: tally.ended, totalTasks: plan.tasks.count,
        bytes: tally.bytes + progress.reduce(0) { $0 + $1.received + $1.sent },
        active: progress.map { .init(task: $0.task, bytes: $0.received, total: $0.total) })
    }
    var observer = Driver.Observer(
      ended: { result in
        tally.note(result)
        reporter.ended(result, at: Clock.wall())
      },
      progress: { progress, _ in
        if reporter.interval != nil { reporter.progress(snapshot(progress)) }
      },
      statusAsked: { progress, remaining in
        let running = progress.map { "\(plan.tasks[Int($0.task)].id) \($0.received) bytes" }
        let list = running.isEmpty ? "" : "; running: \(running.joined(separator: ", "))"
        reporter.notice("\(plan.job.name): \(remaining) tasks left\(list)")
      })
    observer.notice = { reporter.notice("jobrun: \($0)") }
    return observer
  }

  private func engineOptions(
    _ reporter: RunReporter, _ secrets: SecretResolver
  ) -> TransferEngine.Options {
    var options = TransferEngine.Options()
    guard invocation.times(.verbose) > 1 else { return options }
    options.trace = { task, line in
      reporter.notice("\(plan.tasks[Int(task)].id) \(secrets.mask.mask(line))")
    }
    return options
  }

  private func told(
    _ summary: RunSummary, _ reporter: RunReporter, _ tally: RunTally, _ record: RunRecord
  ) -> ExitCode {
    let code = ExitCode(summary)
    reporter.finished(summary, at: Clock.wall())
    if invocation.has(.json) {
      var json = JSONWriter(indented: true)
      let end = RunEnd(summary: summary, exitCode: code.status)
      ResultEncoding.run(
        end, results: tally.results.sorted { $0.task < $1.task }, in: plan, of: record,
        at: Clock.wall(), to: &json)
      json.endLine()
      output.write(json.bytes)
    }
    return code
  }

  private var reporterSettings: RunReporter.Settings {
    let terminal = Terminal(descriptor: errors.descriptor)
    let asked = RunReporter.Mode(rawValue: invocation.text(.progress) ?? "auto")
    return RunReporter.Settings(
      mode: asked ?? (terminal.isTerminal ? .bar : .plain), isQuiet: invocation.has(.quiet),
      verbosity: invocation.times(.verbose),
      style: Style(
        option: invocation.text(.color), environment: Environment.variable,
        isTerminal: terminal.isTerminal))
  }
}

/// What a run has come to so far: for the bar, and for `--json`.
final class RunTally {
  private let keepsResults: Bool
  private(set) var ended = 0
  private(set) var bytes: Int64 = 0
  private(set) var results: [TaskResult] = []

  init(keepsResults: Bool) { self.keepsResults = keepsResults }

  func note(_ result: TaskResult) {
    ended += 1
    bytes += result.bytesReceived + result.bytesSent
    if keepsResults { results.append(result) }
  }
}

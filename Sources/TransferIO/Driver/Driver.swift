import TransferCore

/// Carries a run out: performs what the run machine wants, waits, and tells it what happened. One
/// loop on one thread, with the registrar's beside it for what is put in place and written down;
/// policy is the machine's.
package final class Driver {
  /// Who is told of what goes on, on the driver's thread.
  package struct Observer {
    /// A task has ended, and its end is written down or about to be.
    package var ended: (TaskResult) -> Void
    /// How far transfers are, some times a second.
    package var progress: ([TransferEngine.Progress], _ remaining: Int) -> Void
    /// SIGUSR1 asks for the status.
    package var statusAsked: ([TransferEngine.Progress], _ remaining: Int) -> Void

    /// Something was found and set right: for the operator.
    package var notice: (String) -> Void = { _ in }

    package init(
      ended: @escaping (TaskResult) -> Void,
      progress: @escaping ([TransferEngine.Progress], Int) -> Void,
      statusAsked: @escaping ([TransferEngine.Progress], Int) -> Void
    ) {
      self.ended = ended
      self.progress = progress
      self.statusAsked = statusAsked
    }
  }

  /// The machine is in the way: the run can't go on, and what it had is kept.
  package enum Obstacle: Error {
    case state(StateError)
    case log(FileError)
    /// A cookie jar can't be read or written.
    case cookies(FileError)
    case engine(CurlError)

    /// What the operator is told.
    package var failure: TransferFailure {
      switch self {
      case .state(let error): error.failure
      case .log(let error), .cookies(let error): error.machineFailure
      case .engine(let error): TransferFailure(.disk, error.description)
      }
    }
  }

  /// Between two calls of `Observer.progress`.
  private static let progressApart = Duration.milliseconds(200)
  /// Files up to this size are hashed for the record even when no digest is declared: it costs
  /// little, and lets a restored copy be recognised.
  static let recordsDigestsUpTo: Int64 = 65_536
  /// Files up to this size that come in one piece go to their folder without a part file.
  static let keepsUpTo: Int64 = 65_536

  let plan: Plan
  var machine: RunMachine
  let engine: TransferEngine
  private let signals: Signals
  let observer: Observer
  let registrar: Registrar
  /// The state as earlier runs left it, for looking at: what this run writes is the registrar's.
  let reader: StateStore
  let desk: TaskDesk
  let checkpoints: Checkpoints
  let hashes = HashQueue()
  var events: [RunEvent] = []
  /// Empty: room for the next ones, while the machine is told of those that are there.
  var handled: [RunEvent] = []
  /// Tasks whose part file was opened in this turn, and that may be fetched in segments.
  var opened: [Int32] = []
  var wakeAt: Instant?
  private var nextProgress = Instant(nanoseconds: 0)
  var finished: RunSummary?
  private var wasSignalled = false
  private var wasIdle = false
  /// Why the registrar can't go on.
  private var obstacle: Obstacle?

  /// Begins the run: its start is written down.
  /// - Parameters:
  ///   - store: open for the run, with what an earlier one left behind set right.
  ///   - secrets: resolves secrets when a task needs them.
  package init(
    plan: Plan, options: RunOptions, start: RunStart, state: StateStore, log: CompletionLog,
    secrets: SecretResolver, signals: Signals, engineOptions: TransferEngine.Options,
    observer: Observer
  ) throws(Obstacle) {
    self.plan = plan
    self.signals = signals
    self.observer = observer
    machine = RunMachine(plan: plan, options: options)
    var engineOptions = engineOptions
    engineOptions.rateLimit = plan.settings.rateLimit
    engineOptions.secret = { name throws(TransferFailure) in try secrets.value(name) }
    do throws(CurlError) {
      engine = try TransferEngine(sessions: plan.sessions, options: engineOptions)
    } catch { throw .engine(error) }
    checkpoints = Checkpoints(plan: plan, engine: engine)
    let budget = DescriptorBudget.claim(transfers: plan.settings.maxParallel)
    registrar = try Registrar(
      plan: plan, state: state, log: log,
      record: RunRecord(runID: options.runID, job: plan.job.name), start: start,
      commitLimit: budget.commits, bell: engine.wakeUp)
    do throws(StateError) { reader = try StateStore(beside: state) } catch {
      registrar.close()
      throw .state(error)
    }
    engine.beforeSendingOnce = { [registrar] task in
      registrar.carryOut(.markSent(task: task, at: Clock.wall()))
    }
    let inspector = Inspector(
      plan: plan, state: reader, lists: ChecksumLists(), doneInRun: options.doneInRun)
    desk = TaskDesk(plan: plan, inspector: inspector, secrets: secrets, folders: budget.folders)
    engine.arrivals.reached = { [unowned self] in holdBack() }
  }

  /// Runs until every task has ended.
  /// - Parameter exitCode: what the process will end with, for the record.
  package func run(exitCode: (RunSummary) -> Int32) throws(Obstacle) -> RunSummary {
    defer { registrar.close() }
    events.append(.started)
    while true {
      handleEvents()
      if let summary = finished, events.isEmpty {
        keepCookies(all: true)
        let end = RunEnd(summary: summary, exitCode: exitCode(summary))
        registrar.submit(.finish(end, at: Clock.wall()))
        try registrar.waitForEnd()
        return summary
      }
      try turn()
    }
  }

  /// Lets the world move and gathers what happened.
  private func turn() throws(Obstacle) {
    let isIdle = engine.activeCount == 0 && hashes.isEmpty
    if isIdle != wasIdle { registrar.submit(.idle(isIdle)) }
    wasIdle = isIdle
    registrar.send()
    hear()
    if let obstacle { throw obstacle }
    if events.isEmpty { try wait() }
    do throws(CurlError) {
      try engine.step { report in events.append(.finished(report, redirect: target(of: report))) }
    } catch { throw .engine(error) }
    for task in opened { measure(task) }
    opened = []
    for answer in hashes.turn() { take(answer) }
    let now = Clock.monotonic()
    claim(at: now)
    keepCookies()
    do throws(StateError) { try reader.refresh(now) } catch { throw .state(error) }
    if let due = wakeAt, due <= now {
      wakeAt = nil
      events.append(.woke)
    }
    if now >= nextProgress {
      nextProgress = now + Self.progressApart
      observer.progress(engine.progress(), machine.remaining)
    }
  }

  /// Takes the registrar's answers.
  private func hear() {
    for answer in registrar.answers() {
      switch answer {
      case .committed(let task, let failure): events.append(.committed(task: task, failure))
      case .checkpointed: checkpoints.flushed()
      case .notice(let words): observer.notice(words)
      case .finished: break
      case .failed(let found): obstacle = obstacle ?? found
      }
    }
  }

  /// Has claimed what is worth it by now.
  private func claim(at now: Instant) {
    let claims = checkpoints.turn(now: now) { desk.part(of: $0) }
    if !claims.isEmpty { registrar.submit(.checkpoint(claims)) }
  }

  /// Has those cookie jars written that changed and are due.
  private func keepCookies(all: Bool = false) {
    let writes = engine.jars.writes(at: Clock.monotonic(), all: all)
    if !writes.isEmpty { registrar.submit(.keepCookies(writes, at: Clock.wall())) }
  }

  /// In the middle of a turn of libcurl, when much has come: lets the line wait while the disk is
  /// behind, so that what a kill costs has a bound.
  private func holdBack() {
    while checkpoints.isFarAhead, obstacle == nil {
      registrar.waitForAnswer()
      hear()
    }
    claim(at: Clock.monotonic())
    registrar.send()
  }

  private func wait() throws(Obstacle) {
    let now = Clock.monotonic()
    var until = now + .milliseconds(1000)
    for due in [wakeAt, checkpoints.nextDue, nextProgress, engine.jars.nextDue] {
      if let due { until = min(until, due) }
    }
    let limit = hashes.isEmpty ? max(.zero, until - now) : .zero
    do throws(CurlError) {
      if try !engine.wait(upTo: limit, also: [signals.descriptor]).isEmpty { readSignals() }
    } catch { throw .engine(error) }
  }

  func readSignals() {
    for signal in signals.read() {
      if !Signals.ending.contains(signal) {
        observer.statusAsked(engine.progress(), machine.remaining)
      } else if wasSignalled {
        Signals.die(by: signal)
      } else {
        // The run ends in good order; whoever can't wait for that signals again.
        wasSignalled = true
        signals.restoreDefault()
        events.append(.signalled(signal))
      }
    }
  }

  private func take(_ answer: HashQueue.Answer) {
    switch answer.purpose {
    case .part: events.append(.partHashed(task: answer.task, answer.digests))
    case .target:
      switch answer.digests {
      case .success(let digests): inspect(answer.task, targetDigests: digests)
      case .failure(let failure):
        events.append(.inspected(task: answer.task, .failed(failure)))
      }
    }
  }

  private func target(of report: TransferReport) -> RedirectTarget? {
    guard case .redirect(let location)? = report.verdict else { return nil }
    return desk.redirect(of: report.task, to: location)
  }
}

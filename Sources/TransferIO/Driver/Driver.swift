import TransferCore

/// Carries a run out: performs what the run machine wants, waits, and tells it what happened. One
/// thread, one loop; policy is the machine's.
package final class Driver {
  /// Who is told of what goes on, on the driver's thread.
  package struct Observer {
    /// A task has ended, and its end is written down or about to be.
    package var ended: (TaskResult) -> Void
    /// How far transfers are, some times a second.
    package var progress: ([TransferEngine.Progress], _ remaining: Int) -> Void
    /// SIGUSR1 asks for the status.
    package var statusAsked: ([TransferEngine.Progress], _ remaining: Int) -> Void

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
    case engine(CurlError)

    /// What the operator is told.
    package var failure: TransferFailure {
      switch self {
      case .state(let error): error.failure
      case .log(let error): error.machineFailure
      case .engine(let error): TransferFailure(.disk, error.description)
      }
    }
  }

  /// Between two calls of `Observer.progress`.
  private static let progressApart = Duration.milliseconds(200)
  /// Files up to this size are hashed for the record even when no digest is declared: it costs
  /// little, and lets a restored copy be recognised.
  static let recordsDigestsUpTo: Int64 = 65_536

  let plan: Plan
  var machine: RunMachine
  let engine: TransferEngine
  let state: StateStore
  private let signals: Signals
  let observer: Observer
  private let flusher: Flusher
  let desk: TaskDesk
  let commits: CommitPipeline
  let recorder: Recorder
  let checkpoints: Checkpoints
  let hashes = HashQueue()
  var events: [RunEvent] = []
  var wakeAt: Instant?
  private var nextProgress = Instant(nanoseconds: 0)
  var committed: [Int32: CommittedFile] = [:]
  var finished: RunSummary?
  private var wasSignalled = false

  /// - Parameters:
  ///   - store: open for the run, with what an earlier one left behind set right.
  ///   - secrets: resolves secrets when a task needs them.
  package init(
    plan: Plan, options: RunOptions, state: StateStore, log: CompletionLog, secrets: SecretResolver,
    signals: Signals, engineOptions: TransferEngine.Options, observer: Observer
  ) throws(Obstacle) {
    self.plan = plan
    self.state = state
    self.signals = signals
    self.observer = observer
    machine = RunMachine(plan: plan, options: options)
    var engineOptions = engineOptions
    let marks = SentMarks(plan: plan, state: state)
    engineOptions.beforeSendingOnce = { task in marks.mark(task) }
    do throws(CurlError) {
      engine = try TransferEngine(sessions: plan.sessions, options: engineOptions)
    } catch { throw .engine(error) }
    let bell = engine.wakeUp
    do throws(FileError) { flusher = try Flusher { bell.ring() } } catch { throw .log(error) }
    let inspector = Inspector(
      plan: plan, state: state, lists: ChecksumLists(), doneInRun: options.doneInRun)
    desk = TaskDesk(plan: plan, inspector: inspector, secrets: secrets)
    commits = CommitPipeline(plan: plan, state: state, flusher: flusher) { [desk] in
      desk.takeChangedFolders()
    }
    checkpoints = Checkpoints(plan: plan, state: state, flusher: flusher)
    recorder = Recorder(
      plan: plan, state: state, log: log,
      record: RunRecord(runID: options.runID, job: plan.job.name))
  }

  /// Runs until every task has ended.
  /// - Parameter exitCode: what the process will end with, for the record.
  package func run(
    start: RunStart, exitCode: (RunSummary) -> Int32
  ) throws(Obstacle) -> RunSummary {
    try stating { () throws(StateError) in
      try recorder.start(start, now: Clock.monotonic(), wall: Clock.wall())
    }
    // With this the run has begun, in the state and in the log: a kill later finds both or none.
    do throws(RunRecovery.Failure) { try recorder.write() } catch { throw Self.obstacle(error) }
    events.append(.started)
    while true {
      try handleEvents()
      if let summary = finished, events.isEmpty {
        try conclude(summary, exitCode(summary))
        return summary
      }
      try turn()
    }
  }

  /// Lets the world move and gathers what happened.
  private func turn() throws(Obstacle) {
    let isIdle = engine.activeCount == 0 && hashes.isEmpty
    try settleCommits(isIdle: isIdle)
    if events.isEmpty {
      do throws(RunRecovery.Failure) {
        try recorder.turn(now: Clock.monotonic(), isIdle: isIdle && commits.isEmpty)
      } catch { throw Self.obstacle(error) }
    }
    if events.isEmpty { try wait() }
    do throws(CurlError) {
      try engine.step { report in events.append(.finished(report, redirect: target(of: report))) }
    } catch { throw .engine(error) }
    for answer in hashes.turn() { take(answer) }
    let now = Clock.monotonic()
    checkpoints.turn(engine, now: now) { desk.part(of: $0) }
    if let due = wakeAt, due <= now {
      wakeAt = nil
      events.append(.woke)
    }
    if now >= nextProgress {
      nextProgress = now + Self.progressApart
      observer.progress(engine.progress(), machine.remaining)
    }
  }

  private func wait() throws(Obstacle) {
    let now = Clock.monotonic()
    var until = now + .milliseconds(1000)
    for due in [wakeAt, commits.nextDue, recorder.nextDue, checkpoints.nextDue, nextProgress] {
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

  private func settleCommits(isIdle: Bool) throws(Obstacle) {
    let settled = try stating { () throws(StateError) in
      let now = Clock.monotonic()
      for result in flusher.collect() {
        commits.take(result, now: now)
        try checkpoints.take(result)
      }
      return try commits.turn(now: now, isIdle: isIdle)
    }
    for commit in settled {
      switch commit.result {
      case .success(let file):
        committed[commit.task] = file
        events.append(.committed(task: commit.task, nil))
      case .failure(let failure): events.append(.committed(task: commit.task, failure))
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

  private func conclude(_ summary: RunSummary, _ exitCode: Int32) throws(Obstacle) {
    try stating { () throws(StateError) in
      try recorder.finish(
        RunEnd(summary: summary, exitCode: exitCode), now: Clock.monotonic(), wall: Clock.wall())
    }
    do throws(RunRecovery.Failure) {
      try recorder.writeLast()
    } catch { throw Self.obstacle(error) }
    try stating { () throws(StateError) in try state.commit() }
  }

  func stating<Value>(
    _ body: () throws(StateError) -> Value
  ) throws(Obstacle) -> Value {
    do throws(StateError) { return try body() } catch { throw .state(error) }
  }

  private static func obstacle(_ failure: RunRecovery.Failure) -> Obstacle {
    switch failure {
    case .state(let error): .state(error)
    case .log(let error): .log(error)
    }
  }

  private func target(of report: TransferReport) -> RedirectTarget? {
    guard case .redirect(let location)? = report.verdict else { return nil }
    return desk.redirect(of: report.task, to: location)
  }
}

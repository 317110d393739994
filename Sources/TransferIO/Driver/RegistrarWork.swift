import TransferCore

/// The registrar's thread, from start to end. All that it holds is its own while it runs.
final class RegistrarWork {
  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  private let commits: CommitPipeline
  private let recorder: Recorder
  private let checkpoints: CheckpointWriter
  private let marks: SentMarks
  private let queue: RegistrarQueue
  /// Files that are in place and whose task's record is still to come.
  private var committed: [Int32: (file: CommittedFile, intents: Int64?)] = [:]
  private var answers: [RegistrarAnswer] = []
  /// Commits that came to their end and were not told of yet.
  private var settledCommits = 0
  private var isIdle = false
  private var hasEnded = false
  /// It was told that the shared cookie jar can't be written.
  private var hasToldLoss = false

  init(
    plan: Plan, state: StateStore, log: CompletionLog, record: RunRecord, flusher: Flusher,
    groupLimit: Int, queue: RegistrarQueue
  ) {
    self.plan = plan
    self.state = state
    self.flusher = flusher
    self.queue = queue
    recorder = Recorder(plan: plan, state: state, log: log, record: record)
    commits = CommitPipeline(
      plan: plan, state: state, flusher: flusher, recorder: recorder, groupLimit: groupLimit)
    checkpoints = CheckpointWriter(plan: plan, state: state, flusher: flusher)
    marks = SentMarks(plan: plan, state: state)
  }

  /// Before there is a thread: a run that can't be begun begins nothing.
  func start(_ start: RunStart) throws(Driver.Obstacle) {
    try Self.recording { () throws(RunRecovery.Failure) in
      try recorder.start(start, now: Clock.monotonic(), wall: Clock.wall())
    }
  }

  func run() {
    while !hasEnded, let orders = next() {
      do throws(Driver.Obstacle) {
        for order in orders { try perform(order) }
        try turn()
      } catch {
        answers.append(.failed(error))
        hasEnded = true
      }
      let carried = orders.reduce(0) { $0 + $1.carriedWeight }
      queue.tell(
        answers, letGo: carried + settledCommits * RegistrarOrder.taskWeight,
        settled: settledCommits, hasEnded)
      settledCommits = 0
      answers.removeAll(keepingCapacity: true)
    }
  }

  /// Waits for orders, a flush's end or the next moment at which something is due; nil when the
  /// run was given up.
  private func next() -> [RegistrarOrder]? {
    let due = [commits.nextDue, recorder.nextDue].compactMap(\.self).min()
    let orders = queue.box.wait(until: due) { state -> [RegistrarOrder]?? in
      if state.isClosing { return .some(nil) }
      guard !state.orders.isEmpty || state.hasFlushed else { return nil }
      defer { (state.orders, state.hasFlushed) = ([], false) }
      return .some(state.orders)
    }
    return orders ?? .some([])
  }

  private func perform(_ order: RegistrarOrder) throws(Driver.Obstacle) {
    switch order {
    case .commit(let request, let part, let made):
      checkpoints.forget(request.task)
      if request.bytes != nil {
        try Self.stating { () throws(StateError) in
          try checkpoints.willRewrite(request.task, keeping: ByteRanges())
        }
      }
      try Self.stating { () throws(StateError) in
        try commits.add(request, part, made: made, now: Clock.monotonic())
      }
    case .record(let end, let part, let wall):
      checkpoints.forget(end.result.task)
      try Self.stating { () throws(StateError) in
        try settle(end.result.task, end.part, part)
        try recorder.add(end.result, now: Clock.monotonic(), wall: wall)
      }
    case .dropClaims(let task, let kept):
      try Self.stating { () throws(StateError) in
        try checkpoints.willRewrite(task, keeping: kept)
      }
      queue.reply(nil)
    case .markSent(let task, let wall): queue.reply(marks.mark(task, at: wall))
    case .writeDown:
      try Self.recording { () throws(RunRecovery.Failure) in try recorder.write() }
      queue.reply(nil)
    case .checkpoint(let claims): checkpoints.begin(claims)
    case .hold(let host, let until):
      try Self.stating { () throws(StateError) in try state.putHold(host, until: until) }
    case .idle(let now): isIdle = now
    case .keepCookies(let writes, let wall): try keep(writes, wall)
    case .finish(let end, let wall): try finish(end, wall)
    }
  }

  /// Does what is due.
  private func turn() throws(Driver.Obstacle) {
    let settled = try Self.stating { () throws(StateError) in
      let now = Clock.monotonic()
      for result in flusher.collect() {
        commits.take(result, now: now)
        if try checkpoints.take(result) { answers.append(.checkpointed) }
      }
      return try commits.turn(now: now, isIdle: isIdle)
    }
    settledCommits += settled.count
    for commit in settled {
      switch commit.result {
      case .success(let file):
        committed[commit.task] = (file, commit.intents)
        answers.append(.committed(task: commit.task, nil))
      case .failure(let failure):
        try Self.stating { () throws(StateError) in try commits.release(commit.intents) }
        answers.append(.committed(task: commit.task, failure))
      }
    }
    try Self.recording { () throws(RunRecovery.Failure) in
      try recorder.turn(now: Clock.monotonic(), isIdle: isIdle && commits.isEmpty)
    }
    workLogIn()
  }

  /// Flushes of commits take the write-ahead log along; a run without any leaves it to this.
  private func workLogIn() {
    guard state.takeCheckpointDue() else { return }
    // The number of no flush that is waited for.
    var batch = FlushBatch(id: 0)
    batch.checkpoint = state.folder.database
    flusher.submit(batch)
  }

  /// What the state remembers of the task's files from here on.
  private func settle(_ task: Int32, _ fate: PartFate, _ part: TargetPart?) throws(StateError) {
    let planned = plan.tasks[Int(task)]
    if let (file, intents) = committed.removeValue(forKey: task) {
      // What a data task saved was decoded: its validators speak for other bytes.
      guard case .download = planned.work, plan.sessions[planned.session].keepsState else { return }
      try state.finish(file, task: planned.id)
      return try commits.release(intents)
    }
    switch fate {
    case .none: break
    case .discard: if let part, part.discard() { try state.dropCheckpoint(planned.id) }
    case .keep(let validator, let total, let url):
      guard let checkpoint = part?.flushed(validator, total, url) else { return }
      try state.put(checkpoint, task: planned.id)
    }
  }

  private func keep(_ writes: [CookieWrite], _ wall: WallTime) throws(Driver.Obstacle) {
    for write in writes {
      do throws(FileError) {
        let notice = try write.file.merge(write.changes, at: wall)
        if let notice { answers.append(.notice(notice)) }
      } catch {
        if write.file.isRequired { throw .cookies(error) }
        if !hasToldLoss { answers.append(.notice(CookieJars.lossWords(error))) }
        hasToldLoss = true
      }
    }
  }

  private func finish(_ end: RunEnd, _ wall: WallTime) throws(Driver.Obstacle) {
    try Self.stating { () throws(StateError) in
      try recorder.finish(end, now: Clock.monotonic(), wall: wall)
    }
    try Self.recording { () throws(RunRecovery.Failure) in
      try recorder.writeLast()
    }
    try Self.stating { () throws(StateError) in try state.commit() }
    answers.append(.finished)
    hasEnded = true
  }

  private static func stating<Value>(
    _ body: () throws(StateError) -> Value
  ) throws(Driver.Obstacle) -> Value {
    do throws(StateError) { return try body() } catch { throw .state(error) }
  }

  private static func recording(
    _ body: () throws(RunRecovery.Failure) -> Void
  ) throws(Driver.Obstacle) {
    do throws(RunRecovery.Failure) { try body() } catch {
      switch error {
      case .state(let error): throw .state(error)
      case .log(let error): throw .log(error)
      }
    }
  }
}

import TransferCore

/// One run of the program: the real machine, with hands that are simulated. Performs its actions
/// in a world whose clock jumps from one happening to the next.
final class SimulatedRun {
  enum Happening {
    case answered(StreamID, serial: Int)
    case moved(StreamID, serial: Int)
    case gaveUp(StreamID, serial: Int)
    case flushed
    case hashed(Int32, serial: Int)
    case woke(serial: Int)
    /// Time to look after checkpoints, commits and records.
    case looked
    case signalled
    case changed
    case diskTurned
    case batch
  }

  struct Scheduled {
    var at: Instant
    var happening: Happening
  }

  static let looksAtMost = 60_000

  let world: World
  let number: Int
  let checker: Checker
  let plan: Plan
  var machine: RunMachine
  var doneInRun: [String: String] = [:]
  var events: [RunEvent] = []
  private var agenda: [Scheduled] = []
  private var wakeSerial = 0
  var serial = 0
  var transfers: [StreamID: LiveTransfer] = [:]
  var parts: [Int32: Part] = [:]
  var hashing: [Int32: Hashing] = [:]
  var schedule = CheckpointSchedule()
  var flushes = Flushes()
  var commits = Commits()
  var committed: [Int32: CommittedFile] = [:]
  /// Checksum lists that are here.
  var lists: Set<Int32> = []
  var unwritten: [LogLine] = []
  /// Records that were put into the log.
  var appendedRecords = 0
  /// What the checkpoints' flush under way will let us claim.
  var pending: [(task: Int32, checkpoint: Checkpoint)] = []
  var writesBy: Instant?
  var finished: RunSummary?
  private(set) var lastMove: Instant

  init(_ world: World, number: Int, deadline: Duration?, doneInRun: [String: String]) {
    self.world = world
    self.number = number
    plan = world.scenario.plan
    self.doneInRun = doneInRun
    var options = RunOptions(
      runID: "run\(number)", startedAt: world.wall, seed: world.chance.next(),
      doneInRun: doneInRun)
    options.notBefore = world.state.image.holds.filter { $0.value > world.wall }
    options.deadline = deadline.map { world.now + $0 }
    let held = options.notBefore.map { (Checker.host($0.key), world.moment(of: $0.value)) }
    checker = Checker(
      plan: plan, deadline: options.deadline, heldUntil: Dictionary(uniqueKeysWithValues: held))
    machine = RunMachine(plan: plan, options: options)
    lastMove = world.now
  }

  var now: Instant { world.now }
  var chance: Chance { world.chance }

  func schedule(_ happening: Happening, after delay: Duration) {
    agenda.append(Scheduled(at: now + delay, happening: happening))
  }

  /// Runs to its end.
  /// - Returns: what it came to.
  func run() throws(Killed) -> RunSummary {
    record(LogLine(run: number, event: .started))
    try writeRecords()
    events = [.started]
    schedule(.looked, after: .zero)
    var steps = 0
    while true {
      try handleEvents()
      if let summary = finished, events.isEmpty {
        try conclude(summary)
        return summary
      }
      steps += 1
      guard steps < Self.looksAtMost, try turn() else {
        checker.fail("the run does not end")
        throw Killed()
      }
    }
  }

  private func handleEvents() throws(Killed) {
    while !events.isEmpty {
      let batch = events
      events = []
      for event in batch {
        if case .finished(let report, _) = event { checker.noteHearing(report, now: now) }
        for action in machine.handle(event, now: now, wall: world.wall) {
          try perform(action)
        }
      }
    }
  }

  /// Lets what comes next happen, with all that is due at the same moment.
  private func turn() throws(Killed) -> Bool {
    try settleCommits()
    if !events.isEmpty { return true }
    try writeRecordsIfDue()
    guard let next = agenda.min(by: { $0.at < $1.at })?.at else { return false }
    checkSleep(until: next)
    world.now = max(now, next)
    let due = agenda.filter { $0.at <= next }
    agenda.removeAll { $0.at <= next }
    for item in due { try happen(item.happening) }
    collectCheckpoints()
    world.checkTargets()
    return true
  }

  /// With nothing under way a run waits for a retry or a Retry-After, and for nothing longer.
  private func checkSleep(until next: Instant) {
    let isBusy = !transfers.isEmpty || flushes.isBusy || !hashing.isEmpty
    if isBusy { lastMove = next }
    if next - lastMove > .seconds(45) {
      checker.fail("the run sleeps with tasks to do")
      lastMove = next
    }
  }

  private func happen(_ happening: Happening) throws(Killed) {
    switch happening {
    case .answered(let stream, let serial): if isCurrent(stream, serial) { try answer(stream) }
    case .moved(let stream, let serial): if isCurrent(stream, serial) { try move(stream) }
    case .gaveUp(let stream, let serial):
      if isCurrent(stream, serial) { try end(stream, TransferFailure(.timeout, "silent")) }
    case .flushed: try flushed()
    case .hashed(let task, let serial): hashed(task, serial)
    case .woke(let serial): if serial == wakeSerial { events.append(.woke) }
    case .looked: break
    case .signalled:
      checker.noteStop(at: now)
      world.tell("signal")
      events.append(.signalled(15))
    case .changed: change()
    case .diskTurned: world.disk.isFull.toggle()
    case .batch: break
    }
  }

  private func isCurrent(_ stream: StreamID, _ serial: Int) -> Bool {
    transfers[stream]?.serial == serial
  }

  // MARK: Actions

  private func perform(_ action: RunAction) throws(Killed) {
    switch action {
    case .inspect(let task):
      lastMove = now
      checker.noteInspection(task, now: now)
      inspect(task, targetDigests: [:])
    case .learn(let list, _):
      checker.check(lists.insert(list).inserted, "the list \(list) was fetched twice")
      world.see(.listFetched)
    case .transfer(let request, let algorithms):
      lastMove = now
      start(request, algorithms)
    case .hashPart(let task, let algorithms, let size):
      checker.noteHashing(task)
      hash(task, path: Scenario.partPath(task), algorithms, partSize: size)
    case .bound(let task, let end): try bound(task, upTo: end)
    case .measure(let task): measure(task)
    case .abort(let task): try abort(task)
    case .commit(let request): try commit(request)
    case .hold(let host, let until):
      world.state.image.holds[host] = max(world.state.image.holds[host] ?? until, until)
    case .record(let end): try record(end.result, end.part)
    case .wake(let at):
      wakeSerial += 1
      schedule(.woke(serial: wakeSerial), after: max(.zero, at - now))
    case .finish(let summary):
      checker.noteFinish(summary, now: now)
      finished = summary
    }
  }

  /// Often one that is easily mistaken: as long as before, or as what a part file holds.
  private func nextLength(of resource: Resource) -> Int64 {
    switch chance.below(3) {
    case 0: return resource.version.length
    case 1:
      let parts = plan.tasks.indices.compactMap {
        world.disk.file(at: Scenario.partPath(Int32($0)))?.content.size
      }
      if let size = parts.isEmpty ? nil : chance.pick(parts) { return size }
    default: break
    }
    return chance.from(0...resource.version.length * 2)
  }

  /// A server has another version, an older one, or sends elsewhere.
  private func change() {
    guard !world.isCalm else { return }
    schedule(.changed, after: .milliseconds(chance.from(100...chance.pick([1000, 20_000]))))
    let resource = chance.pick(world.scenario.addresses.values.sorted { $0.url < $1.url })
    switch chance.below(4) {
    case 0: resource.current = chance.below(resource.versions.count)
    case 1:
      let mirrors = world.scenario.mirrors(of: resource)
      let loop = chance.once(in: 4) ? resource : nil
      resource.redirect = chance.once(in: 3) ? nil : mirrors.isEmpty ? loop : chance.pick(mirrors)
    default:
      guard resource.versions.count < 6 else { return }
      let length = min(nextLength(of: resource), resource.longest)
      let newest = resource.versions.map(\.modified).max() ?? 0
      let version = world.scenario.addVersion(
        length: length, modified: max(world.second, newest + 1))
      resource.versions.append(version)
      resource.current = resource.versions.count - 1
    }
    world.tell("\(resource.url) is v\(resource.version.id), to \(resource.redirect?.url ?? "-")")
  }
}

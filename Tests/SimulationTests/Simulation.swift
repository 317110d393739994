import TransferCore

/// One seed: a job, its servers, some runs that are killed, cut off or interrupted, and a last one
/// in which all is well.
final class Simulation {
  let world: World
  private let chance: Chance

  /// - Parameter mutation: what the program does wrong on purpose.
  init(seed: UInt64, mutation: Mutation? = nil, keepsTrace: Bool = false) {
    world = World(seed: seed, mutation: mutation, keepsTrace: keepsTrace)
    chance = world.chance
  }

  func play() {
    let most = world.scenario.isOfLargeFiles ? 8 : 5
    for number in 1...chance.from(2...most) {
      playRun(number)
      if !world.violations.isEmpty { return }
      if chance.once(in: 4) { meddle() }
    }
    calmDown()
    playRun(100)
  }

  private func playRun(_ number: Int) {
    world.fuse = nil
    world.hasBadDisk = !world.isCalm && chance.once(in: 6)
    if !world.isCalm, chance.once(in: 2) { world.fuse = chance.below(chance.pick([20, 100, 400])) }
    world.tell("run \(number) starts")
    do throws(Killed) {
      let chain = try recover(number)
      let run = try begin(number, chain)
      do throws(Killed) {
        let summary = try run.run()
        world.tell("run \(number) ended: \(Self.words(summary))")
        see(summary)
        ended(run, number)
      } catch {
        told(run)
        die(run)
      }
    } catch { die(nil) }
    world.checkTargets()
    world.checkLog()
    world.checkClaims()
  }

  private func ended(_ run: SimulatedRun, _ number: Int) {
    told(run)
    world.checkLog(ofEnded: number)
    world.checkHolds(run.checker.heldPastDeadline)
    world.state.kill()
    world.disk.kill()
    if world.isCalm { checkAllIsDone(run) }
  }

  private static func words(_ summary: RunSummary) -> String {
    Outcome.allCases.compactMap { outcome in
      summary.counts[outcome].map { "\($0) \(outcome)" }
    }.joined(separator: ", ")
  }

  private func see(_ summary: RunSummary) {
    if summary.signal != nil { world.see(.signal) }
    if summary.machineFailure != nil { world.see(.machineFailure) }
    if summary.stopReason?.hasPrefix("the run's deadline") == true { world.see(.deadline) }
    if summary.stopReason?.contains("failed") == true { world.see(.stopByErrors) }
  }

  private func told(_ run: SimulatedRun) {
    for violation in run.checker.violations { world.fail(violation) }
  }

  /// The program is gone, and with it, now and then, the machine's power.
  private func die(_ run: SimulatedRun?) {
    let underWay = run?.underWay() ?? [:]
    let isCut = chance.once(in: 2) && world.scenario.plan.settings.durability != .none
    world.tell(isCut ? "POWER CUT" : "KILLED")
    world.see(isCut ? .powerCut : .kill)
    if isCut {
      world.state.cutPower(chance)
      world.log.cutPower(chance)
      world.disk.cutPower()
      // What an earlier kill left need not be on disk yet.
      world.owed = [:]
    } else {
      world.state.kill()
      world.disk.kill()
    }
    run?.checkLoss(underWay)
  }

  // MARK: Starts

  /// What the start of a run sets right.
  /// - Returns: the chain's first run.
  private func recover(_ number: Int) throws(Killed) -> Int {
    for (task, intent) in world.state.image.intents.sorted(by: { $0.key < $1.key }) {
      if intent.isCommitted(at: world.disk.facts(of: intent.file.path)) {
        world.tell("commit of task \(task) completed")
        world.see(.commitCompleted)
        try world.step()
        world.disk.flushNames()
        world.state.image.finish(intent.file, task)
      } else {
        world.state.image.intents[task] = nil
      }
    }
    let hasDied = world.state.image.runs.last?.hasEnded == false
    if let last = world.state.image.runs.last, hasDied {
      world.state.image.records.append(LogLine(run: last.number, event: .ended))
      world.state.image.runs[world.state.image.runs.count - 1].hasEnded = true
    }
    try world.step()
    let transaction = world.state.commit()
    if hasDied {
      try world.step()
      world.state.flushed(through: transaction)
    }
    try replay()
    world.checkRecovered()
    guard let last = world.state.image.runs.last, last.exitCode != 0, last.exitCode != 1 else {
      return number
    }
    return last.origin
  }

  private func replay() throws(Killed) {
    let image = world.state.image
    if image.logged >= image.records.count { return }
    var missing = Array(image.records[image.logged...])
    if world.mutation != .replaysLogUnseen {
      let known = Set(world.log.lines)
      missing.removeAll { known.contains($0) }
    }
    if !missing.isEmpty { world.see(.linesReplayed) }
    try world.step()
    world.log.append(missing)
    try world.step()
    world.log.flushed(through: world.log.lines.count)
    world.state.image.logged = image.records.count
    try world.step()
    world.state.commit()
  }

  private func begin(_ number: Int, _ origin: Int) throws(Killed) -> SimulatedRun {
    var done: [String: String] = [:]
    let chain = Set(world.state.image.runs.filter { $0.origin == origin }.map(\.number))
    for line in world.state.image.records where chain.contains(line.run) {
      if case .task(let task, .done) = line.event, done["t\(task)"] == nil {
        done["t\(task)"] = "run\(line.run)"
      }
    }
    world.state.image.runs.append(.init(number: number, origin: origin))
    let deadline = !world.isCalm && chance.once(in: 5) ? chance.from(1...60) : nil
    let run = SimulatedRun(
      world, number: number, deadline: deadline.map { .seconds($0) }, doneInRun: done)
    if !world.isCalm { disturb(run) }
    return run
  }

  private func disturb(_ run: SimulatedRun) {
    run.schedule(.changed, after: .milliseconds(chance.from(1...5000)))
    if chance.once(in: 6) {
      run.schedule(.signalled, after: .milliseconds(chance.from(1...20_000)))
    }
    if chance.once(in: 8) {
      let start = chance.from(1...20_000)
      run.schedule(.diskTurned, after: .milliseconds(start))
      run.schedule(.diskTurned, after: .milliseconds(start + chance.from(1...20_000)))
    }
  }

  /// Between runs somebody removes a file, puts another there, or copies it back.
  private func meddle() {
    let task = Int32(chance.below(world.scenario.plan.tasks.count))
    guard let path = world.scenario.plan.tasks[Int(task)].path else { return }
    let here = world.disk.file(at: path)
    world.tell("somebody meddles with \(path)")
    world.disk.remove(path)
    world.owed[task] = nil
    world.meddled.insert(task)
    world.placed[task] = nil
    world.toldDone[task] = nil
    let choice = chance.below(3)
    if choice == 1 {
      let version = world.scenario.addVersion(
        length: chance.from(1...1000 as ClosedRange<Int64>), modified: 0)
      world.foreign[task, default: []].insert(version.id)
      world.disk.place(path, version.content, modified: world.now.nanoseconds)
    } else if choice == 2, let here {
      world.disk.place(path, here.content, modified: here.modified / 1_000_000_000 * 1_000_000_000)
    }
  }

  // MARK: The last run

  private func calmDown() {
    world.isCalm = true
    world.now = world.now + .seconds(3600)
    world.scenario.plan.settings.maxErrors = nil
    world.scenario.plan.settings.onFailure = .continue
    for index in world.scenario.plan.policies.indices {
      world.scenario.plan.policies[index].timeoutForResource = .seconds(3600)
    }
    for resource in world.scenario.addresses.values {
      resource.redirect = nil
      resource.faults = 0
      resource.framing = .length
    }
    for (index, resource) in world.scenario.resources.enumerated() {
      let task = world.scenario.plan.tasks[index]
      if world.scenario.declared[Int32(index)] != nil || task.expect.size != nil {
        resource.current = 0
      }
    }
  }

  /// What was broken before keeps nothing from being right in the end.
  private func checkAllIsDone(_ run: SimulatedRun) {
    for (task, result) in run.checker.outcomes.sorted(by: { $0.key < $1.key }) {
      if [.done, .unchanged, .cached].contains(result.outcome) { continue }
      // A file that others put there stays where nothing may be replaced.
      if isProtected(task) || result.failure?.kind == .dependency { continue }
      world.fail(
        "task \(task) is \(result.outcome) in a run without faults: \(result.failure?.detail ?? "")"
      )
    }
  }

  private func isProtected(_ task: Int32) -> Bool {
    guard case .download(let download) = world.scenario.plan.tasks[Int(task)].work else {
      return false
    }
    return !download.overwrites
  }
}

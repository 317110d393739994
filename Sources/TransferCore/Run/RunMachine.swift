/// The whole run as a state machine: events in, actions out. It looks at nothing and waits for
/// nothing, so that the same machine runs against the world and against a simulation of it.
package struct RunMachine {
  enum Phase: UInt8 {
    /// Behind a task that has not ended.
    case blocked
    case ready
    /// Inspected, transferred, hashed or committed just now.
    case active
    /// Between two tries.
    case waiting
    case ended
  }

  /// Why no new task starts.
  enum Stop: Equatable {
    case signal(Int32)
    case deadline
    case errors(String)
  }

  package let plan: Plan
  let options: RunOptions
  var phases: [Phase]
  /// Tasks that each task still waits for.
  var unmet: [Int32]
  let dependents: Dependents
  var queue = ReadyQueue()
  var active: [Int32: ActiveTask] = [:]
  /// Tasks that hold a place under `max_parallel`.
  var running = 0
  /// When waiting tasks are tried again.
  var retries = MinHeap<Wakeup>()
  /// When downloads that are under way are looked at: would more connections help?
  var looks = MinHeap<Wakeup>()
  var chance: SeededChance
  var stop: Stop?
  /// No more bytes can be written: nothing that writes starts.
  var diskFailure: TransferFailure?
  var failedCount = 0
  var unended: Int
  var summary: RunSummary
  var isFinished = false
  /// What origins have shown of how they take ranges, by authority.
  var ranges: [String: RangeSupport] = [:]
  /// Where credentials were accepted after a challenge.
  var proven = ProvenSpaces()
  /// How far the plan's checksum lists are.
  var lists: [ListProgress]
  /// Hosts that want to be left alone for longer than this run may wait, by authority.
  var notBefore: [String: WallTime]
  /// Hosts that this run waits for, and until when.
  var heard: [String: WallTime] = [:]
  /// The wall clock at the event being handled.
  var wall: WallTime
  /// Tasks still to be ended because one before them did not succeed.
  var cascade: [Cascade] = []
  /// The failed or deferred task that the one just ending stands behind.
  var cascadeRoot: Int32?
  /// The moment that the driver was asked to wake us at; nil when it has to be asked again.
  var announcedWakeup: Instant?
  /// No active task's resource timeout runs out before this moment.
  var earliestDeadline = Instant(nanoseconds: .max)

  struct Cascade {
    var task: Int32
    /// The task that failed or was deferred first.
    var root: Int32
    var outcome: Outcome
  }

  struct Wakeup: Comparable {
    var at: Instant
    var task: Int32
    static func < (left: Self, right: Self) -> Bool {
      (left.at, left.task) < (right.at, right.task)
    }
  }

  package init(plan: Plan, options: RunOptions) {
    self.plan = plan
    self.options = options
    phases = [Phase](repeating: .blocked, count: plan.tasks.count)
    unmet = plan.tasks.map { Int32($0.after.count) }
    dependents = Dependents(plan.tasks)
    lists = [ListProgress](repeating: ListProgress(), count: plan.lists.count)
    notBefore = options.notBefore
    wall = options.startedAt
    chance = SeededChance(seed: options.seed)
    unended = plan.tasks.count
    summary = RunSummary(
      runID: options.runID, started: options.startedAt, ended: options.startedAt)
  }

  /// Tasks that have not ended.
  package var remaining: Int { unended }

  /// - Parameters:
  ///   - now: the monotonic clock; never earlier than at the event before.
  ///   - wall: the wall clock, for records and for what servers say of time.
  package mutating func handle(_ event: RunEvent, now: Instant, wall: WallTime) -> [RunAction] {
    var actions: [RunAction] = []
    self.wall = wall
    switch event {
    case .started: enqueueInitial(now)
    case .inspected(let task, let inspection): inspected(task, inspection, now, &actions)
    case .storing(let task, let head, let position):
      storing(task, head, position, now, &actions)
    case .segmentAccepted(let task, let segment): segmentAccepted(task, segment, &actions)
    case .finished(let report, let redirect): finished(report, redirect, now, &actions)
    case .aborted(let task): aborted(task, now, &actions)
    case .partHashed(let task, let digests): partHashed(task, digests, now, &actions)
    case .committed(let task, let failure): committed(task, failure, now, &actions)
    case .woke:
      announcedWakeup = nil
      woke(now, &actions)
    case .signalled(let signal):
      passHoldsOn(&actions)
      halt(.signal(signal), now, &actions)
    }
    if let deadline = options.deadline, now >= deadline { halt(.deadline, now, &actions) }
    passOn(now, &actions)
    admit(now, &actions)
    passOn(now, &actions)
    if unended == 0, !isFinished {
      isFinished = true
      summary.ended = wall
      actions.append(.finish(summary))
    } else if let next = nextWakeup(now), next != announcedWakeup {
      announcedWakeup = next
      actions.append(.wake(at: next))
    }
    return actions
  }

  private mutating func enqueueInitial(_ now: Instant) {
    for task in plan.tasks.indices where unmet[task] == 0 { enqueue(Int32(task), now) }
  }

  /// Puts a task among those that may start, or go on.
  mutating func enqueue(_ task: Int32, _ now: Instant) {
    phases[Int(task)] = .ready
    queue.add(task, priority: plan.tasks[Int(task)].priority, lane: lane(of: task), now: now)
  }

  private mutating func lane(of task: Int32) -> Int {
    // Field by field: a copy of a whole plan is a dozen retains, here and below.
    let session = plan.tasks[Int(task)].session
    let limit =
      plan.sessions[session].multiplexes
      ? plan.settings.maxParallel : plan.sessions[session].maxConnectionsPerHost
    let known = active[task]?.url ?? ""
    let url = known.isEmpty ? plan.tasks[Int(task)].request.url.shown : known
    // Most tasks are for the host that the one before them was for.
    if let known = queue.lastLane, known.key.session == session, url.hasPrefix(known.key.origin),
      url.utf8.dropFirst(known.key.origin.utf8.count).first == UInt8(ascii: "/")
    {
      return known.lane
    }
    let key = ReadyQueue.LaneKey(session: session, origin: Self.authority(url))
    return queue.lane(key, limit: limit)
  }

  /// `scheme://host:port` as it is written: enough to tell hosts apart.
  package static func authority(_ url: String) -> String {
    var slashes = 0
    let end = url.utf8.firstIndex { byte in
      if byte == 0x2F { slashes += 1 }
      return slashes == 3
    }
    return String(url[..<(end ?? url.endIndex)])
  }

  /// Starts what may start. After a stop that lets tries finish, the queue holds these alone: their
  /// next hops, and their restarts.
  private mutating func admit(_ now: Instant, _ actions: inout [RunAction]) {
    guard stop?.interrupts != true else { return }
    while running < plan.settings.maxParallel, let (task, lane) = queue.take(now: now) {
      // A task that timed out while it waited in the queue has ended already.
      guard phases[Int(task)] == .ready, !waitsForList(task) else {
        queue.leave(lane)
        continue
      }
      running += 1
      phases[Int(task)] = .active
      if active[task] != nil {
        active[task]?.lane = lane
        if !isHeld(task, now, &actions) { goOn(task, now, &actions) }
      } else {
        start(task, lane, now, &actions)
      }
    }
  }

  private mutating func start(
    _ task: Int32, _ lane: Int, _ now: Instant, _ actions: inout [RunAction]
  ) {
    let timeout = plan.policies[plan.tasks[Int(task)].policy].timeoutForResource
    active[task] = ActiveTask(
      task: task, lane: lane, started: now, deadline: now + timeout,
      request: plan.tasks[Int(task)].request)
    earliestDeadline = min(earliestDeadline, now + timeout)
    if let failure = diskFailure, plan.tasks[Int(task)].path != nil {
      active[task]?.result.failure = failure
      end(task, .deferred, reason: "the disk is full", now, &actions)
    } else if !options.doneInRun.isEmpty, let run = options.doneInRun[plan.tasks[Int(task)].id],
      plan.tasks[Int(task)].path == nil
    {
      end(task, .unchanged, reason: "done in run \(run)", now, &actions)
    } else if !isHeld(task, now, &actions) {
      goOn(task, now, &actions)
    }
  }

  /// The next moment at which time alone changes something.
  private func nextWakeup(_ now: Instant) -> Instant? {
    var next = Instant(nanoseconds: .max)
    if !active.isEmpty { next = earliestDeadline }
    if stop?.interrupts != true {
      if let retry = retries.first?.at { next = min(next, retry) }
      if let look = looks.first?.at { next = min(next, look) }
      if let opening = queue.nextOpening(now: now) { next = min(next, opening) }
      if let deadline = options.deadline { next = min(next, deadline) }
    }
    return next.nanoseconds == .max ? nil : next
  }
}

/// Who waits for whom, packed: for each task the tasks behind it.
struct Dependents {
  private var starts: [Int32]
  private var targets: [Int32]

  init(_ tasks: [TaskPlan]) {
    starts = [Int32](repeating: 0, count: tasks.count + 1)
    for task in tasks { for before in task.after { starts[Int(before) + 1] += 1 } }
    for index in 1..<max(starts.count, 1) { starts[index] += starts[index - 1] }
    targets = [Int32](repeating: 0, count: Int(starts.last ?? 0))
    var next = starts
    for (index, task) in tasks.enumerated() {
      for before in task.after {
        targets[Int(next[Int(before)])] = Int32(index)
        next[Int(before)] += 1
      }
    }
  }

  func behind(_ task: Int32) -> ArraySlice<Int32> {
    targets[Int(starts[Int(task)])..<Int(starts[Int(task) + 1])]
  }
}

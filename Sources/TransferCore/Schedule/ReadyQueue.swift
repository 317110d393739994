/// The tasks that could start now, sorted by who may go first: priority, which ages so that low
/// never starves, then hosts in turn, then file order within a host.
struct ReadyQueue {
  /// One host of one session: where the limit on connections is counted.
  struct LaneKey: Hashable {
    var session: Int
    /// `scheme://host:port` as the address has it.
    var origin: String
  }

  private struct Bucket {
    var priority: Float
    var tasks = MinHeap<Int32>()
    /// When the bucket was last served, or began to wait.
    var waitingSince: Instant
  }

  private struct Lane {
    var origin: String
    var limit: Int
    var running = 0
    var buckets: [Bucket] = []
    /// Retry-After holds the whole host until then.
    var heldUntil: Instant?
  }

  /// What a minute of waiting adds to a priority.
  static let agingPerMinute: Float = 0.1

  private var lanes: [Lane] = []
  private var index: [LaneKey: Int] = [:]
  /// The lane that was asked for last, and its key.
  private(set) var lastLane: (key: LaneKey, lane: Int)?
  /// Where the turn of the hosts begins.
  private var turn = 0
  /// Lanes that were ever held: mostly none.
  private var held: Set<Int> = []
  /// Origins that were ever held: lanes of other sessions may come later.
  private var heldOrigins: [String: Instant] = [:]
  private(set) var count = 0

  /// The lane of a key, made when it is new.
  mutating func lane(_ key: LaneKey, limit: Int) -> Int {
    if let known = index[key] {
      lastLane = (key, known)
      return known
    }
    let lane = lanes.count
    (index[key], lastLane) = (lane, (key, lane))
    lanes.append(Lane(origin: key.origin, limit: limit))
    if let until = heldOrigins[key.origin] { hold(only: lane, until) }
    return lane
  }

  mutating func add(_ task: Int32, priority: Float, lane: Int, now: Instant) {
    count += 1
    if let known = lanes[lane].buckets.firstIndex(where: { $0.priority == priority }) {
      if lanes[lane].buckets[known].tasks.isEmpty {
        lanes[lane].buckets[known].waitingSince = now
      }
      lanes[lane].buckets[known].tasks.insert(task)
      return
    }
    var bucket = Bucket(priority: priority, waitingSince: now)
    bucket.tasks.insert(task)
    lanes[lane].buckets.append(bucket)
  }

  /// Takes the task that goes next and counts it as running in its lane; nil when none may.
  mutating func take(now: Instant) -> (task: Int32, lane: Int)? {
    var best: (lane: Int, bucket: Int, priority: Float)?
    for step in 0..<lanes.count {
      let position = (turn + step) % lanes.count
      guard lanes[position].running < lanes[position].limit,
        lanes[position].heldUntil.map({ $0 <= now }) ?? true,
        let candidate = front(of: position, now: now)
      else { continue }
      if let known = best, known.priority >= candidate.priority { continue }
      best = (position, candidate.bucket, candidate.priority)
    }
    guard let best, let task = lanes[best.lane].buckets[best.bucket].tasks.removeFirst() else {
      return nil
    }
    lanes[best.lane].buckets[best.bucket].waitingSince = now
    lanes[best.lane].running += 1
    turn = (best.lane + 1) % lanes.count
    count -= 1
    return (task, best.lane)
  }

  private func front(of lane: Int, now: Instant) -> (bucket: Int, priority: Float)? {
    var best: (bucket: Int, priority: Float)?
    for (position, bucket) in lanes[lane].buckets.enumerated() where !bucket.tasks.isEmpty {
      let minutes = Float((now - bucket.waitingSince).milliseconds) / 60_000
      let priority = bucket.priority + minutes * Self.agingPerMinute
      if let known = best, known.priority >= priority { continue }
      best = (position, priority)
    }
    return best
  }

  /// How many more may run in the lane.
  func room(_ lane: Int) -> Int { lanes[lane].limit - lanes[lane].running }

  /// A task takes one more place in its lane; `leave` gives it back.
  mutating func enter(_ lane: Int) { lanes[lane].running += 1 }

  /// A task that ran in the lane no longer does.
  mutating func leave(_ lane: Int) { lanes[lane].running -= 1 }

  /// Holds every lane of this one's host, whatever its session.
  mutating func hold(_ lane: Int, until: Instant) {
    let origin = lanes[lane].origin
    heldOrigins[origin] = max(heldOrigins[origin] ?? until, until)
    for index in lanes.indices where lanes[index].origin == origin { hold(only: index, until) }
  }

  private mutating func hold(only lane: Int, _ until: Instant) {
    held.insert(lane)
    lanes[lane].heldUntil = max(lanes[lane].heldUntil ?? until, until)
  }

  func isHeld(_ lane: Int, now: Instant) -> Bool {
    lanes[lane].heldUntil.map { $0 > now } ?? false
  }

  /// The next moment at which a held lane with waiting tasks opens.
  func nextOpening(now: Instant) -> Instant? {
    var next: Instant?
    for lane in held {
      guard let opening = lanes[lane].heldUntil, opening > now,
        lanes[lane].buckets.contains(where: { !$0.tasks.isEmpty })
      else { continue }
      next = min(next ?? opening, opening)
    }
    return next
  }

  /// Takes out every waiting task, in file order.
  mutating func drain() -> [Int32] {
    var drained: [Int32] = []
    for lane in lanes.indices {
      for bucket in lanes[lane].buckets.indices {
        while let task = lanes[lane].buckets[bucket].tasks.removeFirst() { drained.append(task) }
      }
    }
    count = 0
    return drained.sorted()
  }
}

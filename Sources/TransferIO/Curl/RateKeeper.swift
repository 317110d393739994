import TransferCore

/// Keeps transfers to the rates of the job, of their session and of their task: one whose bytes
/// come too early is paused, and goes on in its turn.
final class RateKeeper {
  /// What holds for one transfer.
  final class Limits {
    fileprivate let down: [Pacer]
    fileprivate let up: [Pacer]
    /// Bytes that should come in one piece at most.
    let downPiece: Int
    let upPiece: Int

    fileprivate init(_ all: [Rates]) {
      down = all.compactMap(\.down)
      up = all.compactMap(\.up)
      downPiece = Self.piece(down)
      upPiece = Self.piece(up)
    }

    private static func piece(_ pacers: [Pacer]) -> Int {
      RatePacer.piece(bytesPerSecond: pacers.map(\.pacer.bytesPerSecond).min() ?? .max)
    }

    func mayReceive(at now: Instant) -> Bool { down.allSatisfy { $0.pacer.mayMove(at: now) } }
    func maySend(at now: Instant) -> Bool { up.allSatisfy { $0.pacer.mayMove(at: now) } }

    func received(_ bytes: Int, at now: Instant) {
      for pacer in down { pacer.pacer.move(bytes, at: now) }
    }

    func sent(_ bytes: Int, at now: Instant) {
      for pacer in up { pacer.pacer.move(bytes, at: now) }
    }
  }

  fileprivate final class Pacer {
    var pacer: RatePacer
    init(_ bytesPerSecond: Int64, at now: Instant) {
      pacer = RatePacer(bytesPerSecond: bytesPerSecond, at: now)
    }
  }

  fileprivate final class Rates {
    let down: Pacer?
    let up: Pacer?
    init(_ limit: RateLimit, at now: Instant) {
      down = limit.download.map { Pacer($0, at: now) }
      up = limit.upload.map { Pacer($0, at: now) }
    }
  }

  /// Which way bytes had to wait.
  enum Direction { case down, up }

  private struct Waiting {
    let transfer: Transfer
    let direction: Direction
    let limits: Limits
    let since: Instant

    func mayGoOn(at now: Instant) -> Bool {
      direction == .down ? limits.mayReceive(at: now) : limits.maySend(at: now)
    }
    var next: Instant? {
      (direction == .down ? limits.down : limits.up).map(\.pacer.next).max()
    }
  }

  private let clock: StepClock
  private let job: Rates?
  private var sessions: [Int: Rates] = [:]
  /// Of tasks that have their own; all of a task's segments share it.
  private var tasks: [Int32: Rates] = [:]
  private var waiting: [Waiting] = []

  init(job: RateLimit, sessions: [SessionPlan], clock: StepClock) {
    self.clock = clock
    self.job = job.isEmpty ? nil : Rates(job, at: clock.now)
    for (index, session) in sessions.enumerated() where !session.rateLimit.isEmpty {
      self.sessions[index] = Rates(session.rateLimit, at: clock.now)
    }
  }

  /// The limits of a request; nil for none.
  func limits(of request: TransferRequest) -> Limits? {
    let own: Rates?
    if let limit = request.rateLimit {
      own = tasks[request.task] ?? Rates(limit, at: clock.now)
      tasks[request.task] = own
    } else {
      own = sessions[request.session]
    }
    let all = [job, own].compactMap(\.self)
    return all.isEmpty ? nil : Limits(all)
  }

  /// The transfer is being paused because of its limits.
  func hold(_ transfer: Transfer, _ direction: Direction, _ limits: Limits) {
    waiting.append(
      Waiting(transfer: transfer, direction: direction, limits: limits, since: clock.now))
  }

  /// When a paused transfer may go on; nil when none waits.
  var nextDue: Instant? { waiting.lazy.compactMap(\.next).min() }

  /// Lets those go on that may, in the order in which they came.
  func goOn() {
    if waiting.isEmpty { return }
    let all = waiting
    waiting = []
    for one in all {
      if one.mayGoOn(at: clock.now) {
        one.transfer.goOn(heldFor: clock.now - one.since)
      } else {
        waiting.append(one)
      }
    }
  }

  func isHeld(_ transfer: Transfer) -> Bool { waiting.contains { $0.transfer === transfer } }

  /// The transfer has ended.
  func forget(_ transfer: Transfer) {
    if !waiting.isEmpty { waiting.removeAll { $0.transfer === transfer } }
  }
}

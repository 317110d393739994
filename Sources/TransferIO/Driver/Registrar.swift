import TransferCore

/// Puts whole files in place and writes down what happened, on a thread of its own: orders in,
/// answers out. The loop's thread owns and uses it; while it lives the state and the log are the
/// other thread's.
final class Registrar {
  /// Orders that weigh more than this make the loop wait for the disk.
  private static let backlogLimit = 3 * 1_048_576

  private let shared: RegistrarQueue
  private let thread: HelperThread
  /// Files that may wait for their names: each takes descriptors.
  private let commitLimit: Int
  private var outbox: [RegistrarOrder] = []

  /// Writes the run's start down and starts the thread.
  /// - Parameters:
  ///   - commitLimit: files that may wait for their names, from 1.
  ///   - bell: rung when there are answers.
  init(
    plan: Plan, state: StateStore, log: CompletionLog, record: RunRecord, start: RunStart,
    commitLimit: Int, bell: WakeUp
  ) throws(Driver.Obstacle) {
    self.commitLimit = commitLimit
    let shared = RegistrarQueue(bell)
    self.shared = shared
    let flusher: Flusher
    do throws(FileError) {
      flusher = try Flusher { shared.box.with { $0.hasFlushed = true } }
    } catch { throw .log(error) }
    let work = RegistrarWork(
      plan: plan, state: state, log: log, record: record, flusher: flusher,
      groupLimit: commitLimit / 2, queue: shared)
    try work.start(start)
    do throws(FileError) {
      thread = try HelperThread("jobrun record") { work.run() }
    } catch { throw .log(error) }
  }

  /// Waits for the order under way and drops the others: after `finished` and `failed` there are
  /// none.
  func close() {
    shared.box.with { $0.isClosing = true }
    thread.join()
  }

  /// Takes an order; it is on its way with the next `send`.
  func submit(_ order: RegistrarOrder) { outbox.append(order) }

  /// Sends what was submitted, and waits while too much waits already.
  func send() {
    if outbox.isEmpty { return }
    let weight = outbox.reduce(0) { $0 + $1.weight }
    let commits = outbox.count { if case .commit = $0 { true } else { false } }
    shared.box.with { state in
      if state.orders.isEmpty { swap(&state.orders, &outbox) } else { state.orders += outbox }
      state.weight += weight
      state.commits += commits
    }
    outbox.removeAll(keepingCapacity: true)
    _ = shared.box.wait { [commitLimit] state in
      let hasRoom = state.weight <= Self.backlogLimit && state.commits <= commitLimit
      return hasRoom || state.hasEnded ? true : nil
    }
  }

  /// Waits until there is an answer.
  func waitForAnswer() { _ = shared.box.wait { $0.answers.isEmpty ? nil : true } }

  /// Answers that are there; doesn't wait.
  func answers() -> [RegistrarAnswer] {
    shared.box.with { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Gives an order that the loop must see carried out before it goes on. Seldom.
  /// - Returns: why it could not be.
  func carryOut(_ order: RegistrarOrder) -> TransferFailure? {
    submit(order)
    send()
    return shared.box.wait { state -> TransferFailure?? in
      if let reply = state.reply {
        state.reply = nil
        return .some(reply.failure)
      }
      guard state.hasEnded else { return nil }
      return .some(TransferFailure(.stopped, "the state can't be written any more"))
    }
  }

  /// Waits for the answer to `finish`.
  func waitForEnd() throws(Driver.Obstacle) {
    send()
    _ = shared.box.wait { $0.hasEnded ? true : nil }
    for case .failed(let obstacle) in answers() { throw obstacle }
  }
}

/// What the loop's thread and the registrar's share.
final class RegistrarQueue {
  struct State {
    var orders: [RegistrarOrder] = []
    /// Of the orders that are not carried out yet, in bytes.
    var weight = 0
    /// Commits that have not come to their end.
    var commits = 0
    var answers: [RegistrarAnswer] = []
    /// To the order that the loop waits for.
    var reply: Reply?
    var hasFlushed = false
    /// It has answered `finished` or `failed`.
    var hasEnded = false
    var isClosing = false
  }

  struct Reply {
    var failure: TransferFailure?
  }

  let box = PthreadBox(State())
  private let bell: WakeUp

  init(_ bell: WakeUp) { self.bell = bell }

  func reply(_ failure: TransferFailure?) { box.with { $0.reply = Reply(failure: failure) } }

  /// - Parameters:
  ///   - weight: of what was let go.
  ///   - settled: commits that came to their end.
  func tell(_ answers: [RegistrarAnswer], letGo weight: Int, settled: Int, _ hasEnded: Bool) {
    if answers.isEmpty, weight == 0 { return }
    box.with { state in
      state.answers += answers
      state.weight -= weight
      state.commits -= settled
      state.hasEnded = hasEnded
    }
    if !answers.isEmpty { bell.ring() }
  }
}

import TransferCore

/// Sees to it that a request that must not be made twice is known as sent before it is: should the
/// run die, the next one doesn't repeat it.
final class SentMarks {
  private let plan: Plan
  private let state: StateStore

  init(plan: Plan, state: StateStore) {
    self.plan = plan
    self.state = state
  }

  /// Called when a task's request that isn't idempotent is about to go out.
  /// - Returns: why it must not, when the mark can't be made.
  func mark(_ task: Int32, at time: WallTime) -> TransferFailure? {
    let planned = plan.tasks[Int(task)]
    if plan.policies[planned.policy].retry.unsafe { return nil }
    do throws(StateError) {
      try state.markSent(
        task: planned.id, at: time, flushes: plan.settings.durability != .none)
      return nil
    } catch { return error.failure }
  }
}

extension Inspector {
  /// Throws when an earlier run sent the task's request and nobody knows what became of it.
  func expectNotSent(_ planned: TaskPlan) throws(TransferFailure) {
    let method = planned.request.method
    guard !forgets, let state, !RetryDecision.isIdempotent(method),
      !plan.policies[planned.policy].retry.unsafe
    else { return }
    let found: SentMark?
    do throws(StateError) { found = try state.sentMark(planned.id) } catch { throw error.failure }
    guard let found else { return }
    throw TransferFailure(
      .unconfirmed,
      "run \(found.runID) sent this \(method) and ended before the answer was known; "
        + "see whether it was carried out, then use --fresh or retry: { unsafe: true }")
  }
}

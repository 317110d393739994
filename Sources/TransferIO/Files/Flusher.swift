import Glibc

/// One helper thread that makes things durable while the loop goes on: values in, values out.
/// Batches are done in the order of their submission. One thread owns and uses it.
package final class Flusher {
  private let shared: FlushQueue
  private let thread: HelperThread
  /// Batches submitted and not yet collected.
  package private(set) var pending = 0

  /// - Parameter wake: called on the helper thread after each batch; it must be safe there, as
  ///   `WakeUp.ring` is.
  package init(wake: @escaping () -> Void) throws(FileError) {
    let shared = FlushQueue(wake: wake)
    self.shared = shared
    thread = try HelperThread("jobrun flush") { shared.work() }
  }

  /// Waits for what was submitted.
  deinit {
    shared.box.with { $0.isEnding = true }
    thread.join()
  }

  package func submit(_ batch: FlushBatch) {
    pending += 1
    shared.box.with { $0.waiting.append(batch) }
  }

  /// Results that are there; doesn't wait.
  package func collect() -> [FlushResult] {
    if pending == 0 { return [] }
    let results = shared.box.with { state in
      defer { state.results = [] }
      return state.results
    }
    pending -= results.count
    return results
  }

  /// Waits for all that was submitted: at the end of a run.
  package func drain() -> [FlushResult] {
    let wanted = pending
    pending = 0
    return shared.box.wait { state in
      if state.results.count < wanted { return nil }
      defer { state.results = [] }
      return state.results
    }
  }
}

/// What the loop's thread and the helper share.
final class FlushQueue {
  struct State {
    var waiting: [FlushBatch] = []
    var results: [FlushResult] = []
    var isEnding = false
  }

  let box = PthreadBox(State())
  private let wake: () -> Void

  init(wake: @escaping () -> Void) { self.wake = wake }

  /// The helper thread, from start to end.
  fileprivate func work() {
    while let batch = next() {
      let result = FlushWork.perform(batch)
      box.with { $0.results.append(result) }
      wake()
    }
  }

  /// The next batch; nil at the end, when all is done.
  private func next() -> FlushBatch? {
    box.wait { state -> FlushBatch?? in
      if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
      return state.isEnding ? .some(nil) : nil
    }
  }
}

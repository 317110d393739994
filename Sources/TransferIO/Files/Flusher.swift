import Glibc

/// One helper thread that makes things durable while the loop goes on: values in, values out.
/// Batches are done in the order of their submission. Owned and used by the loop's thread alone.
@safe package final class Flusher {
  private let shared: FlushQueue
  private let thread: pthread_t
  /// Batches submitted and not yet collected.
  package private(set) var pending = 0

  /// - Parameter wake: called on the helper thread after each batch; it must be safe there, as
  ///   `WakeUp.ring` is.
  package init(wake: @escaping @Sendable () -> Void) throws(FileError) {
    shared = FlushQueue(wake: wake)
    thread = try Self.start(shared)
  }

  /// Starts the thread with every signal blocked: they are the loop's.
  private static func start(_ shared: FlushQueue) throws(FileError) -> pthread_t {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    // The thread's own reference, given back by it at its end.
    let context = unsafe Unmanaged.passRetained(shared)
    var made = pthread_t()
    let code = unsafe pthread_create(&made, nil, FlushQueue.main, context.toOpaque())
    if code != 0 {
      unsafe context.release()
      throw FileError(.system(code), "start", "the flushing thread")
    }
    return made
  }

  /// Waits for what was submitted.
  deinit {
    shared.box.with { $0.isEnding = true }
    pthread_join(thread, nil)
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
@safe final class FlushQueue {
  struct State {
    var waiting: [FlushBatch] = []
    var results: [FlushResult] = []
    var isEnding = false
  }

  let box = PthreadBox(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// The helper thread, from start to end. Its context is a retained FlushQueue.
  static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = unsafe $0 else { return nil }
    unsafe Unmanaged<FlushQueue>.fromOpaque(context).takeRetainedValue().work()
    return nil
  }

  private func work() {
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

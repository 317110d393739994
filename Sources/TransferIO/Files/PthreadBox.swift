import Glibc
import TransferCore

/// A value behind a pthread mutex with a condition, for two threads. (`Synchronization.Mutex` makes
/// the thread sanitizer report races that are none.)
@safe final class PthreadBox<Value> {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe Self.check(pthread_mutex_init(mutex, nil))
    var attributes = pthread_condattr_t()
    unsafe Self.check(pthread_condattr_init(&attributes))
    unsafe Self.check(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
    unsafe Self.check(pthread_cond_init(changed, &attributes))
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at or changes the value, and wakes those that wait for a change.
  func with<Answer>(_ body: (inout Value) -> Answer) -> Answer {
    unsafe Self.check(pthread_mutex_lock(mutex))
    let answer = body(&value)
    unsafe Self.check(pthread_cond_broadcast(changed))
    unsafe Self.check(pthread_mutex_unlock(mutex))
    return answer
  }

  /// Waits until `body` has an answer.
  func wait<Answer>(_ body: (inout Value) -> Answer?) -> Answer {
    unsafe Self.check(pthread_mutex_lock(mutex))
    defer { unsafe Self.check(pthread_mutex_unlock(mutex)) }
    while true {
      if let answer = body(&value) { return answer }
      unsafe Self.check(pthread_cond_wait(changed, mutex))
    }
  }

  /// Waits until `body` has an answer, and no longer than `due`; nil when it had none by then.
  func wait<Answer>(until due: Instant?, _ body: (inout Value) -> Answer?) -> Answer? {
    guard let due else { return wait(body) }
    var moment = timespec(
      tv_sec: Int(due.nanoseconds / 1_000_000_000), tv_nsec: Int(due.nanoseconds % 1_000_000_000))
    unsafe Self.check(pthread_mutex_lock(mutex))
    defer { unsafe Self.check(pthread_mutex_unlock(mutex)) }
    while true {
      if let answer = body(&value) { return answer }
      let code = unsafe pthread_cond_timedwait(changed, mutex, &moment)
      if code == ETIMEDOUT { return nil }
      Self.check(code)
    }
  }

  private static func check(_ code: Int32) {
    precondition(code == 0, "a pthread call failed with \(code)")
  }
}

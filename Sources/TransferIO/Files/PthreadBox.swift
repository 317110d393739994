import Glibc

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
    unsafe Self.check(pthread_cond_init(changed, nil))
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

  private static func check(_ code: Int32) {
    precondition(code == 0, "a pthread call failed with \(code)")
  }
}

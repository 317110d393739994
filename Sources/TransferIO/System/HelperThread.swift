import CLinux
import Glibc

/// A thread beside the loop's. What its body shares with others is the body's to guard.
@safe final class HelperThread {
  private final class Body {
    let name: String
    let run: () -> Void
    init(_ name: String, _ run: @escaping () -> Void) {
      self.name = name
      self.run = run
    }
  }

  private let thread: pthread_t

  /// Starts the thread with every signal blocked: they are the loop's.
  /// - Parameter name: what `ps -L` and messages call it, up to 15 characters.
  init(_ name: String, _ body: @escaping () -> Void) throws(FileError) {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    // The thread's own reference, given back by it at its end.
    let context = unsafe Unmanaged.passRetained(Body(name, body))
    var made = pthread_t()
    let code = unsafe pthread_create(&made, nil, Self.main, context.toOpaque())
    if code != 0 {
      unsafe context.release()
      throw FileError(.system(code), "start", "the thread \(name)")
    }
    thread = made
  }

  /// Waits for its end; once.
  func join() { pthread_join(thread, nil) }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = unsafe $0 else { return nil }
    let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
    unsafe pthread_setname_np(pthread_self(), body.name)
    body.run()
    return nil
  }
}

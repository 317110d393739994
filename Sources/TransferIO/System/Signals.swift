import CLinux
import Glibc
import TransferCore

/// The signals that a run listens to, read from a descriptor in the loop's own time instead of
/// interrupting it. One a process, made before the first thread: threads inherit what is blocked.
///
/// INT, TERM, HUP and USR1 are blocked; INT and HUP that were ignored at the start (nohup) stay
/// ignored and are never read. SIGPIPE is ignored: a broken pipe is an error of a write.
package final class Signals {
  /// The signals that end a run.
  package static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP]

  /// A signalfd(2), readable while a signal waits. Non-blocking.
  package let descriptor: Int32
  private let heard: [Int32]

  /// Blocks the signals in the calling thread and opens the descriptor.
  package init() throws(FileError) {
    let heard = [SIGINT, SIGTERM, SIGHUP, SIGUSR1].filter { !Self.staysIgnored($0) }
    var set = Self.set(heard)
    let code = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    precondition(code == 0, "pthread_sigmask failed")
    _ = signal(SIGPIPE, SIG_IGN)
    let flags = Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)
    let descriptor = unsafe signalfd(-1, &set, flags)
    if descriptor < 0 { throw .last("open", "a signalfd") }
    self.descriptor = descriptor
    self.heard = heard
  }

  deinit { close(descriptor) }

  /// What arrived since the last call, in the order of arrival; empty when nothing did.
  package func read() -> [Int32] {
    var arrived: [Int32] = []
    var entry = signalfd_siginfo()
    while true {
      let size = MemoryLayout<signalfd_siginfo>.size
      let count = unsafe Glibc.read(descriptor, &entry, size)
      if count == size {
        arrived.append(Int32(entry.ssi_signo))
      } else if !(count < 0 && errno == EINTR) {
        return arrived
      }
    }
  }

  /// A signal that ends the run waits to be read. For code that blocks the loop for a while.
  package var isEndWaiting: Bool { waiting != nil }

  private var waiting: Int32? {
    var pending = sigset_t()
    _ = unsafe sigpending(&pending)
    return heard.first { number in
      unsafe Self.ending.contains(number) && sigismember(&pending, number) == 1
    }
  }

  /// How long a signal may wait to be read.
  private static let patience = Duration.milliseconds(1_500)
  private static let looksApart: Int32 = 50

  /// Ends the process by a signal that nobody reads: whoever should is held by a pipe that nobody
  /// empties, or a disk that doesn't answer. What is on disk by then is what a kill leaves. For the
  /// rest of the process's life, on a thread of its own.
  package func watch() throws(FileError) {
    _ = try HelperThread("jobrun signals") { [self] in
      while true {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
        let due = Clock.monotonic() + Self.patience
        while let number = waiting {
          if Clock.monotonic() >= due { Self.die(by: number) }
          _ = poll(nil, 0, Self.looksApart)
        }
        // One that doesn't end the run waits: it is looked at again by and by.
        if entry.revents != 0 { _ = poll(nil, 0, Self.looksApart) }
      }
    }
  }

  /// From here on a signal that ends the run ends the process at once, wherever it is: call it when
  /// the first one was read, so that a second need not wait for the loop.
  package func restoreDefault() {
    let ending = heard.filter { Self.ending.contains($0) }
    for number in ending { _ = signal(number, SIG_DFL) }
    var set = Self.set(ending)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Ends the process by the signal itself, so that a shell shows 128+N and a service manager sees
  /// which it was.
  package static func die(by number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    var set = set([number])
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
    // A container's first process survives what it sends itself.
    _exit(128 + number)
  }

  private static func set(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in numbers { _ = unsafe sigaddset(&set, number) }
    return set
  }

  private static func staysIgnored(_ number: Int32) -> Bool {
    if number != SIGINT && number != SIGHUP { return false }
    var action = sigaction()
    _ = unsafe sigaction(number, nil, &action)
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return handler == ignore
  }
}

import CLinux
import Glibc
import TransferCore

/// A program that prints a secret. Runs without a shell, with nothing to read, in a process group
/// of its own, so that it and all it started can be ended.
struct SecretCommand {
  enum Problem: Error, Equatable {
    /// posix_spawn's errno.
    case notStarted(Int32)
    /// Not done in time.
    case timedOut(seconds: Int)
    case tooLarge
    /// An exit status other than 0 and the first line that it complained with.
    case exited(Int32, String)
    /// The signal that ended it and the first line that it complained with.
    case killed(Int32, String)
    /// The run is being ended.
    case stopped
    /// Of our own side: errno and what was tried.
    case machine(Int32, String)
  }

  var words: [String]
  var folder: String
  var shouldStop: () -> Bool
  var limit: Duration = .seconds(30)
  /// The most bytes of output.
  var bound = SecretResolver.bound

  /// How often `shouldStop` is asked.
  private static let slice: Int64 = 200
  private static let complaintBound = 65_536

  /// What it printed on standard output, when it ended with 0.
  func run() throws(Problem) -> [UInt8] {
    let output = try Pipe()
    let complaint = try Pipe()
    let child = try start(output, complaint)
    output.closeWriting()
    complaint.closeWriting()
    let reading = Result { () throws(Problem) in try read(child, output, complaint) }
    if case .failure = reading { kill(-child, SIGKILL) }
    let status = Self.wait(for: child)
    let (printed, complained) = try reading.get()
    let first = Self.firstLine(complained, hiding: printed)
    if status & 0x7F != 0 { throw .killed(status & 0x7F, first) }
    if status >> 8 & 0xFF != 0 { throw .exited(status >> 8 & 0xFF, first) }
    return printed
  }

  /// Reads both pipes until the program has ended and they are empty.
  private func read(
    _ child: pid_t, _ output: Pipe, _ complaint: Pipe
  ) throws(Problem) -> (output: [UInt8], complaint: [UInt8]) {
    let end = pidfd_open(child, 0)
    if end < 0 { throw .machine(errno, "watch it") }
    defer { close(end) }
    let deadline = Clock.monotonic() + limit
    var (printed, complained): ([UInt8], [UInt8]) = ([], [])
    while true {
      let hasEnded = try wait(end, output, complaint, until: deadline)
      output.drain(into: &printed, keeping: bound + 1)
      complaint.drain(into: &complained, keeping: Self.complaintBound)
      if printed.count > bound { throw .tooLarge }
      if hasEnded { return (printed, complained) }
    }
  }

  /// Waits for something to read or the program's end; true for the end.
  private func wait(
    _ end: Int32, _ output: Pipe, _ complaint: Pipe, until deadline: Instant
  ) throws(Problem) -> Bool {
    if shouldStop() { throw .stopped }
    let left = (deadline - Clock.monotonic()).milliseconds
    if left <= 0 { throw .timedOut(seconds: Int(limit.components.seconds)) }
    var waits = [end, output.awaited, complaint.awaited].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = unsafe poll(&waits, 3, Int32(min(left, Self.slice)))
    return waits[0].revents != 0
  }

  private func start(_ output: Pipe, _ complaint: Pipe) throws(Problem) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe jobrun_spawn_in(&actions, folder)
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writable, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, complaint.writable, 2)
    Self.restoreSignals(&attributes)
    var child: pid_t = 0
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    let code = unsafe posix_spawnp(
      &child, words.first ?? "", &actions, &attributes, &arguments, jobrun_environment())
    if code != 0 { throw .notStarted(code) }
    return child
  }

  /// We block some signals and ignore SIGPIPE; the program starts as from a shell.
  private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var pipe = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &pipe)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// At most 200 characters, without control characters, and without what may be the secret: shells
  /// that trace themselves print it here.
  private static func firstLine(_ complaint: [UInt8], hiding output: [UInt8]) -> String {
    let text = String(decoding: complaint, as: UTF8.self)
    let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    let mask = SecretMask(lines.map(String.init))
    let line = text.split(whereSeparator: \.isNewline).first.map { mask.mask(String($0)) } ?? ""
    let shown = line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    return String(String(String.UnicodeScalarView(shown)).prefix(200))
  }
}

extension SecretCommand.Problem {
  /// What happened and what to do, without the output.
  func words(command: String, folder: String) -> String {
    switch self {
    case .notStarted(let number):
      "can't start \(command) in \(folder): \(FileError.words(number)): "
        + "is it there, executable, and on the PATH?"
    case .timedOut(let seconds):
      "\(command) was not done in \(seconds) s and was ended: it can't ask for anything here"
    case .tooLarge: "\(command) prints more than 1 MiB: a secret is shorter"
    case .exited(let status, let line): "\(command) ended with \(status)" + Self.said(line)
    case .killed(let number, let line): "\(command) was ended by signal \(number)" + Self.said(line)
    case .stopped: "the run is being ended"
    case .machine(let number, let tried): "can't \(tried): \(FileError.words(number))"
    }
  }

  private static func said(_ line: String) -> String {
    line.isEmpty ? " and said nothing: run it by hand" : ": \(line)"
  }
}

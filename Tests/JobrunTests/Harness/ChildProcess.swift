import Glibc
import Synchronization

/// A program that a test started: its standard input comes from memory, its outputs are gathered.
final class ChildProcess {
  /// How it ended, and what it wrote.
  struct Ended {
    /// The exit status; 128 + N when signal N ended it.
    var code: Int32
    var out: String
    var err: String
  }
  struct SpawnError: Error {
    var program: String
    var number: Int32
  }

  /// What standard output leads to.
  enum Output {
    case gathered, closed
    case file(String)
  }

  let id: pid_t
  private var outputs: [(descriptor: Int32, bytes: [UInt8])]
  private var isReaped = false

  /// Starts `program` (a path, not searched for).
  /// - Parameters:
  ///   - environment: the whole of it, `NAME=VALUE`.
  ///   - folder: the working folder; nil is the test's own.
  ///   - lead: a command line that becomes the one that follows it, somewhere else.
  init(
    _ program: String, _ arguments: [String], environment: [String], folder: String? = nil,
    input: String = "", output: Output = .gathered, lead: [String] = []
  ) throws {
    // `env -C` changes the folder and becomes the program: the C library's own way needs
    // _GNU_SOURCE, which the Glibc module hasn't.
    let words = lead + (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [program] + arguments
    let source = try Self.file(holding: input)
    defer { close(source) }
    let started = try Self.gate.withLock { _ in
      try Self.spawn(words, environment, input: source, output)
    }
    id = started.id
    outputs = [(started.out, []), (started.err, [])]
  }

  /// Descriptors become close-on-exec a moment after they are made: no other spawn in between.
  private static let gate = Mutex(())

  private static func spawn(
    _ words: [String], _ environment: [String], input: Int32, _ output: Output
  ) throws -> (id: pid_t, out: Int32, err: Int32) {
    let out = try pipe()
    let err = try pipe()
    defer {
      close(out.write)
      close(err.write)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    switch output {
    case .gathered: posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO)
    case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT, 0o600)
    }
    posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO)
    // Threads of tests block signals, and a server that inherits that can't be asked to end.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let number = posix_spawn(&child, words[0], &actions, &attributes, arguments, variables)
    guard number == 0 else {
      close(out.read)
      close(err.read)
      throw SpawnError(program: words[0], number: number)
    }
    return (child, out.read, err.read)
  }

  deinit {
    if !isReaped {
      kill(id, SIGKILL)
      _ = reap()
    }
    for output in outputs { close(output.descriptor) }
  }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Gathers standard output until `text` stands in standard error, or the process closes it.
  func waitForError(containing text: String) -> Bool {
    while !String(decoding: outputs[1].bytes, as: UTF8.self).contains(text) {
      guard readSome(from: [1]) else { return false }
    }
    return true
  }

  /// The same of standard output.
  func waitForOutput(containing text: String) -> Bool {
    while !String(decoding: outputs[0].bytes, as: UTF8.self).contains(text) {
      guard readSome(from: [0]) else { return false }
    }
    return true
  }

  /// Gathers both outputs to their ends, then the exit status. A process that says nothing for
  /// `seconds` is killed.
  func wait(silence seconds: Int32 = 60) -> Ended {
    while readSome(from: [0, 1], silence: seconds) {}
    let code = reap()
    return Ended(
      code: code, out: String(decoding: outputs[0].bytes, as: UTF8.self),
      err: String(decoding: outputs[1].bytes, as: UTF8.self))
  }

  private var ended: Set<Int> = []

  /// Waits for bytes on any of the outputs; false when all are at their end.
  private func readSome(from wanted: [Int], silence seconds: Int32 = 60) -> Bool {
    let open = wanted.filter { !ended.contains($0) }
    if open.isEmpty { return false }
    var entries = open.map { pollfd(fd: outputs[$0].descriptor, events: Int16(POLLIN), revents: 0) }
    let ready = poll(&entries, nfds_t(entries.count), seconds * 1000)
    if ready == 0 {
      kill(id, SIGKILL)
      return true
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    for (index, entry) in zip(open, entries) where entry.revents != 0 {
      let count = read(entry.fd, &chunk, chunk.count)
      if count > 0 { outputs[index].bytes += chunk[..<count] } else { ended.insert(index) }
    }
    return true
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw SpawnError(program: "pipe", number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// An unnamed file with this text, at its start.
  private static func file(holding text: String) throws -> Int32 {
    var template = Array("/tmp/jobrun-input-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SpawnError(program: "mkstemp", number: errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let bytes = Array(text.utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
      throw SpawnError(program: "pwrite", number: errno)
    }
    return descriptor
  }
}

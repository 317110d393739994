import Glibc
import Synchronization
import Testing
import TransferCore
import TransferIO

/// A job of some small files and a large one, a server that publishes them version by version, and
/// what must hold after a run was ended in any way.
final class CrashScene {
  static let small = ["a", "b", "c"]
  static let all = small + ["big"]
  /// Bytes of the large file that arrive before its transfer is cut.
  static let cut = 200_000

  let folder: TemporaryFolder
  /// Where targets and state are.
  let root: String
  private let stateFolder: String
  /// Where the program runs, when what it writes to is mounted there alone.
  private let space: MountSpace?
  let server: TinyServer
  private let origin: Origin

  /// What the server has and did.
  private final class Origin: Sendable {
    struct State {
      var versions: [String: Int] = [:]
      var cuts = false
      /// Body bytes sent since the last call of `start`, by name.
      var served: [String: Int] = [:]
    }
    let state = Mutex(State())
  }

  /// - Parameters:
  ///   - place: the folder for targets and state; nil is one of its own.
  ///   - other: another folder for the state.
  ///   - space: where these are mounted; nil is where the tests run.
  ///   - settings: further lines of the job.
  ///   - keys: further keys of each task, with a comma before each.
  init(
    in place: String? = nil, state other: String? = nil, on space: MountSpace? = nil,
    settings: String = "", keys: String = ""
  ) throws {
    self.space = space
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    let origin = Origin()
    self.origin = origin
    server = try TinyServer { request in
      origin.state.withLock { Self.answer(request, &$0) }
    }
    root = place ?? folder.path
    stateFolder = other ?? root + "/state"
    let tasks = Self.all.map {
      "  - { id: \($0), download: '\(server.url)/\($0)', to: out/, retry: { attempts: 1 }"
        + "\(keys) }"
    }
    let lines =
      ["version: 1", "root: \(root)", "state: \(stateFolder)"]
      + (settings.isEmpty ? [] : [settings]) + ["tasks:"] + tasks
    try folder.write("job.yaml", lines.joined(separator: "\n") + "\n")
  }

  deinit { server.stop() }

  // MARK: The server

  /// What version `number` of a file is: a line over and over, so that a file spliced from two
  /// versions is neither.
  static func content(_ name: String, _ number: Int) -> String {
    let line = "\(name) is now version \(10_000 + number) of this file\n"
    return String(repeating: line, count: (name == "big" ? 600_000 : 2_000) / line.utf8.count)
  }

  func publish(_ names: [String], _ number: Int) {
    origin.state.withLock { state in for name in names { state.versions[name] = number } }
  }

  /// Cuts each answer with the large file from now on, or not any more.
  func cut(_ cuts: Bool) { origin.state.withLock { $0.cuts = cuts } }

  /// Forgets what was served.
  func start() { origin.state.withLock { $0.served = [:] } }

  func served(_ name: String) -> Int { origin.state.withLock { $0.served[name] ?? 0 } }

  private static func answer(
    _ request: TinyServer.Request, _ state: inout Origin.State
  ) -> String {
    let name = String(request.line.drop { $0 != "/" }.dropFirst())
    guard let version = state.versions[name] else { return TinyServer.answer("404 Not Found") }
    let content = content(name, version)
    let tag = "\"\(name)-\(version)\""
    let fields = ["ETag: \(tag)", "Accept-Ranges: bytes"]
    if request.head.contains("If-None-Match: \(tag)") {
      return TinyServer.answer("304 Not Modified", fields)
    }
    let range = request.head.firstRange(of: "Range: bytes=").flatMap { found in
      Int(request.head[found.upperBound...].prefix { $0.isNumber })
    }
    let continues = range.map { $0 < content.utf8.count } ?? false
    let from = continues && request.head.contains("If-Range: \(tag)") ? range ?? 0 : 0
    let body = String(content.utf8.dropFirst(from)) ?? ""
    let sent = state.cuts && name == "big" ? String(body.utf8.prefix(cut)) ?? "" : body
    state.served[name, default: 0] += sent.utf8.count
    let total = content.utf8.count
    let status =
      from > 0
      ? "206 Partial Content\r\nContent-Range: bytes \(from)-\(total - 1)/\(total)" : "200 OK"
    let whole = TinyServer.answer(status, fields, body: body)
    return String(whole.utf8.dropLast(body.utf8.count - sent.utf8.count)) ?? ""
  }

  // MARK: Runs

  /// - Parameter shim: settings of the shim; none leaves it out.
  func run(_ arguments: [String] = [], shim: [String] = []) throws -> ChildProcess.Ended {
    try command(
      ["-q", "job.yaml"] + arguments, environment: shim.isEmpty ? [] : try Shim.environment(shim))
  }

  /// Any command, in the job's folder.
  func command(_ words: [String], environment: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(
      words, environment: environment, folder: folder.path, lead: space?.lead ?? [])
  }

  /// The same file, for this process.
  private func seen(_ path: String) -> String { (space?.view ?? "") + path }

  func target(_ name: String) -> String? { TemporaryFolder.text(of: seen(root + "/out/" + name)) }

  /// The version that stands at a target; nil when there is no file. Records what is none of
  /// those given.
  func version(_ name: String, among versions: [Int], _ moment: String) -> Int? {
    guard let found = target(name) else { return nil }
    let version = versions.first { Self.content(name, $0) == found }
    #expect(version != nil, "\(name) is none of \(versions): \(found.utf8.count) bytes, \(moment)")
    return version
  }

  /// What the state knows to be on disk of the large file's part file.
  func checkpoint() throws -> Int64? {
    try readState { try $0.checkpoint("big")?.durableBytes }
  }

  /// The ETag of the version that the state claims to be at a target.
  func claimed(_ name: String) throws -> String? {
    try readState { try $0.committedFile(name)?.validator.etag }
  }

  /// Of a copy: SQLite follows links itself.
  private func readState<Value>(_ read: (StateStore) throws -> Value?) throws -> Value? {
    let copy = try TemporaryFolder()
    for name in ["state.db", "state.db-wal"] {
      if let bytes = Bytes.read(seen(stateFolder + "/" + name)) {
        try Bytes.write(bytes, to: copy.path + "/" + name)
      }
    }
    let job = JobIdentity(name: "job", file: "-", folder: root, root: root)
    return try StateStore(reading: StateFolder(path: copy.path), job: job).flatMap(read)
  }

  /// Everything is there in this version, and nothing else.
  func expectAll(_ version: Int, _ moment: String) throws {
    for name in Self.all {
      #expect(self.version(name, among: [version], moment) == version, "\(name), \(moment)")
    }
    let top = seen(root)
    let left = try Clone.files(below: top).map { $0.dropFirst(top.count) }
    #expect(!left.contains { $0.contains(".part") || $0.contains("damaged") }, "\(left) \(moment)")
  }

  /// Whole lines, one a task and run at most, an end for every run that began.
  func expectLogInOrder() {
    let log = TemporaryFolder.text(of: seen(stateFolder + "/completion.jsonl")) ?? ""
    #expect(log.hasSuffix("}\n"))
    var told: Set<String> = []
    var (started, ended): ([String], [String]) = ([], [])
    for line in log.split(separator: "\n") {
      guard let record = JSONNode(line.utf8), let run = record["run_id"]?.text else {
        Issue.record("no record: \(line.prefix(200))")
        continue
      }
      if record["event"]?.text == "run_started" { started.append(run) }
      if record["event"]?.text == "run_finished" { ended.append(run) }
      guard let task = record["task"]?.text else { continue }
      #expect(told.insert("\(task) \(run)").inserted, "twice: \(task) in run \(run)")
    }
    #expect(!started.isEmpty && Set(started).count == started.count)
    #expect(Set(ended).count == ended.count)
    let open = Set(started).symmetricDifference(ended).sorted()
    #expect(open.isEmpty, "begun and not ended, or ended and not begun: \(open)")
  }
}

import Glibc
import Testing

/// A POST that was sent when the runner died isn't sent again until somebody says so.
@Suite struct UnconfirmedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Holds what it is sent to `/hold`, and answers the rest.
  private func server() throws -> TinyServer {
    try TinyServer { request in
      request.line.hasSuffix("/hold") ? nil : TinyServer.answer("200 OK", body: "ok")
    }
  }

  private func write(_ server: TinyServer, path: String, more: String = "") throws {
    try folder.write(
      "job.yaml",
      """
      version: 1
      tasks:
        - { id: post, data: "\(server.url)\(path)", method: POST, body: hello\(more) }
      """)
  }

  private func run(_ arguments: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(["--state", "st", "job.yaml"] + arguments, folder: folder.path)
  }

  /// Starts a run and ends it by `signal` once the server has the whole POST.
  private func interrupt(_ server: TinyServer, by signal: Int32) throws {
    let run = try Jobrun.start(["--state", "st", "job.yaml"], folder: folder.path)
    server.waitForRequest()
    run.send(signal)
    #expect(run.wait().code == 128 + signal)
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
  func isNotSentAgain(signal: Int32) throws {
    let server = try server()
    defer { server.stop() }
    try write(server, path: "/hold")
    try interrupt(server, by: signal)
    #expect(server.seen.map(\.body) == ["hello"])
    // The server would answer now, and still nothing is sent: not in this run, nor in the next.
    try write(server, path: "/answer")
    for _ in 1...2 {
      let plan = try Jobrun.run(["plan", "--state", "st", "job.yaml"], folder: folder.path)
      #expect(plan.out.contains("would fail now: run "))
      let ended = try run()
      #expect(ended.code == 1)
      #expect(ended.err.contains("sent this POST") && ended.err.contains("[unconfirmed]"))
    }
    #expect(server.seen.count == 1)
    let log = try #require(folder.read("st/completion.jsonl"))
    #expect(log.contains("\"error\":{\"code\":\"unconfirmed\""))
    #expect(try run(["--fresh"]).code == 0)
    #expect(server.seen.count == 2)
    #expect(try run().code == 0)
    #expect(server.seen.count == 3)
  }

  @Test func unsafeSendsItAgain() throws {
    let server = try server()
    defer { server.stop() }
    try write(server, path: "/hold", more: ", retry: { unsafe: true }")
    try interrupt(server, by: SIGKILL)
    try write(server, path: "/answer", more: ", retry: { unsafe: true }")
    #expect(try run().code == 0)
    #expect(server.seen.count == 2)
  }

  /// The mark of a killed run is seen by `unsafe` that is taken away later, and goes with success.
  @Test func successForgetsIt() throws {
    let server = try server()
    defer { server.stop() }
    try write(server, path: "/hold")
    try interrupt(server, by: SIGKILL)
    try write(server, path: "/answer", more: ", retry: { unsafe: true }")
    #expect(try run().code == 0)
    try write(server, path: "/answer")
    #expect(try run().code == 0)
  }

  /// Nothing had been sent: the run died while the connection was still being made.
  @Test func oneThatNeverWentOutIsSent() throws {
    let server = try server()
    defer { server.stop() }
    // A listener whose queue is full lets nobody in: nothing can be sent to it.
    let full = try FullListener()
    try folder.write(
      "job.yaml",
      """
      version: 1
      tasks:
        - { id: post, data: "http://127.0.0.1:\(full.port)/", method: POST, body: hello }
        - { id: other, data: "\(server.url)/other", method: POST, body: other }
      """)
    let run = try Jobrun.start(["--state", "st", "job.yaml"], folder: folder.path)
    #expect(run.waitForError(containing: "other"))
    run.send(SIGKILL)
    #expect(run.wait().code == 137)
    try write(server, path: "/answer")
    #expect(try self.run().code == 0)
    #expect(server.seen.map(\.body) == ["other", "hello"])
  }

  /// What came of a POST is written down before anything that comes after it is sent.
  @Test func anAnswerIsKnownAtOnce() throws {
    let server = try server()
    defer { server.stop() }
    func write(_ path: String) throws {
      try folder.write(
        "job.yaml",
        """
        version: 1
        tasks:
          - { id: post, data: "\(server.url)/answer", method: POST, body: hello }
          - { id: next, data: "\(server.url)\(path)", after: [post] }
        """)
    }
    try write("/hold")
    let run = try Jobrun.start(["--state", "st", "job.yaml"], folder: folder.path)
    server.waitForRequest()
    server.waitForRequest()
    run.send(SIGKILL)
    #expect(run.wait().code == 137)
    try write("/answer")
    let next = try self.run()
    #expect(next.code == 0 && next.err.contains("unchanged  post"), "\(next.err)")
    #expect(server.seen.map(\.line) == ["POST /answer", "GET /hold", "GET /answer"])
  }

  @Test func aPUTIsSentAgain() throws {
    let server = try server()
    defer { server.stop() }
    for path in ["/hold", "/answer"] {
      try folder.write("job.yaml", Self.put(server, path))
      if path == "/hold" {
        try interrupt(server, by: SIGKILL)
      } else {
        #expect(try run().code == 0)
      }
    }
    #expect(server.seen.count == 2)
  }

  private static func put(_ server: TinyServer, _ path: String) -> String {
    """
    version: 1
    tasks:
      - { id: put, data: "\(server.url)\(path)", method: PUT, body: hello }
    """
  }
}

/// A listening socket of loopback whose queue of connections is full.
final class FullListener {
  let port: UInt16
  private var descriptors: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    descriptors.append(listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) + listen(listener, 0)
          + getsockname(listener, pointer, &length)
      }
    }
    try #require(code == 0)
    port = UInt16(bigEndian: address.sin_port)
    for _ in 0..<4 {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let caller = socket(AF_INET, kind, 0)
      descriptors.append(caller)
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          connect(caller, pointer, length)
        }
      }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

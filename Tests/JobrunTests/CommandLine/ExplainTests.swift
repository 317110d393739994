import Glibc
import Testing

/// `explain`: what is said of a task is what happened to it.
@Suite struct ExplainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String] { ["XDG_STATE_HOME=\(folder.path)/state"] }

  private func jobrun(_ arguments: [String], in place: String? = nil) throws -> ChildProcess.Ended {
    try Jobrun.run(arguments, environment: environment, folder: place ?? folder.path)
  }

  /// What is told of a task, on one line: sentences may be wrapped anywhere.
  private func told(_ job: String, _ task: String, in place: String? = nil) throws -> String {
    let ended = try jobrun(["explain", job, task], in: place)
    #expect(ended.code == 0, "\(ended.err)")
    for line in ended.out.split(separator: "\n") where !line.dropFirst(2).contains("/") {
      #expect(line.count <= 80, "\(line)")
    }
    return ended.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func write(_ server: TinyServer) throws {
    try folder.write(
      "night.yaml",
      """
      version: 1
      defaults: { retry: { attempts: 3, backoff: 1ms } }
      tasks:
        - { id: flaky, download: "\(server.url)/flaky", to: out/ }
        - { id: moved, download: "\(server.url)/moved", to: out/ }
        - { id: gone, download: "\(server.url)/gone", to: out/, after: [moved] }
        - { id: many, matrix: { n: [1, 2] }, data: "\(server.url)/${matrix.n}" }
      """)
  }

  private func server() throws -> TinyServer {
    try TinyServer { request in
      let isAgain = request.head.contains("If-None-Match")
      return switch request.line {
      case "GET /flaky": "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
      case "GET /moved": TinyServer.answer("302 Found", ["Location: /here"])
      case "GET /here" where isAgain: TinyServer.answer("304 Not Modified", ["ETag: \"v1\""])
      case "GET /here": TinyServer.answer("200 OK", ["ETag: \"v1\""], body: "the file")
      case "GET /gone": TinyServer.answer("404 Not Found")
      default: TinyServer.answer("200 OK", body: "data")
      }
    }
  }

  @Test func triesRedirectsAndFailuresAreTold() throws {
    let server = try server()
    defer { server.stop() }
    try write(server)
    let before = try told("night.yaml", "gone")
    #expect(before.contains("No file is there yet."))
    #expect(before.contains("It would fetch the file from its first byte"))
    #expect(before.contains("It starts after moved."))
    #expect(before.contains("No run that is still known of has ended this task."))
    #expect(try jobrun(["night.yaml"]).code == 1)
    let flaky = try told("night.yaml", "flaky")
    #expect(flaky.contains(": failed It ended at 20"))
    #expect(flaky.contains("after 3 tries and 3 requests."))
    #expect(flaky.contains("Try 1 failed: the server answered 503 Service Unavailable [status]"))
    #expect(flaky.contains("Try 2 failed: "))
    #expect(flaky.contains("It failed for good: the server answered 503"))
    #expect(flaky.contains("Trying again later may help."))
    let moved = try told("night.yaml", "moved")
    #expect(moved.contains("302 Found led on to \(server.url)/here"))
    #expect(moved.contains("The last answer was 200 OK (http/1.1, 127.0.0.1 port \(server.port))."))
    #expect(moved.contains("8 bytes of body came."))
    #expect(moved.contains("The whole file was put in place: \(folder.path)/out/moved"))
    #expect(moved.contains("It is the one that this task wrote."))
    #expect(moved.contains("Its version there: ETag \"v1\"."))
    let gone = try told("night.yaml", "gone")
    #expect(gone.contains("404 Not Found") && gone.contains("What to do: check the address"))
  }

  @Test func aJobsNameFindsItFromAnywhere() throws {
    let server = try server()
    defer { server.stop() }
    try write(server)
    #expect(try jobrun(["night.yaml"]).code == 1)
    #expect(try told("night", "moved", in: "/") == told("night.yaml", "moved"))
    #expect(try jobrun(["plan", "night"], in: "/").out.contains("moved"))
    let again = try jobrun(["night"], in: "/")
    #expect(again.code == 1 && again.err.contains("night: "))
    let unknown = try jobrun(["explain", "day", "moved"], in: "/")
    #expect(unknown.code == 2 && unknown.err.contains("can't read the job day"))
  }

  @Test func historyOutlivesTheJobFile() throws {
    let server = try server()
    defer { server.stop() }
    try write(server)
    #expect(try jobrun(["night.yaml"]).code == 1)
    unlink(folder.path + "/night.yaml")
    let ended = try jobrun(["explain", "night", "moved"])
    #expect(ended.code == 0 && ended.err.contains("night.yaml is gone"))
    #expect(ended.out.contains("the job night had"))
    #expect(ended.out.contains("302 Found led on to"))
    let unknown = try jobrun(["explain", "night", "other"])
    #expect(unknown.code == 2 && unknown.err.contains("nothing is known of a task \"other\""))
  }

  @Test func anIdThatStandsForSeveralTellsOfEach() throws {
    let server = try server()
    defer { server.stop() }
    try write(server)
    let told = try jobrun(["explain", "night.yaml", "many"]).out
    #expect(told.contains("many[1]: data of the job night"))
    #expect(told.contains("\nmany[2]: data of the job night"))
    let near = try jobrun(["explain", "night.yaml", "move"])
    #expect(near.code == 2)
    #expect(near.err.contains("the job night has no task \"move\"; did you mean moved?"))
  }

  /// The state keeps the records of three runs; older ones are in the log.
  @Test func theLogTellsOfOlderRuns() throws {
    let server = try server()
    defer { server.stop() }
    try write(server)
    for _ in 1...5 { #expect(try jobrun(["night.yaml"]).code == 1) }
    let ended = try jobrun(["explain", "night.yaml", "gone"])
    #expect(ended.out.matches(of: /\nRun 20[^ ]*: failed\n/).count == 5)
    unlink(folder.path + "/state/jobrun/night/completion.jsonl")
    let without = try jobrun(["explain", "night.yaml", "gone"])
    #expect(without.out.matches(of: /\nRun 20[^ ]*: failed\n/).count == 3)
  }

  @Test func aRunThatGoesOnAndAKilledOneAreTold() throws {
    let server = try TinyServer { _ in nil }
    defer { server.stop() }
    try folder.write(
      "job.yaml",
      "version: 1\ntasks:\n  - { id: big, data: \"\(server.url)/big\" }\n")
    let run = try Jobrun.start(["job.yaml"], environment: environment, folder: folder.path)
    server.waitForRequest()
    let during = try told("job.yaml", "big")
    #expect(during.contains("is going on; the task hasn't ended in it."))
    run.send(SIGKILL)
    #expect(run.wait().code == 137)
    #expect(try told("job.yaml", "big").contains("was killed before the task had ended."))
  }
}

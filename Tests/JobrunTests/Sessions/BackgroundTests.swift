import Glibc
import Testing

/// `type: background` as this version does it: in the foreground, which it says; with the lock by
/// identifier and the folder that downloads go to.
@Suite struct BackgroundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String] {
    ["XDG_DATA_HOME=\(folder.path)/data", "XDG_STATE_HOME=\(folder.path)/state"]
  }

  private func server() throws -> TinyServer {
    try TinyServer { request in
      request.line.hasSuffix("/hold") ? nil : TinyServer.answer("200 OK", body: "bytes")
    }
  }

  private func write(
    _ job: String, _ server: TinyServer, path: String = "/file", identifier: String = "org.one",
    more: String = "", to: String = "file"
  ) throws {
    try folder.write(
      "\(job).yaml",
      """
      version: 1
      sessions:
        bulk: { type: background, identifier: \(identifier)\(more) }
      tasks:
        - { id: get, session: bulk, download: "\(server.url)\(path)", to: "\(to)" }
      """)
  }

  private func run(_ job: String, _ options: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(options + ["\(job).yaml"], environment: environment, folder: folder.path)
  }

  @Test func itRunsHereAndSaysSo() throws {
    let server = try server()
    defer { server.stop() }
    try write("job", server)
    let ended = try run("job")
    #expect(ended.code == 0)
    #expect(ended.err.contains("bulk is a background session: this version runs it here"))
    #expect(folder.read("file") == "bytes")
    #expect(!(try run("job", ["-q"]).err.contains("background")))
  }

  // MARK: The identifier

  @Test func oneIdentifierIsInOneRunAtATime() throws {
    let server = try server()
    defer { server.stop() }
    try write("first", server, path: "/hold", to: "one")
    try write("second", server, to: "two")
    try write("other", server, identifier: "\"org/two ../x\"", to: "three")
    let first = try Jobrun.start(["first.yaml"], environment: environment, folder: folder.path)
    server.waitForRequest()
    let second = try run("second")
    #expect(second.code == 4)
    #expect(
      second.err.contains(
        "a run of first has the background session org.one (process \(first.id)) since 20"),
      "\(second.err)")
    #expect(folder.read("two") == nil)
    let skipped = try run("second", ["--on-overlap", "skip"])
    #expect(skipped.code == 0, "\(skipped.err)")
    #expect(try run("other").code == 0)
    first.send(SIGKILL)
    #expect(first.wait().code == 137)
    #expect(try run("second").code == 0)
    #expect(folder.read("two") == "bytes")
  }

  /// A session that no task uses locks nothing.
  @Test func anUnusedSessionLocksNothing() throws {
    let server = try server()
    defer { server.stop() }
    try write("first", server, path: "/hold", to: "one")
    let first = try Jobrun.start(["first.yaml"], environment: environment, folder: folder.path)
    server.waitForRequest()
    try folder.write(
      "second.yaml",
      "version: 1\nsessions: { b: { type: background, identifier: org.one } }\n"
        + "tasks:\n  - { id: a, data: \"\(server.url)/x\" }\n")
    #expect(try run("second").code == 0)
    first.send(SIGKILL)
    #expect(first.wait().code == 137)
  }

  // MARK: shared_container

  @Test func relativeTargetsStartInTheContainer() throws {
    let server = try server()
    defer { server.stop() }
    try write("job", server, more: ", shared_container: ../shared", to: "a/file")
    try folder.write("jobs/x", "")
    let text = try #require(folder.read("job.yaml"))
    try folder.write("jobs/job.yaml", text)
    let plan = try Jobrun.run(
      ["plan", "--format", "json", "jobs/job.yaml"], environment: environment, folder: folder.path)
    #expect(plan.out.contains("\"path\": \"\(folder.path)/shared/a/file\""), "\(plan.out)")
    let ended = try Jobrun.run(
      ["jobs/job.yaml"], environment: environment, folder: folder.path)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(folder.read("shared/a/file") == "bytes")
    #expect(folder.read("jobs/a/file") == nil)
  }

  @Test func noLinkLeadsOutOfTheContainer() throws {
    let server = try server()
    defer { server.stop() }
    try folder.write("shared/x", "")
    try folder.write("elsewhere/x", "")
    symlink("../elsewhere", folder.path + "/shared/a")
    try write("job", server, more: ", shared_container: shared", to: "a/file")
    let ended = try run("job")
    #expect(ended.code == 1)
    #expect(ended.err.contains("leads out of"), "\(ended.err)")
    #expect(folder.read("elsewhere/file") == nil)
    try write("job", server, more: ", shared_container: shared", to: "../file")
    #expect(try run("job").code == 2)
  }

  @Test func anAbsoluteTargetStaysWhereItIs() throws {
    let server = try server()
    defer { server.stop() }
    try write("job", server, more: ", shared_container: shared", to: "\(folder.path)/abs")
    #expect(try run("job").code == 0)
    #expect(folder.read("abs") == "bytes")
  }
}

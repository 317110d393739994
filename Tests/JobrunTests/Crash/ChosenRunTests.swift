import Glibc
import Testing

/// A run of some tasks, between the runs of a chain, costs the others nothing.
@Suite struct ChosenRunTests {
  private let folder: TemporaryFolder
  private let server: TinyServer

  /// `hook` is done in the first run, `slow` is interrupted.
  init() throws {
    folder = try TemporaryFolder()
    server = try TinyServer { request in
      request.line.hasSuffix("/hold") ? nil : TinyServer.answer("200 OK", body: "ok")
    }
    try write(slow: "hold")
    let run = try Jobrun.start(["job.yaml"], folder: folder.path)
    server.waitForRequest()
    server.waitForRequest()
    run.send(SIGINT)
    #expect(run.wait().code == 128 + SIGINT)
    try write(slow: "answer")
  }

  private func write(slow path: String) throws {
    try folder.write(
      "job.yaml",
      """
      version: 1
      state: st
      tasks:
        - { id: hook, data: "\(server.url)/hook", method: POST, body: hello }
        - { id: slow, data: "\(server.url)/\(path)", after: [hook] }
      """)
  }

  private func run(_ arguments: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(arguments + ["job.yaml"], folder: folder.path)
  }

  private var posts: Int { server.seen.count { $0.line.hasSuffix("/hook") } }

  @Test func whatTheOthersHadDoneStaysDone() throws {
    defer { server.stop() }
    #expect(try run(["run", "--only", "slow"]).code == 0)
    #expect(try run(["plan"]).out.contains("keep"))
    #expect(try run().code == 0)
    #expect(posts == 1)
    // The chain has come to its end now.
    #expect(try run().code == 0)
    #expect(posts == 2)
  }

  @Test func aFreshRunOfSomeRepeatsTheseAlone() throws {
    defer { server.stop() }
    #expect(try run(["run", "--fresh", "--only", "hook"]).code == 0)
    #expect(posts == 2)
    #expect(try run().code == 0)
    #expect(posts == 2)
  }
}

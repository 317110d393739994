import FaultOrigin
import Glibc
import Testing

/// A server that asks to wait for longer than a run may: what the runs after it do.
@Suite struct HoldTests {
  private let folder: TemporaryFolder
  private let origin: ScriptedOrigin

  init() throws {
    folder = try TemporaryFolder()
    origin = try ScriptedOrigin { _ in .answer(503, ["Retry-After: 3600"]) }
    try folder.write(
      "job.yaml",
      """
      version: 1
      deadline: 1m
      tasks:
        - { id: a, download: '\(origin.url("/a"))', to: out/ }
        - { id: b, data: '\(origin.url("/b"))', after: [a] }

      """)
  }

  private func run(_ arguments: String...) throws -> ChildProcess.Ended {
    try Jobrun.run(
      arguments, environment: ["XDG_STATE_HOME=\(folder.path)/state"], folder: folder.path)
  }

  @Test func planSaysUntilWhenAndRunDoesIt() throws {
    #expect(try run("plan", "job.yaml").out.contains("1 fetch, 1 request"))
    let first = try run("job.yaml")
    #expect(first.code == 75, "\(first.err)")
    #expect(first.err.contains("asks to wait (Retry-After): not"), "\(first.err)")
    let plan = try run("plan", "--format", "json", "job.yaml")
    #expect(plan.out.contains("\"action\": \"defer\""), "\(plan.out)")
    #expect(plan.out.contains("\(origin.url("")) asks to wait (Retry-After): not before "))
    #expect(try run("job.yaml").code == 75)
    #expect(origin.seen.count == 1)
  }

  /// What a run did stays done in its chain, an answer that was saved too; unless it is gone.
  @Test func aSavedAnswerIsNotAskedForAgain() throws {
    let saved = try ScriptedOrigin { _ in .answer(200, body: "answer") }
    try folder.write(
      "job.yaml",
      """
      version: 1
      deadline: 1m
      tasks:
        - { id: s, data: '\(saved.url("/s"))', save: out/s }
        - { id: a, download: '\(origin.url("/a"))', to: out/ }

      """)
    #expect(try run("job.yaml").code == 75)
    #expect(try run("plan", "job.yaml").out.contains("1 keep"))
    #expect(try run("job.yaml").err.contains("unchanged  s"))
    #expect(saved.seen.count == 1)
    unlink(folder.path + "/out/s")
    #expect(try run("job.yaml").code == 75)
    #expect(saved.seen.count == 2)
  }

  @Test func freshForgetsIt() throws {
    #expect(try run("job.yaml").code == 75)
    #expect(try run("plan", "--fresh", "job.yaml").out.contains("1 fetch, 1 request"))
    #expect(try run("run", "--fresh", "job.yaml").code == 75)
    #expect(origin.seen.count == 2)
  }
}

import FaultOrigin
import Glibc
import Testing

/// Two jobs of different names, each with a state of its own, that write one target.
@Suite struct CollisionTests {
  private let folder: TemporaryFolder
  private let gate = OriginGate()
  private let origin: ScriptedOrigin

  init() throws {
    folder = try TemporaryFolder()
    let gate = gate
    let bytes = FaultContent.one
    origin = try ScriptedOrigin { request in
      if request.target != "/slow" { return FaultContent.whole() }
      let head = FaultContent.head("200 OK", [FaultContent.length(bytes)])
      let half = FaultContent.half
      return [.send(head + bytes[..<half]), .wait(gate), .send(Array(bytes[half...]))]
    }
    for (job, path) in [("slow", "/slow"), ("fast", "/fast"), ("else", "/other")] {
      let target = job == "else" ? "out/other" : "out/target"
      try folder.write(
        "\(job).yaml",
        "version: 1\ntasks:\n  - { id: t, download: '\(origin.url(path))', to: \(target) }\n")
    }
  }

  private func start(_ job: String) throws -> ChildProcess {
    try Jobrun.start(
      ["-vv", "\(job).yaml"], environment: ["XDG_STATE_HOME=\(folder.path)/state-\(job)"],
      folder: folder.path)
  }

  @Test func theSecondFailsAndTheFirstIsWhole() throws {
    let slow = try start("slow")
    // By then its part file is open.
    #expect(slow.waitForError(containing: "bytes received"))
    let fast = try start("fast").wait()
    #expect(fast.code == 1)
    #expect(fast.err.contains("[collision]"), "\(fast.err)")
    #expect(fast.err.contains("\(folder.path)/out/target"))
    #expect(folder.read("out/target") == nil)
    let other = try start("else").wait()
    #expect(other.code == 0, "\(other.err)")
    gate.open()
    let first = slow.wait()
    #expect(first.code == 0, "\(first.err)")
    let whole = String(decoding: FaultContent.one, as: UTF8.self)
    #expect(folder.read("out/target") == whole)
    let files = try Clone.files(below: folder.path + "/out").map { $0.split(separator: "/").last }
    #expect(files.sorted { ($0 ?? "") < ($1 ?? "") } == ["other", "target"])
    #expect(try start("fast").wait().code == 0)
  }

  @Test func aKilledRunHoldsNothing() throws {
    let slow = try start("slow")
    #expect(slow.waitForError(containing: "bytes received"))
    slow.send(SIGKILL)
    _ = slow.wait()
    let fast = try start("fast").wait()
    #expect(fast.code == 0, "\(fast.err)")
    #expect(access(folder.path + "/out/.jobrun.lock", F_OK) != 0)
  }
}

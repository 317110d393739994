import Glibc
import Testing

/// `type: ephemeral`: nothing of the session's own is left on disk, only the files that tasks name.
/// The job's own state and log say what was done, as for every job.
@Suite struct EphemeralTests {
  private static let tag = "\"etag-of-ephemeral\""
  private let scene: CookieScene

  init() throws {
    let tag = Self.tag
    scene = try CookieScene { request in
      let fields = ["ETag: \(tag)", "Accept-Ranges: bytes", "Set-Cookie: sid=c00kie; Max-Age=999"]
      guard request.line.hasSuffix("/cut") else {
        return TinyServer.answer("200 OK", fields, body: "whole")
      }
      // Half of what it declares.
      let lines = ["HTTP/1.1 200 OK", "Content-Length: 2000000"] + fields
      return lines.joined(separator: "\r\n") + "\r\n\r\n" + String(repeating: "x", count: 1_000_000)
    }
  }

  private func write(type: String) throws {
    let url = scene.server.url
    try scene.write(
      sessions: [("s", "type: \(type)")],
      tasks: [
        "session: s, download: \"\(url)/file\", to: out/file", "session: s, data: \"\(url)/data\"",
        "session: s, upload: up.txt, to: \"\(url)/up\"",
        "session: s, download: \"\(url)/cut\", to: out/cut",
      ])
    try scene.folder.write("up.txt", "up")
  }

  private func grep(_ text: String) throws -> String {
    try ChildProcess(
      "/usr/bin/grep", ["-rlF", text, scene.folder.path], environment: ["PATH=/usr/bin:/bin"]
    ).wait().out.replacing(scene.folder.path + "/", with: "")
  }

  @Test func onlyNamedFilesAndTheJobsOwnStateAreWritten() throws {
    try write(type: "ephemeral")
    let log = scene.folder.path + "/calls"
    let ended = try Jobrun.run(
      ["job.yaml"], environment: scene.environment(try Shim.environment(["LOG=\(log)"])),
      folder: scene.folder.path)
    #expect(ended.code == 1 && ended.err.contains("[truncated]"), "\(ended.err)")
    let calls = try #require(TemporaryFolder.text(of: log)).split(separator: "\n")
    let paths = Set(calls.compactMap { $0.split(separator: " ").last.map(String.init) })
    let state = scene.folder.path + "/state/jobrun/job"
    let strangers = paths.filter { path in
      let isTargets = path.hasPrefix(scene.folder.path + "/out")
      let isJobs =
        ["/state.db", "/lock", "/completion.jsonl"].contains { path.hasPrefix(state + $0) }
      let isWayThere = (state + "/").hasPrefix(path + "/")
      return !isTargets && !isJobs && !isWayThere && path.hasPrefix("/")
    }
    #expect(strangers.isEmpty, "\(strangers)")
    #expect(paths.contains { $0.hasPrefix(scene.folder.path + "/out") }, "\(paths)")
    // No part file, no validator, no cookie.
    #expect(scene.folder.read("out/file") == "whole")
    try scene.folder.write("calls", "")
    #expect(try grep(String(Self.tag.dropFirst().dropLast())).isEmpty)
    #expect(try grep("c00kie").isEmpty)
    #expect(access(scene.folder.path + "/data", F_OK) != 0)
    let left = try ChildProcess(
      "/usr/bin/find", [scene.folder.path + "/out", "-type", "f"],
      environment: ["PATH=/usr/bin:/bin"]
    ).wait().out
    #expect(left == scene.folder.path + "/out/file\n")
  }

  /// What shows that the test above sees what it looks for.
  @Test func anotherSessionLeavesAllOfThat() throws {
    try write(type: "default")
    #expect(try scene.run().code == 1)
    #expect(try grep(String(Self.tag.dropFirst().dropLast())).contains("state.db"))
    #expect(try grep("c00kie") == "data/jobrun/cookies.txt\n")
  }

  /// The next run knows nothing of it: no condition, no range, no cookie.
  @Test func theNextRunBeginsAnew() throws {
    try write(type: "ephemeral")
    #expect(try scene.run().code == 1)
    let first = scene.server.seen.count
    #expect(try scene.run().code == 1)
    let next = scene.server.seen[first...]
    #expect(next.count >= 4)
    for request in next {
      let head = request.head.lowercased()
      #expect(!head.contains("if-none-match") && !head.contains("range:"), "\(request.head)")
    }
    #expect(next.first.map { CookieScene.cookie(of: $0) } == "")
  }
}

import Glibc
import Testing

/// kill -9 at any moment: every target is the old or the new whole file, and the next run finishes.
@Suite(.serialized) struct KillTests {
  private static let small = 40
  private static let large = 3

  private let folder: TemporaryFolder
  private let origin: RealOrigin

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("www/marker", "")
    origin = try RealOrigin(serving: folder.path + "/www")
    let tasks =
      (0..<Self.small).map { "  - { id: s\($0), download: '\(origin.http)/s\($0)', to: out/ }" }
      + (0..<Self.large).map {
        "  - { id: l\($0), download: '\(origin.http)/l\($0)', to: out/, segments: \($0 + 1) }"
      }
    try folder.write("job.yaml", "version: 1\ntasks:\n" + tasks.joined(separator: "\n") + "\n")
  }

  private var names: [String] {
    (0..<Self.small).map { "s\($0)" } + (0..<Self.large).map { "l\($0)" }
  }

  /// What version `number` of a file is: its name and number over and over, so that a file spliced
  /// from two versions is neither.
  private func content(_ name: String, _ number: Int) -> String {
    let line = "\(name) version \(number) of the file that this test serves\n"
    let lines = name.hasPrefix("l") ? 60_000 + number : 20 + number
    return String(repeating: line, count: lines)
  }

  private func publish(_ number: Int) throws {
    for name in names {
      // By rename, so that the server never reads half a file either.
      try folder.write("www/.new", content(name, number))
      try #require(rename(folder.path + "/www/.new", folder.path + "/www/\(name)") == 0)
    }
  }

  private var environment: [String] {
    ["XDG_STATE_HOME=\(folder.path)/state", "PATH=/usr/bin:/bin"]
  }

  /// Every target is whole: version by version, the one of those given that it is.
  private func expectWhole(_ versions: ClosedRange<Int>, _ moment: String) {
    for name in names {
      guard let found = folder.read("out/\(name)") else { continue }
      let isWhole = versions.contains { found == content(name, $0) }
      #expect(isWhole, "\(name) is none of the versions, \(found.utf8.count) bytes, \(moment)")
    }
  }

  @Test func killsLeaveWholeFilesAndAStateThatFinishes() throws {
    var version = 0
    try publish(version)
    for round in 0..<Moments.kills {
      if round % 5 == 4 {
        version += 1
        try publish(version)
      }
      // From the first millisecond to past the end of a whole run.
      let moment = "0.\(String(1000 + round % 100 * 4).dropFirst())"
      let killed = try ChildProcess(
        "/usr/bin/timeout", ["-s", "KILL", moment, Jobrun.path, "-q", "job.yaml"],
        environment: environment, folder: folder.path
      ).wait()
      #expect([0, 137].contains(killed.code), "\(killed.code) after \(moment) s: \(killed.err)")
      expectWhole(0...version, "killed after \(moment) s")
    }
    let last = try Jobrun.run(["job.yaml"], environment: environment, folder: folder.path)
    #expect(last.code == 0, "\(last.err)")
    // A chain of killed runs keeps what was done in it: one more run asks for everything.
    let again = try Jobrun.run(["job.yaml"], environment: environment, folder: folder.path)
    #expect(again.code == 0, "\(again.err)")
    expectWhole(version...version, "at the end")
    for name in names { #expect(folder.read("out/\(name)") != nil) }
    try expectOneLineATaskAndRun()
    let leftOver = try Clone.files(below: folder.path + "/out").filter { $0.contains(".part") }
    #expect(leftOver == [])
  }

  /// The log: whole lines, one a task and run at most, an end for every run that began.
  private func expectOneLineATaskAndRun() throws {
    let log = try #require(folder.read("state/jobrun/job/completion.jsonl"))
    #expect(log.hasSuffix("}\n"))
    var seen: Set<String> = []
    var started = 0
    var ended = 0
    for line in log.split(separator: "\n") {
      #expect(line.hasPrefix("{\"schema\":1,") && line.hasSuffix("}"))
      if line.contains("\"event\":\"run_started\"") { started += 1 }
      if line.contains("\"event\":\"run_finished\"") { ended += 1 }
      guard let task = field("task", of: line), let run = field("run_id", of: line) else {
        continue
      }
      #expect(seen.insert("\(task) \(run)").inserted, "twice in the log: \(task) in run \(run)")
    }
    #expect(started == ended && started > 20)
  }

  private func field(_ name: String, of line: Substring) -> Substring? {
    guard let start = line.firstRange(of: "\"\(name)\":\"")?.upperBound else { return nil }
    return line[start...].prefix { $0 != "\"" }
  }
}

import Glibc
import Testing

/// `run` and `plan` of the real binary, over `file:` addresses: what is told where, and how it
/// ends.
@Suite struct RunCommandTests {
  /// A job with a folder of its own, and a source to fetch.
  private struct Job {
    let folder: TemporaryFolder

    init(_ tasks: String) throws {
      folder = try TemporaryFolder()
      try folder.write("source/a", "hello\n")
      try folder.write(
        "job.yaml",
        "version: 1\nname: sample\nroot: out\ntasks:\n"
          + tasks.replacing("SOURCE", with: "file://\(folder.path)/source"))
    }

    func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Ended {
      try Jobrun.run(
        arguments, environment: ["XDG_STATE_HOME=\(folder.path)/state"], folder: folder.path,
        input: input)
    }
  }

  private static let right = "  - { id: a, download: SOURCE/a, to: a }\n"
  private static let wrong = right + "  - { id: b, download: SOURCE/none, to: b }\n"

  @Test func aRunTellsEachTaskAndTheSum() throws {
    let job = try Job(Self.right)
    let first = try job.run("job.yaml")
    #expect(first.code == 0, "\(first.err)")
    #expect(first.out == "")
    let lines = first.err.split(separator: "\n")
    #expect(lines.first == "done       a  a (6 B)")
    #expect(lines.last?.hasPrefix("sample: 1 done in ") == true)
    #expect(job.folder.read("out/a") == "hello\n")
    let second = try job.run("run", "job.yaml")
    #expect(second.code == 0)
    #expect(second.err.hasPrefix("unchanged  a  a"))
  }

  @Test func aFailureIsExitCode1AndQuietTellsItAlone() throws {
    let job = try Job(Self.wrong)
    let ended = try job.run("-q", "job.yaml")
    #expect(ended.code == 1)
    #expect(ended.out == "")
    #expect(ended.err.hasPrefix("sample: failed     b  "))
    #expect(ended.err.split(separator: "\n").filter { !$0.hasPrefix(" ") }.count == 1)
    #expect(try Job(Self.right).run("-q", "job.yaml").err == "")
  }

  @Test func aPlanChangesNothingAndSaysWhetherThereIsWork() throws {
    let job = try Job(Self.right)
    let plan = try job.run("plan", "--exit-code", "job.yaml")
    #expect(plan.code == 10)
    #expect(plan.out.hasPrefix("sample: 1 task: 1 fetch\nRoot: \(job.folder.path)/out\n"))
    #expect(plan.err == "")
    #expect(job.folder.read("out/a") == nil)
    #expect(access(job.folder.path + "/state", F_OK) != 0)
    let json = try job.run("plan", "--json", "job.yaml")
    #expect(json.out.hasPrefix("{\n  \"schema\": 1,\n  \"job\": \"sample\",\n"))
    #expect(try job.run("run", "-n", "--format=json", "job.yaml").out == json.out)
  }

  @Test func theResultAsJSONIsOneDocumentAlsoWhenTasksFail() throws {
    let ended = try Job(Self.wrong).run("--json", "--progress=none", "job.yaml")
    #expect(ended.code == 1)
    #expect(ended.out.hasPrefix("{\n  \"schema\": 1,"))
    #expect(ended.out.hasSuffix("\n}\n"))
    #expect(ended.out.contains("\"code\": \"local_file\""))
  }

  @Test func progressAsJSONIsOneObjectALine() throws {
    let ended = try Job(Self.right).run("--progress", "json", "job.yaml")
    #expect(ended.code == 0)
    for line in ended.err.split(separator: "\n") {
      #expect(line.hasPrefix("{\"schema\":1,") && line.hasSuffix("}"), "\(line)")
    }
    #expect(ended.err.contains("\"event\":\"task_finished\""))
  }

  @Test func aJobFromStandardInput() throws {
    let job = try Job(Self.right)
    let text = try #require(job.folder.read("job.yaml"))
    let ended = try job.run("-", input: text)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(job.folder.read("out/a") == "hello\n")
  }

  @Test func optionsOutrankTheJob() throws {
    let job = try Job(Self.right)
    let ended = try job.run("--root=there", "--log", "here.jsonl", "--state=st", "job.yaml")
    #expect(ended.code == 0, "\(ended.err)")
    #expect(job.folder.read("there/a") == "hello\n")
    #expect(job.folder.read("here.jsonl")?.contains("\"event\":\"run_finished\"") == true)
    #expect(access(job.folder.path + "/st/state.db", F_OK) == 0)
  }

  @Test func aWrongJobIsToldAndNothingIsStarted() throws {
    let job = try Job(Self.right + "  - { id: a, downlod: x }\n")
    for command in ["run", "plan"] {
      let ended = try job.run(command, "job.yaml")
      #expect(ended.code == 2)
      #expect(ended.out == "")
      #expect(ended.err.contains("--> job.yaml:6:"))
      #expect(ended.err.contains("nothing was started\n"))
    }
    #expect(access(job.folder.path + "/state", F_OK) != 0)
  }

  @Test func whatThisVersionHasNotIsNamed() throws {
    let job = try Job("  - { id: a, download: SOURCE/a, to: a, name: server }\n")
    let ended = try job.run("job.yaml")
    #expect(ended.code == 2)
    #expect(ended.err.contains("job.yaml:5:"))
    #expect(ended.err.contains("not in this version: "))
    #expect(try job.run("validate", "job.yaml").code == 0)
  }

  @Test func aFileThatIsNotThereIsTold() throws {
    let ended = try Job(Self.right).run("none.yaml")
    #expect(ended.code == 2)
    #expect(ended.err == "jobrun: can't read the job none.yaml: No such file or directory\n")
  }

  @Test func theChoiceOfTasksIsCheckedBeforeAnythingBegins() throws {
    let job = try Job(Self.right + "  - { id: b, after: [a], data: SOURCE/a }\n")
    let ended = try job.run("--only", "b", "job.yaml")
    #expect(ended.code == 2)
    #expect(ended.err.hasPrefix("jobrun: b waits for a, which isn't done; "))
    let next = try job.run("job.yaml")
    #expect(next.code == 0)
    #expect(!next.err.contains("killed"), "\(next.err)")
    #expect(try job.run("--only", "b", "job.yaml").code == 0)
  }

  @Test func theBarLeavesTheScreenClean() throws {
    let job = try Job(Self.right)
    let ended = try ChildProcess(
      "/usr/bin/script", ["-qec", "\(Jobrun.path) --state st job.yaml", "/dev/null"],
      environment: ["PATH=/usr/bin:/bin", "TERM=xterm"], folder: job.folder.path
    ).wait()
    #expect(ended.code == 0)
    let last = ended.out.split(separator: "\r\n").last.map(String.init) ?? ""
    let shown = last.split(separator: "\r").last.map(String.init) ?? ""
    #expect(shown.contains("sample: 1 done in "))
    #expect(ended.out.hasSuffix("\r\n"))
  }
}

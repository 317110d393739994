import Testing

@testable import jobrun

@Suite struct InitCommandTests {
  @Test func theStarterJobValidatesWithoutAWord() throws {
    let starter = try Jobrun.run(["init"])
    #expect(starter.code == 0)
    #expect(starter.err == "")
    let checked = try Jobrun.run(["validate", "--strict", "-"], input: starter.out)
    #expect(checked.out == "-: ok\n")
    #expect(checked.code == 0)
  }

  @Test func whatItHasInCommentsValidatesToo() throws {
    let lines = StarterJob.text.split(separator: "\n", omittingEmptySubsequences: false)
    let code = lines.map { line -> String in
      let body = line.drop { $0 == " " }
      let margin = line.prefix { $0 == " " }
      let isCode =
        body.contains(":") && ["# - ", "#   ", "# secrets"].contains { body.hasPrefix($0) }
      return isCode && !body.contains("jobrun ") ? String(margin + body.dropFirst(2)) : String(line)
    }
    let ended = try Jobrun.run(["validate", "-"], input: code.joined(separator: "\n"))
    #expect(ended.code == 0, "\(ended.out)")
    #expect(code.count { $0.hasPrefix("  - id:") } == 4)
  }

  @Test func itWritesANewFileAndLeavesAnOldOneAlone() throws {
    let folder = try TemporaryFolder()
    let first = try Jobrun.run(["init", "a.yaml"], folder: folder.path)
    #expect(first.code == 0)
    #expect(first.out == "")
    #expect(first.err == "jobrun: wrote a.yaml; 'jobrun plan' says what it would do\n")
    #expect(folder.read("a.yaml") == StarterJob.text)
    try folder.write("b.yaml", "mine")
    let second = try Jobrun.run(["init", "b.yaml"], folder: folder.path)
    #expect(second.code == 2)
    #expect(
      second.err == "jobrun: b.yaml is there already and is left alone; name a new file\n")
    #expect(folder.read("b.yaml") == "mine")
  }

  @Test func aFolderThatIsNotThereIsTold() throws {
    let folder = try TemporaryFolder()
    let ended = try Jobrun.run(["init", "none/a.yaml"], folder: folder.path)
    #expect(ended.code == 2)
    #expect(ended.err == "jobrun: can't write none/a.yaml: No such file or directory\n")
  }
}

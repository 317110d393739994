import Testing

@testable import jobrun

/// `validate`: forms, severities, exit codes, files that can't be read.
@Suite struct ValidateCommandTests {
  static let right = "version: 1\ntasks:\n  - id: a\n    data: https://example.org/\n"
  static let wrong = "version: 1\nversion: 1\ntasks:\n  - id: a\n    data: https://example.org/\n"

  @Test func aRightFileIsTold() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.right)
    let ended = try Jobrun.run(["validate", "a.yaml"], folder: folder.path)
    #expect(ended.out == "a.yaml: ok\n")
    #expect(ended.err == "")
    #expect(ended.code == 0)
  }

  @Test func aWrongFileIsToldWithItsPlace() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.right)
    try folder.write("b.yaml", Self.wrong)
    let ended = try Jobrun.run(["validate", "a.yaml", "b.yaml"], folder: folder.path)
    #expect(ended.code == 2)
    #expect(ended.out.contains("--> b.yaml:2:1"))
    #expect(ended.out.hasSuffix("\na.yaml: ok\nb.yaml: 1 error\n"))
    #expect(!ended.out.contains("\u{1B}"))
    let colored = try Jobrun.run(
      ["validate", "--color=always", "b.yaml"], folder: folder.path)
    #expect(colored.out.contains("\u{1B}[1;31merror"))
  }

  @Test func standardInputIsAFileToo() throws {
    let ended = try Jobrun.run(["validate", "-"], input: Self.wrong)
    #expect(ended.code == 2)
    #expect(ended.out.contains("--> -:2:1"))
  }

  @Test(
    arguments: zip(
      ["json", "sarif", "github", "junit"],
      ["\"id\": \"duplicate-key\"", "\"ruleId\": \"duplicate-key\"", "::error file=", "<testcase "])
  )
  func otherForms(_ form: String, _ part: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("b.yaml", Self.wrong)
    let ended = try Jobrun.run(["validate", "--format", form, "b.yaml"], folder: folder.path)
    #expect(ended.code == 2)
    #expect(ended.out.contains(part), "\(ended.out)")
    #expect(!ended.out.contains("b.yaml: 1 error"))
  }

  @Test(arguments: ["text", "json", "sarif", "github", "junit"])
  func whatCannotBeReadIsToldInEveryForm(_ form: String) throws {
    let folder = try TemporaryFolder()
    let ended = try Jobrun.run(["validate", "--format", form, "none.yaml"], folder: folder.path)
    #expect(ended.code == 2)
    #expect(ended.out.contains("No such file or directory"))
    #expect(try Jobrun.run(["validate", folder.path]).out.contains("it is a folder"))
  }
}

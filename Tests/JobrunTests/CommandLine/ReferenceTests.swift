import JobSpec
import Testing
import TransferCore

@testable import jobrun

/// The pages that are made from the tables of the code.
@Suite(.serialized) struct ReferenceTests {
  @Test func theCommandLinesPageIsTheTable() throws {
    try Golden.expect("docs/command-line.md", is: Self.commandLine)
  }

  @Test func exitCodesStandInTheErrorsPage() throws {
    let rows = ExitCode.documented.map { "| \($0.status) | \($0.meaning) |\n" }
    let text =
      "| exit code | meaning |\n|---|---|\n" + rows.joined()
      + "| 128+N | \(ExitCode.signalMeaning) |\n"
    try Golden.expect("docs/errors.md", part: "exit codes", is: text)
  }

  @Test func errorCodesStandInTheErrorsPage() throws {
    let rows = TransferFailure.Kind.allCases.map {
      "| `\($0.rawValue)` | \($0.meaning) | \($0.wayOut) |\n"
    }
    let text = "| `error.code` | what happened | what to do |\n|---|---|---|\n" + rows.joined()
    try Golden.expect("docs/errors.md", part: "error codes", is: text)
  }

  @Test func everyDiagnosticStandsInTheErrorsPage() throws {
    let page = try #require(TemporaryFolder.text(of: Clone.root + "/docs/errors.md"))
    let section = try #require(page.firstRange(of: "## Diagnostics")).upperBound
    let rows = page[section...].split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    let known = try Set(DiagnosticID.allCases.map(\.rawValue)).union(Self.writtenIDs())
    #expect(Set(rows) == known)
    #expect(rows == rows.sorted())
  }

  /// Ids that stand as text in the sources: `.error, "bad-key"`.
  private static func writtenIDs() throws -> Set<String> {
    var ids: Set<String> = []
    for folder in ["JobSpec", "jobrun"] {
      for file in try Clone.files(below: Clone.root + "/Sources/" + folder) {
        let text = TemporaryFolder.text(of: file) ?? ""
        for match in text.matches(of: /\.(?:error|warning|note),\s+"([a-z]+-[a-z-]+)",/) {
          ids.insert(String(match.1))
        }
      }
    }
    return ids
  }

  private static var commandLine: String {
    let head = """
      # The command line

      Made from the program's own table; `jobrun --help`, `jobrun COMMAND --help` and the manual
      page (`jobrun help --man`) are made from the same one. [errors.md](errors.md) has the exit
      codes.

      - Options may stand before and after the job. Long ones take their value after `=` or a space,
        short ones combine (`-vj4`). What follows `--` is no option.
      - Long names are written out: `--max` isn't taken for `--max-parallel`.
      - `jobrun JOB.yaml` is `jobrun run JOB.yaml`. A file that is called like a command is written
        `./run`.
      - `-` is standard input.
      - Results go to standard output, everything else to standard error.

      """
    return head + CommandTable.all.map(command).joined() + environment
  }

  private static func command(_ spec: CommandSpec) -> String {
    var text = "\n## \(spec.name.rawValue)\n`\(spec.usage)`\n"
    text += spec.description.map { "\n\($0)\n" }.joined()
    text += "\n| option | |\n|---|---|\n"
    for option in OptionTable.options(of: spec.name) {
      let usage = String(option.usage.drop { $0 == " " })
      text += "| `\(usage)` | \(option.fullHelp) |\n"
    }
    text += "\n```sh\n"
    for example in spec.examples { text += "\(example.line)   # \(example.says)\n" }
    return text + "```\n"
  }

  private static var environment: String {
    let rows = ManPage.environment.map { "| `\($0.name)` | \($0.meaning) |\n" }
    return "\n## Environment\n| variable | |\n|---|---|\n" + rows.joined()
  }
}

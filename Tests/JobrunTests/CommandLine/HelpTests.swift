import Testing

@testable import jobrun

/// Help and manual page: complete, true to the parser, and readable on a small terminal.
@Suite struct HelpTests {
  static let commands = CommandName.allCases

  @Test(arguments: commands)
  func everyCommandHasHelp(_ command: CommandName) throws {
    let ended = try Jobrun.run([command.rawValue, "--help"])
    #expect(ended.code == 0)
    #expect(ended.err == "")
    #expect(ended.out.hasPrefix("Usage: jobrun \(command.rawValue)"))
    for option in OptionTable.options(of: command) {
      #expect(ended.out.contains(" " + option.name.spelled))
    }
    expectNarrow(ended.out)
    #expect(try Jobrun.run(["help", command.rawValue]).out == ended.out)
    #expect(try Jobrun.run(["-h", command.rawValue]).out == ended.out)
  }

  @Test func theProgramsHelpNamesEveryCommandAndExitCode() throws {
    let ended = try Jobrun.run(["--help"])
    #expect(ended.code == 0)
    for command in Self.commands { #expect(ended.out.contains("\n  \(command.rawValue)")) }
    for code in ExitCode.documented { #expect(ended.out.contains("\n  \(code.status) ")) }
    expectNarrow(ended.out)
    #expect(try Jobrun.run(["help"]).out == ended.out)
    #expect(try Jobrun.run(["-h"]).out == ended.out)
  }

  @Test func whatIsLaterIsNotInTheHelp() throws {
    let help = try Jobrun.run(["run", "--help"]).out + Jobrun.run(["plan", "--help"]).out
    for option in OptionTable.all where option.isLater {
      #expect(!help.contains(option.name.spelled + " "))
    }
    for command in CommandName.later { #expect(!HelpPage.program().contains("  \(command) ")) }
  }

  @Test func helpOfAnUnknownCommand() throws {
    let ended = try Jobrun.run(["help", "vaildate"])
    #expect(ended.code == 2)
    #expect(
      ended.err == "jobrun: there is no command \"vaildate\"; did you mean validate?\n"
        + "See 'jobrun --help'.\n")
    #expect(
      try Jobrun.run(["help", "status"]).err.contains("not in this version: the command status"))
  }

  @Test func version() throws {
    let ended = try Jobrun.run(["--version"])
    #expect(ended.code == 0)
    let lines = ended.out.split(separator: "\n")
    #expect(lines.first == "jobrun \(ProgramVersion.number)")
    #expect(try Jobrun.run(["run", "--version"]).out == ended.out)
  }

  @Test func theManualPageHasEveryOption() throws {
    let ended = try Jobrun.run(["help", "--man"])
    #expect(ended.code == 0)
    #expect(ended.out.hasPrefix(".TH JOBRUN 1 "))
    for command in Self.commands {
      for option in OptionTable.options(of: command) {
        let escaped = option.name.spelled.replacing("-", with: "\\-")
        #expect(ended.out.contains(escaped))
      }
    }
    // A line that begins with a dot and no macro would be lost.
    let macros: Set<Substring> = ["TH", "SH", "SS", "PP", "TP", "B", "BR", "br", "RS", "RE"]
    for line in ended.out.split(separator: "\n") where line.hasPrefix(".") {
      #expect(macros.contains(line.dropFirst().prefix { $0 != " " }))
    }
  }

  private func expectNarrow(_ text: String) {
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
      #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(line)")
    }
  }
}

/// The manual page jobrun(1) as roff source, of the same tables as the help.
enum ManPage {
  static func text() -> String {
    var lines = [
      ".TH JOBRUN 1 \"\" \"jobrun \(ProgramVersion.number)\" \"User Commands\"",
      ".SH NAME", "jobrun \\- move files as a job file says", ".SH SYNOPSIS",
      ".B jobrun", escaped("[OPTION...] JOB.yaml"), ".br", ".B jobrun",
      escaped("COMMAND [OPTION...] [ARGUMENT...]"), ".SH DESCRIPTION",
    ]
    lines += CommandTable.spec(.run).description.flatMap { [".PP", escaped($0)] }
    lines += [".SH COMMANDS"] + CommandTable.all.flatMap(command)
    lines += [".SH EXIT STATUS"]
    for code in ExitCode.documented {
      lines += [".TP", ".B \(code.status)", escaped(code.meaning)]
    }
    lines += [".TP", ".B 128+N", escaped(ExitCode.signalMeaning)]
    lines += [".SH ENVIRONMENT"]
    for variable in environment {
      lines += [".TP", ".B \(escaped(variable.name))", escaped(variable.meaning)]
    }
    lines += [".SH SEE ALSO", ".BR curl (1)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func command(_ spec: CommandSpec) -> [String] {
    var lines = [".SS \(escaped(spec.usage))"]
    let text = spec.name == .run ? [spec.summary + "."] : spec.description
    lines += text.flatMap { [".PP", escaped($0)] }
    for option in OptionTable.options(of: spec.name) {
      let usage = option.usage.drop { $0 == " " }
      lines += [".TP", ".B \(escaped(String(usage)))", escaped(option.fullHelp)]
    }
    for example in spec.examples {
      lines += [
        ".PP", escaped(example.says + ":"), ".PP", ".RS", ".B \(escaped(example.line))", ".RE",
      ]
    }
    return lines
  }

  /// What the environment decides.
  static let environment: [(name: String, meaning: String)] = [
    ("XDG_STATE_HOME", "Where the state of jobs is kept; ~/.local/state if unset"),
    ("NO_COLOR", "Set and not empty: no colour, unless --color says otherwise"),
    (
      "http_proxy, https_proxy, all_proxy, no_proxy",
      "The proxy, as curl(1) reads them; a session's proxy: none ignores them"
    ),
    ("NETRC", "The user's netrc file; ~/.netrc if unset"),
    ("CREDENTIALS_DIRECTORY", "Where systemd puts the credentials that a job's secrets name"),
  ]

  /// Hyphens stay hyphens, and no line is taken for a command.
  private static func escaped(_ text: String) -> String {
    var safe = ""
    for character in text {
      switch character {
      case "\\": safe += "\\e"
      case "-": safe += "\\-"
      default: safe.append(character)
      }
    }
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }
}

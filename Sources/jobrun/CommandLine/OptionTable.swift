/// The one table of options: parser, help, manual page and `docs/command-line.md` are made of it.
enum OptionTable {
  static let all: [OptionSpec] = choosing + overriding + running + showing + always + later

  /// Options that `command` has in this version, in the table's order.
  static func options(of command: CommandName) -> [OptionSpec] {
    all.filter { !$0.isLater && $0.commands.contains(command) }
  }

  /// The entry of `name` for the first of `commands` that has it; a name may stand for different
  /// values in different commands, but takes an argument in all of them or in none.
  static func spec(_ name: OptionName, of commands: [CommandName]) -> OptionSpec? {
    for command in commands {
      if let spec = all.first(where: { $0.name == name && $0.commands.contains(command) }) {
        return spec
      }
    }
    return nil
  }

  static func name(short: Character) -> OptionName? { all.first { $0.short == short }?.name }

  static func takesArgument(_ name: OptionName) -> Bool {
    all.contains { $0.name == name && $0.argument != .none }
  }

  private static let planning: [CommandName] = [.run, .plan]
  private static let looking: [CommandName] = [.run, .plan, .explain]

  private static let choosing: [OptionSpec] = [
    OptionSpec(
      .dryRun, short: "n", of: [.run],
      "Only say what a run would do: jobrun plan, whose options it takes too"),
    OptionSpec(
      .only, .text(label: "TASK"), repeats: true, of: planning,
      "Take just this task; an id that stands for several takes all of them; "
        + "repeat the option for more"
    ),
    OptionSpec(
      .skip, .text(label: "TASK"), repeats: true, of: planning,
      "Leave this task out; tasks that wait for it take it as done; repeat the option for more"),
    OptionSpec(
      .withDependencies, of: planning, "With --only: take the tasks that those wait for as well"),
  ]

  private static let overriding: [OptionSpec] = [
    OptionSpec(
      .var, .assignment, repeats: true, of: looking,
      "Give one of the job's vars another value; repeat the option for more"),
    OptionSpec(
      .root, .text(label: "DIR"), of: looking,
      "Start the relative paths of tasks here, instead of at the job's root"),
    OptionSpec(
      .state, .text(label: "DIR"), of: looking,
      "Keep the job's state in this folder, instead of where the job says"),
    OptionSpec(
      .log, .text(label: "FILE"), of: [.run, .explain],
      "The completion log is this file, instead of where the job says"),
    OptionSpec(
      .maxParallel, short: "j", .count, of: [.run],
      "Transfer at most so many tasks at once, instead of what the job says"),
    OptionSpec(
      .maxErrors, .count, of: [.run], "Start nothing new after so many failed tasks"),
    OptionSpec(
      .deadline, .duration, of: [.run],
      "Stop after this time (90s, 10m, 1h30m) and keep what can be resumed"),
  ]

  private static let running: [OptionSpec] = [
    OptionSpec(
      .fresh, of: planning,
      "Forget what an unfinished run left: its part files, and which of its tasks are done"),
    OptionSpec(
      .onOverlap, .choice(label: "WHAT", values: ["fail", "skip"], later: ["wait"]),
      default: "fail", of: [.run],
      "While another run of this job goes on, end with 4 or with 0"),
  ]

  private static let showing: [OptionSpec] = [
    OptionSpec(
      .json, of: planning, "Print the whole result as one JSON document on standard output"),
    OptionSpec(
      .format, .choice(label: "FORMAT", values: ["text", "json"], later: []),
      default: "text", of: [.plan], "Print the plan as a table or as JSON"),
    OptionSpec(
      .exitCode, of: [.plan], "End with 10 if there is something to do, and with 0 if not"),
    OptionSpec(
      .format,
      .choice(
        label: "FORMAT", values: ["text", "json", "sarif", "github", "junit"], later: []),
      default: "text", of: [.validate], "Print what was found in this form"),
    OptionSpec(
      .strict, of: [.validate], "Take warnings for errors; notes stay notes"),
    OptionSpec(.man, of: [.help], "Print the manual page's source: jobrun help --man | man -l -"),
    OptionSpec(
      .progress,
      .choice(label: "HOW", values: ["auto", "bar", "plain", "json", "none"], later: []),
      default: "auto, a bar on a terminal and plain lines elsewhere", of: [.run],
      "Show on standard error how the run gets on"),
    OptionSpec(.quiet, short: "q", of: [.run], "Print errors alone"),
    OptionSpec(
      .verbose, short: "v", repeats: true, of: [.run],
      "Say more of each task; -vv shows the protocol too, with secrets masked"),
  ]

  private static let always: [OptionSpec] = [
    OptionSpec(
      .color, .choice(label: "WHEN", values: ["auto", "always", "never"], later: []),
      default: "auto, on a terminal unless NO_COLOR is set",
      of: [.run, .plan, .explain, .validate],
      "When to colour what is printed"),
    OptionSpec(.help, short: "h", of: CommandName.allCases, "Print this help"),
    OptionSpec(
      .version, of: CommandName.allCases, "Print the versions of jobrun and of libcurl"),
  ]

  private static let later: [OptionSpec] = [
    OptionSpec(later: .probe, of: planning),
    OptionSpec(later: .detach, of: [.run]),
    OptionSpec(later: .attach, of: [.run]),
    OptionSpec(later: .network, .text(label: "KIND"), of: [.run]),
    OptionSpec(later: .networkProfile, .text(label: "FILE"), of: [.run]),
    OptionSpec(later: .overlapTimeout, .duration, of: [.run]),
  ]
}

import JobSpec

/// Reads a command line: which command it is, and whether its options and operands fit it.
enum ArgumentParser {
  /// - Parameters:
  ///   - arguments: without the program's own name.
  ///   - isJob: tells a job, by its file or its name, from a misspelt command.
  static func parse(
    _ arguments: some Sequence<String>, isJob: (String) -> Bool
  ) throws(UsageError) -> Invocation {
    let scan = try scan(Array(arguments))
    var invocation = Invocation()
    invocation.operands = scan.operands
    let names = Set(scan.options.map(\.name))
    let wantsHelp = !names.isDisjoint(with: [.help, .version])
    if scan.operandsBeforeEnd > 0 {
      invocation.command = try command(&invocation.operands, isJob, wantsHelp)
    } else if !scan.operands.isEmpty || !names.isEmpty && !wantsHelp {
      invocation.command = names.contains(.man) ? .help : .run
    }
    if wantsHelp {
      for name in names where name == .help || name == .version {
        invocation.values[name] = .flag(1)
      }
      return invocation
    }
    guard let command = invocation.command else {
      throw UsageError("which job? Name its file, or a command")
    }
    invocation.command = names.contains(.dryRun) && command == .run ? .plan : command
    for option in scan.options { try take(option, for: command, names, into: &invocation) }
    try checkOperands(invocation.operands, of: CommandTable.spec(command), only: scan)
    try checkTogether(invocation, command)
    // A plan has one form of JSON, and two ways to ask for it.
    if invocation.command == .plan, invocation.has(.json) {
      invocation.values[.format] = .texts(["json"])
    }
    return invocation
  }

  /// What is wrong before the command is known is told with the help that most likely tells more.
  private static func scan(_ arguments: [String]) throws(UsageError) -> ArgumentScanner {
    do {
      return try ArgumentScanner(arguments)
    } catch {
      let command = arguments.lazy.compactMap(CommandName.init(rawValue:)).first ?? .run
      throw UsageError(error.message, of: command)
    }
  }

  /// The command that the first operand names, which is then taken off, or `run` for a file.
  private static func command(
    _ operands: inout [String], _ isJob: (String) -> Bool, _ wantsHelp: Bool
  ) throws(UsageError) -> CommandName {
    let word = operands[0]
    if let command = CommandName(rawValue: word) {
      operands.removeFirst()
      return command
    }
    if CommandName.later.contains(word) {
      throw UsageError("not in this version: the command \(word)")
    }
    if word == "-" || word.contains("/") || word.contains(".") || isJob(word) { return .run }
    var message = "there is no command, no file and no job \(Prose.quoted(word))"
    if let near = NearestName.suggestion(for: word, among: CommandName.allCases.map(\.rawValue)) {
      message += "; did you mean \(near)?"
    }
    throw UsageError(message)
  }

  private static func take(
    _ option: ArgumentScanner.Found, for command: CommandName, _ names: Set<OptionName>,
    into invocation: inout Invocation
  ) throws(UsageError) {
    let commands = names.contains(.dryRun) && command == .run ? [.run, .plan] : [command]
    guard let spec = OptionTable.spec(option.name, of: commands) else {
      let owners = OptionTable.all.filter { $0.name == option.name }.flatMap(\.commands)
      let list = Prose.list(CommandName.allCases.filter(owners.contains).map(\.rawValue), "and")
      throw UsageError(
        "\(option.spelled) is an option of \(list), not of \(command.rawValue)", of: command)
    }
    if spec.isLater {
      throw UsageError("not in this version: \(option.spelled)", of: command)
    }
    let isFlag = spec.argument == .none
    if invocation.has(option.name) && !spec.isRepeatable && !isFlag {
      throw UsageError("\(option.spelled) is given twice; once is enough", of: command)
    }
    do {
      invocation.values[option.name] = try OptionReader.value(
        of: option, spec, after: invocation.values[option.name])
    } catch {
      throw UsageError(error.message, of: command)
    }
  }

  private static func checkOperands(
    _ operands: [String], of spec: CommandSpec, only scan: ArgumentScanner
  ) throws(UsageError) {
    switch spec.operands {
    case .none:
      if let extra = operands.first {
        throw UsageError(
          "\(spec.name.rawValue) takes no argument, and there is \(Prose.quoted(extra))",
          of: spec.name)
      }
    case .job:
      if operands.isEmpty { throw UsageError("which job? Name its file", of: spec.name) }
      if operands.count > 1 { throw tooMany(operands[1], of: spec, scan) }
    case .jobAndTask:
      if operands.isEmpty { throw UsageError("which job? Name its file", of: spec.name) }
      if operands.count < 2 { throw UsageError("which task? Name it after the job", of: spec.name) }
      if operands.count > 2 { throw tooMany(operands[2], of: spec, scan) }
    case .files:
      if operands.isEmpty { throw UsageError("which files? Name one or more", of: spec.name) }
    case .optional:
      if operands.count > 1 { throw tooMany(operands[1], of: spec, scan) }
    }
  }

  private static func tooMany(
    _ extra: String, of spec: CommandSpec, _ scan: ArgumentScanner
  ) -> UsageError {
    let list = scan.options.last { $0.name == .only || $0.name == .skip }
    let hint = list.map { "; for more tasks write \($0.name.spelled) before each" } ?? ""
    let what =
      switch spec.operands {
      case .job: "one job"
      case .jobAndTask: "a job and one task"
      case .none, .files, .optional: "one argument"
      }
    return UsageError(
      "\(spec.name.rawValue) takes \(what), and \(Prose.quoted(extra)) is one more\(hint)",
      of: spec.name)
  }

  /// Options that contradict each other, or mean nothing without another.
  private static func checkTogether(
    _ invocation: Invocation, _ command: CommandName
  ) throws(UsageError) {
    if invocation.has(.quiet) && invocation.has(.verbose) {
      throw UsageError("-q and -v contradict each other", of: command)
    }
    if invocation.has(.withDependencies) && !invocation.has(.only) {
      throw UsageError("--with-dependencies goes with --only", of: command)
    }
    if invocation.has(.json), let format = invocation.text(.format), format != "json" {
      throw UsageError("--json and --format \(format) contradict each other", of: command)
    }
  }
}

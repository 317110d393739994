import Testing

@testable import jobrun

/// GNU's conventions, and that each slip is told with the way out.
@Suite struct ArgumentParserTests {
  private func parse(_ line: String, files: Set<String> = []) throws -> Invocation {
    try ArgumentParser.parse(
      line.split(separator: " ").map(String.init), isJob: files.contains)
  }

  @Test(arguments: [
    "run a.yaml", "a.yaml", "-- a.yaml", "run -- a.yaml",
  ])
  func aFileAloneIsRun(_ line: String) throws {
    #expect(try parse(line) == Invocation(command: .run, operands: ["a.yaml"]))
  }

  @Test func aFileMayBeCalledLikeACommand() throws {
    #expect(try parse("./run") == Invocation(command: .run, operands: ["./run"]))
    #expect(try parse("-- plan") == Invocation(command: .run, operands: ["plan"]))
    #expect(try parse("run plan") == Invocation(command: .run, operands: ["plan"]))
    #expect(try parse("plan run") == Invocation(command: .plan, operands: ["run"]))
    #expect(try parse("nightly", files: ["nightly"]).command == .run)
    #expect(try parse("-").operands == ["-"])
  }

  @Test func longOptionsWithEqualsOrSpace() throws {
    for line in ["--root=x a.yaml", "--root x a.yaml", "a.yaml --root x", "run --root x a.yaml"] {
      let invocation = try parse(line)
      #expect(invocation.text(.root) == "x")
      #expect(invocation.operands == ["a.yaml"])
    }
    #expect(try parse("--var a=b=c a.yaml").assignments(.var) == [.init(name: "a", value: "b=c")])
    #expect(try parse("--var a= a.yaml").assignments(.var) == [.init(name: "a", value: "")])
    #expect(try parse("--root=--fresh a.yaml").text(.root) == "--fresh")
  }

  @Test func shortOptionsCombine() throws {
    let invocation = try parse("-vvj4 a.yaml")
    #expect(invocation.times(.verbose) == 2)
    #expect(invocation.count(.maxParallel) == 4)
    #expect(try parse("-qj 4 a.yaml").count(.maxParallel) == 4)
    #expect(try parse("-v -v a.yaml").times(.verbose) == 2)
  }

  @Test func optionsThatRepeatAreAllKept() throws {
    let invocation = try parse("--only a --only=b --var x=1 --var y=2 a.yaml")
    #expect(invocation.texts(.only) == ["a", "b"])
    #expect(invocation.assignments(.var).map(\.name) == ["x", "y"])
  }

  @Test func afterTwoDashesAllAreOperands() throws {
    #expect(try parse("validate -- --strict -q").operands == ["--strict", "-q"])
  }

  @Test func aDryRunIsAPlanAndTakesItsOptions() throws {
    let invocation = try parse("run --dry-run --format json --exit-code a.yaml")
    #expect(invocation.command == .plan)
    #expect(invocation.text(.format) == "json")
    #expect(try parse("-n a.yaml").command == .plan)
    #expect(throws: UsageError.self) { try parse("run --format json a.yaml") }
  }

  @Test func helpOutranksEveryOtherOption() throws {
    #expect(try parse("run a b c --help").has(.help))
    #expect(try parse("--help plan").command == .plan)
  }

  @Test(
    arguments: zip(
      ["90", "90s", "1m30s", "1500ms", "1h30m", "7d", "0.5"],
      [90_000, 90_000, 90_000, 1_500, 5_400_000, 604_800_000, 500]))
  func durations(_ text: String, _ milliseconds: Int) throws {
    #expect(
      try parse("--deadline \(text) a.yaml").duration(.deadline) == .milliseconds(milliseconds))
  }

  static let slips: [(line: String, message: String, command: CommandName?)] = [
    (
      "vaildate a.yaml",
      "there is no command, no file and no job \"vaildate\"; did you mean validate?", nil
    ),
    ("frobnicate", "there is no command, no file and no job \"frobnicate\"", nil),
    ("status", "not in this version: the command status", nil),
    ("", "which job? Name its file, or a command", nil),
    ("run", "which job? Name its file", .run),
    ("--fresh", "which job? Name its file", .run),
    ("validate", "which files? Name one or more", .validate),
    ("run a.yaml b.yaml", "run takes one job, and \"b.yaml\" is one more", .run),
    (
      "run --only a b c.yaml",
      "run takes one job, and \"c.yaml\" is one more; for more tasks write --only before each",
      .run
    ),
    ("schema x", "schema takes no argument, and there is \"x\"", .schema),
    ("init a b", "init takes one argument, and \"b\" is one more", .`init`),
    ("a.yaml --dry-rum", "there is no option --dry-rum; did you mean --dry-run?", .run),
    ("validate --dry a.yaml", "there is no option --dry", .validate),
    ("a.yaml -xq", "there is no option -x, in -xq", .run),
    ("a.yaml -x", "there is no option -x", .run),
    ("plan --log x a.yaml", "--log is an option of run and explain, not of plan", .plan),
    ("validate --json a.yaml", "--json is an option of run and plan, not of validate", .validate),
    ("a.yaml --root", "--root needs a value: --root DIR", .run),
    ("a.yaml --root=", "--root needs a value: --root DIR", .run),
    ("a.yaml -j", "-j needs a value: -j N", .run),
    (
      "--root --fresh a.yaml",
      "--root needs a value, and --fresh is an option; write --root=--fresh if it is meant", .run
    ),
    ("--fresh=yes a.yaml", "--fresh takes no value", .run),
    ("-j0 a.yaml", "-j takes a whole number from 1 to 1000000, not \"0\"", .run),
    (
      "--max-errors -1 a.yaml",
      "--max-errors takes a whole number from 1 to 1000000, not \"-1\"", .run
    ),
    (
      "--deadline 3x a.yaml",
      "--deadline takes a time like 90s, 10m or 1h30m, not \"3x\"", .run
    ),
    ("--deadline 0 a.yaml", "--deadline takes a time like 90s, 10m or 1h30m, not \"0\"", .run),
    ("--var x a.yaml", "--var takes NAME=VALUE, not \"x\"", .run),
    ("--var =x a.yaml", "--var takes NAME=VALUE, not \"=x\"", .run),
    ("--on-overlap wait a.yaml", "not in this version: --on-overlap wait", .run),
    (
      "--on-overlap fial a.yaml", "--on-overlap is fail or skip, not \"fial\"; did you mean fail?",
      .run
    ),
    ("--detach a.yaml", "not in this version: --detach", .run),
    ("--network wifi a.yaml", "not in this version: --network", .run),
    ("plan --probe a.yaml", "not in this version: --probe", .plan),
    ("--root a --root b c.yaml", "--root is given twice; once is enough", .run),
    ("-qv a.yaml", "-q and -v contradict each other", .run),
    ("--with-dependencies a.yaml", "--with-dependencies goes with --only", .run),
    ("plan --json --format text a.yaml", "--json and --format text contradict each other", .plan),
  ]

  @Test(arguments: slips.indices)
  func slipsAreToldWithTheWayOut(_ index: Int) throws {
    let slip = Self.slips[index]
    let error = #expect(throws: UsageError.self) { try parse(slip.line) }
    #expect(error == UsageError(slip.message, of: slip.command))
  }

  @Test func foreignTextInMessagesIsMadeSafe() throws {
    let error = #expect(throws: UsageError.self) { try parse("schema \u{1B}[2J\u{202E}x") }
    #expect(error?.message == "schema takes no argument, and there is \"\\u{1b}[2J\\u{202e}x\"")
  }

  @Test func namesOfOptionsAndShortOnesAreUnique() {
    let shorts = OptionTable.all.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count)
    for command in CommandName.allCases {
      let names = OptionTable.all.filter { $0.commands.contains(command) }.map(\.name)
      #expect(Set(names).count == names.count)
    }
    for name in OptionName.allCases {
      let entries = OptionTable.all.filter { $0.name == name }
      #expect(!entries.isEmpty)
      #expect(Set(entries.map { $0.argument == .none }).count == 1)
    }
  }
}

/// The one table of commands.
enum CommandTable {
  static let all: [CommandSpec] = [run, plan, explain, validate, schema, initialise, help]

  static func spec(_ name: CommandName) -> CommandSpec {
    guard let spec = all.first(where: { $0.name == name }) else {
      preconditionFailure("the table of commands has no \(name.rawValue)")
    }
    return spec
  }

  private static let run = CommandSpec(
    name: .run, operands: .job, summary: "Run a job; the command when none is named",
    description: [
      "Reads and checks the job file, decides for each task what is left to do, and does it: "
        + "downloads, uploads and requests, many at once. A download becomes visible only when "
        + "it is whole and its checksum is right. A run that was interrupted is continued by "
        + "the next one.",
      "JOB.yaml is the job's file, or the name of a job that ran before; - reads it from "
        + "standard input, ./run is a file that is called run. Results go to standard "
        + "output, everything else to standard error.",
    ],
    examples: [
      .init(line: "jobrun nightly.yaml", says: "run it"),
      .init(line: "jobrun -q nightly.yaml", says: "from cron: a mail only if something fails"),
      .init(line: "jobrun run --only iso nightly.yaml", says: "one task of it"),
      .init(line: "jobrun run -n nightly.yaml", says: "only say what would be done"),
    ])

  private static let plan = CommandSpec(
    name: .plan, operands: .job, summary: "Say what a run would do now, and why",
    description: [
      "For each task: fetch, resume, revalidate, keep, upload, request, wait, defer or skip, "
        + "and the reason. It looks at the job file, the state and the disk; it changes "
        + "nothing, sends nothing and reads no secret. A run does what its plan said.",
      "The JSON has a fixed order, so that two plans can be compared line by line.",
    ],
    examples: [
      .init(line: "jobrun plan nightly.yaml", says: "a table to read"),
      .init(line: "jobrun plan --format json nightly.yaml", says: "for diff and jq"),
      .init(
        line: "jobrun plan --exit-code nightly.yaml",
        says: "ends with 10 if there is something to do"),
    ])

  private static let explain = CommandSpec(
    name: .explain, operands: .jobAndTask, summary: "Tell one task's history and what comes next",
    description: [
      "In sentences: what is on disk and what is known of it, what the last runs tried, what "
        + "came back, what was decided and why, and what the next run would do. It looks at "
        + "the job file, the state, the completion log and the disk; it changes nothing and "
        + "sends nothing.",
      "A task's id that stands for several tells of each. When the job file is gone, the job's "
        + "name still finds its history.",
    ],
    examples: [
      .init(line: "jobrun explain nightly.yaml iso", says: "the task iso of that file"),
      .init(line: "jobrun explain nightly 'iso[amd64]'", says: "one copy, by the job's name"),
    ])

  private static let validate = CommandSpec(
    name: .validate, operands: .files, summary: "Check job files, without network and state",
    description: [
      "Reads any number of job files and reports every mistake with its line, column and way "
        + "out. Ends with 0 if all are right (warnings and notes may be there), with 2 if not."
    ],
    examples: [
      .init(line: "jobrun validate jobs/*.yaml", says: "all of a folder"),
      .init(
        line: "jobrun validate --strict --format github jobs/*.yaml",
        says: "in a pipeline: annotations, and no warning passes"),
      .init(line: "jobrun init | jobrun validate -", says: "from standard input"),
    ])

  private static let schema = CommandSpec(
    name: .schema, operands: .none, summary: "Print the JSON Schema of the job format",
    description: [
      "For editors and other programs. It is made from the same declarations as the reader "
        + "of job files."
    ],
    examples: [
      .init(line: "jobrun schema > job.schema.json", says: "a file for the editor")
    ])

  private static let initialise = CommandSpec(
    name: .`init`, operands: .optional(label: "FILE"), summary: "Print or write a starter job",
    description: [
      "A small job with comments, which runs as it stands once its addresses are yours. "
        + "Without FILE it goes to standard output. A file that exists is left alone."
    ],
    examples: [.init(line: "jobrun init nightly.yaml", says: "start a job of your own")])

  private static let help = CommandSpec(
    name: .help, operands: .optional(label: "COMMAND"), summary: "Print help",
    description: ["The same as jobrun --help and jobrun COMMAND --help."],
    examples: [
      .init(line: "jobrun help run", says: "all options of run"),
      .init(line: "jobrun help --man | man -l -", says: "the manual page"),
    ])
}

/// The fields of the top level.
extension ObjectSpec {
  package static let job = ObjectSpec(
    "job", "A job: named sessions (how to talk) and tasks (what to move).",
    identityFields + runFields + placeFields)

  private static let identityFields: [FieldSpec] = [
    FieldSpec(
      "version", .int(1...1), interpolation: .none, required: true,
      "The version of the job format."),
    FieldSpec(
      "name", .text(.jobName), standard: "the file's base name",
      "Names the job and its state folder."),
    FieldSpec("description", .text(.any), "Free text about the job."),
    FieldSpec(
      "root", .text(.path), standard: "the job file's folder",
      "The folder that relative paths of tasks start from, itself relative to the job file."),
    FieldSpec(
      "vars", .map(.text(.any), keys: .name), interpolation: .secrets,
      "Texts for `${vars.NAME}`."),
    FieldSpec(
      "secrets", .map(.object(secret), keys: .name),
      "Where the values for `${secrets.NAME}` come from when a task that uses one is to run."),
    FieldSpec(
      "defaults", .object(task),
      "Task fields that every task starts from; a task's own field replaces them."),
    FieldSpec(
      "sessions", .map(.object(session), keys: .name),
      "Named sessions; one called `default` exists without being named."),
    FieldSpec(
      "tasks",
      .alternatives([
        .list(.object(task), atLeast: 0), .map(.object(task), keys: .taskID),
      ]), required: true, "What to move: a list of tasks, or a map of id to task."),
  ]

  private static let runFields: [FieldSpec] = [
    FieldSpec(
      "durability", .oneOf(["batch", "file", "none"]), standard: "batch",
      "When written bytes are made to outlive a power cut."),
    FieldSpec(
      "max_errors", .int(1...Int64.max), standard: "none",
      "After so many failed tasks nothing new starts."),
    FieldSpec(
      "allow_empty", .bool, standard: "false",
      "Whether a job whose expansion leaves no task is in order."),
    FieldSpec(
      "deadline", .duration(positive: true), standard: "none",
      "For the whole run: past it no new task starts and running ones stop, resumable."),
    FieldSpec(
      "max_parallel", .int(1...10_000), standard: "16", "Transfers at once in the whole run."),
    FieldSpec(
      "rate_limit", .object(rateLimit), standard: "none",
      "Bytes a second for the whole run, with a schedule in the job's timezone."),
    FieldSpec(
      "timezone", .text(.nonEmpty), standard: "the system's",
      "An IANA name like Europe/Berlin, for every clock time in the file."),
    FieldSpec(
      "on_failure", .oneOf(["continue", "stop"]), standard: "continue",
      "Whether tasks that don't depend on a failed one go on, or no new task starts."),
    FieldSpec(
      "hooks", .object(hooks), comes: .later("hooks"), "Programs that run when a run ends."),
  ]

  private static let placeFields: [FieldSpec] = [
    FieldSpec(
      "state", .text(.path), standard: "$XDG_STATE_HOME/jobrun/NAME",
      "The folder of the job's state, or a `postgresql://` address."),
    FieldSpec(
      "metrics", .text(.path), standard: "none", comes: .later("node_exporter metrics"),
      "The path of a node_exporter textfile that is written at each end of a run."),
    FieldSpec(
      "log", .text(.path), standard: "completion.jsonl in the state folder",
      "The path of the completion log."),
  ]
}

/// One command: what help, manual page and reference say of it, and how many files it takes.
struct CommandSpec: Sendable {
  /// What stands beside the options.
  enum Operands: Equatable, Sendable {
    case none
    /// Exactly one job.
    case job
    /// A job and one of its tasks.
    case jobAndTask
    /// One job file or more.
    case files
    /// One at most, `label` in the help.
    case optional(label: String)
  }

  struct Example: Sendable {
    var line: String
    /// In words, without a full stop.
    var says: String
  }

  var name: CommandName
  var operands: Operands
  /// For the list of commands: one line without a full stop.
  var summary: String
  /// Paragraphs.
  var description: [String]
  var examples: [Example]

  /// The line after `Usage:`, like `jobrun plan [OPTION...] JOB.yaml`.
  var usage: String {
    let operand: String =
      switch operands {
      case .none: ""
      case .job: " JOB.yaml"
      case .jobAndTask: " JOB.yaml TASK"
      case .files: " JOB.yaml..."
      case .optional(let label): " [\(label)]"
      }
    return "jobrun \(name.rawValue) [OPTION...]\(operand)"
  }
}

/// The commands that this version has.
enum CommandName: String, CaseIterable, Sendable {
  case run, plan, explain, validate, schema, `init`, help

  /// Commands that a later version brings: known, so that they aren't taken for misspelt ones.
  static let later = [
    "status", "pause", "resume", "cancel", "log", "report", "set", "gc", "completions",
  ]
}

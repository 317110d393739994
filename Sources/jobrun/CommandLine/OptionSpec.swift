/// One option: what the parser accepts, and what help, manual page and reference say of it.
struct OptionSpec: Sendable {
  /// What follows the option.
  enum Argument: Equatable, Sendable {
    case none
    /// Any text but the empty one; `label` stands for it in the help.
    case text(label: String)
    /// `NAME=VALUE`; the value may be empty.
    case assignment
    /// A whole number from 1.
    case count
    /// A duration as in job files: `90s`, `1h30m`, or seconds.
    case duration
    /// One of `values`; `later` ones are known and not in this version.
    case choice(label: String, values: [String], later: [String])
  }

  var name: OptionName
  var short: Character?
  var argument: Argument
  /// May be given more than once, and each counts.
  var isRepeatable = false
  /// In words, where leaving it out means something.
  var defaultText: String?
  /// One sentence without a full stop.
  var help: String
  var commands: [CommandName]
  /// Known, and not in this version.
  var isLater = false

  init(
    _ name: OptionName, short: Character? = nil, _ argument: Argument = .none,
    repeats: Bool = false, default defaultText: String? = nil, of commands: [CommandName],
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.argument = argument
    isRepeatable = repeats
    self.defaultText = defaultText
    self.help = help
    self.commands = commands
  }

  /// An option that a later version brings.
  init(later name: OptionName, _ argument: Argument = .none, of commands: [CommandName]) {
    self.init(name, argument, of: commands, "")
    isLater = true
  }

  /// What stands for the argument in the help, like `FILE`; nil without one.
  var label: String? {
    switch argument {
    case .none: nil
    case .text(let label), .choice(let label, _, _): label
    case .assignment: "NAME=VALUE"
    case .count: "N"
    case .duration: "TIME"
    }
  }

  /// The help sentence with choices and default, like `when to colour: auto, always or never
  /// (default: auto)`.
  var fullHelp: String {
    var text = help
    if case .choice(_, let values, _) = argument { text += ": " + Prose.list(values, "or") }
    if let defaultText { text += " (default: \(defaultText))" }
    return text
  }
}

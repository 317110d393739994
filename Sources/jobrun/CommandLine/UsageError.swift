/// A command line that can't be obeyed: told in one line, with where to look; exit 2.
struct UsageError: Error, Equatable {
  /// One sentence without a full stop.
  var message: String
  /// Whose help says more; nil is the program's.
  var command: CommandName?

  init(_ message: String, of command: CommandName? = nil) {
    self.message = message
    self.command = command
  }

  /// As it is printed.
  var text: String {
    let help = command.map { "jobrun \($0.rawValue) --help" } ?? "jobrun --help"
    return "jobrun: \(message)\nSee '\(help)'.\n"
  }
}

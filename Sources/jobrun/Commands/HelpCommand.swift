import JobSpec

/// `jobrun help [COMMAND]`.
enum HelpCommand {
  static func text(_ invocation: Invocation) throws(UsageError) -> String {
    if invocation.has(.man) { return ManPage.text() }
    guard let word = invocation.operands.first else { return HelpPage.program() }
    if let command = CommandName(rawValue: word) { return HelpPage.command(command) }
    if CommandName.later.contains(word) {
      throw UsageError("not in this version: the command \(word)")
    }
    let near = NearestName.suggestion(for: word, among: CommandName.allCases.map(\.rawValue))
    let suggestion = near.map { "; did you mean \($0)?" } ?? ""
    throw UsageError("there is no command \(Prose.quoted(word))\(suggestion)")
  }
}

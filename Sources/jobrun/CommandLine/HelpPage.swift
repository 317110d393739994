/// What `--help` prints, 80 columns wide.
enum HelpPage {
  static let width = 80

  /// The program's own help.
  static func program() -> String {
    var page = Page()
    page.line("Usage: jobrun JOB.yaml [OPTION...]")
    page.line("       jobrun COMMAND [ARGUMENT...] [OPTION...]")
    page.gap()
    page.paragraph(
      "Moves files as a job file says: downloads, uploads and requests over HTTP and HTTPS. "
        + "No file is ever left half written, and a run that was interrupted goes on where "
        + "it was.")
    page.heading("Commands")
    page.rows(CommandTable.all.map { ($0.usageWithoutOptions, $0.summary) })
    page.heading("Exit codes")
    page.rows(ExitCode.documented.map { (String($0.status), $0.meaning) } + [signalRow])
    page.gap()
    page.line("'jobrun COMMAND --help' tells the options; 'jobrun run --help' the most used.")
    page.line("'jobrun init FILE' writes a job to start from.")
    return page.text
  }

  /// The help of one command.
  static func command(_ name: CommandName) -> String {
    let spec = CommandTable.spec(name)
    var page = Page()
    page.line("Usage: \(spec.usage)")
    if name == .run { page.line("       jobrun [OPTION...] JOB.yaml") }
    for paragraph in spec.description {
      page.gap()
      page.paragraph(paragraph)
    }
    page.heading("Options")
    page.rows(OptionTable.options(of: name).map { ($0.usage, $0.fullHelp) })
    if !spec.examples.isEmpty {
      page.heading("Examples")
      for example in spec.examples {
        page.line("  \(example.line)")
        page.line("      \(example.says)")
      }
    }
    if name == .run {
      page.heading("Exit codes")
      page.rows(ExitCode.documented.map { (String($0.status), $0.meaning) } + [signalRow])
    }
    return page.text
  }

  private static let signalRow = ("128+N", ExitCode.signalMeaning)
}

extension OptionSpec {
  /// Left column of the help: `-j, --max-parallel N`.
  var usage: String {
    let shortPart = short.map { "-\($0), " } ?? "    "
    return shortPart + name.spelled + (label.map { " " + $0 } ?? "")
  }
}

extension CommandSpec {
  /// Left column of the list of commands: `plan JOB.yaml`.
  var usageWithoutOptions: String {
    String(usage.dropFirst("jobrun ".count)).replacing(" [OPTION...]", with: "")
  }
}

/// A page of text that grows downwards.
private struct Page {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func gap() { text += "\n" }

  mutating func heading(_ title: String) {
    gap()
    line(title + ":")
  }

  mutating func paragraph(_ words: String) {
    for part in Prose.wrap(words, width: HelpPage.width) { line(part) }
  }

  /// Two columns; the right one is wrapped, and starts a line of its own where the left is wide.
  mutating func rows(_ rows: [(left: String, right: String)]) {
    let widest = rows.map(\.left.count).max() ?? 0
    let column = min(widest, 26) + 4
    for row in rows {
      let left = "  " + row.left
      let lines = Prose.wrap(row.right, width: HelpPage.width - column)
      var isFirst = left.count + 2 <= column
      if !isFirst { line(left) }
      for part in lines {
        let margin = isFirst ? left.padded(to: column) : String(repeating: " ", count: column)
        line(margin + part)
        isFirst = false
      }
    }
  }
}

extension String {
  /// Filled with spaces on the right up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Filled with spaces on the left up to `width` characters.
  func indented(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

/// Workflow commands of GitHub Actions: `::error file=…,line=…::message`, one a line.
enum GitHubRenderer {
  static func render(_ files: [DiagnosedFile]) -> String {
    var text = ""
    for file in files {
      for diagnostic in file.diagnostics {
        let hint = diagnostic.hint.map { "\nhint: \($0)" } ?? ""
        text += command(
          name(of: diagnostic.severity), at: diagnostic.range, of: file, title: diagnostic.id,
          diagnostic.message + hint)
        for note in diagnostic.notes {
          text += command("notice", at: note.range, of: file, title: diagnostic.id, note.message)
        }
      }
    }
    return text
  }

  private static func name(of severity: Diagnostic.Severity) -> String {
    severity == .note ? "notice" : severity.rawValue
  }

  private static func command(
    _ name: String, at range: SourceRange, of file: DiagnosedFile, title: String,
    _ message: String
  ) -> String {
    var properties = "file=\(escapedProperty(file.path)),line=\(range.start.line)"
    // Columns of a range over several lines are refused there.
    if range.start.line == range.end.line {
      let last = max(range.start.column, range.end.column - 1)
      properties += ",col=\(range.start.column),endLine=\(range.end.line),endColumn=\(last)"
    } else {
      properties += ",endLine=\(range.end.line)"
    }
    return "::\(name) \(properties),title=\(escapedProperty(title))::\(escaped(message))\n"
  }

  private static func escaped(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func escapedProperty(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escape(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escapes[$1] ?? String($1) }
  }
}

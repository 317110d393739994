/// For people, at 80 columns.
struct TextRenderer {
  static let width = 80
  let isColored: Bool

  /// A blank line stands between two diagnostics.
  func render(_ files: [DiagnosedFile]) -> String {
    files.flatMap { file in
      file.diagnostics.map { render($0, of: file) }
    }.joined(separator: "\n")
  }

  func render(_ diagnostic: Diagnostic, of file: DiagnosedFile) -> String {
    let severity = diagnostic.severity
    let places = [diagnostic.range] + diagnostic.notes.map(\.range)
    let gutter = String(places.map(\.start.line).max() ?? 1).utf8.count
    var text = header(
      severity.rawValue, "\(diagnostic.message) [\(diagnostic.id)]", color: color(of: severity))
    text += place(diagnostic.range, of: file, gutter: gutter, color: color(of: severity))
    if let path = diagnostic.path { text += remark("in", path, gutter: gutter) }
    if let hint = diagnostic.hint { text += remark("hint", hint, gutter: gutter) }
    for note in diagnostic.notes {
      text += header("note", note.message, color: .cyan)
      text += place(note.range, of: file, gutter: gutter, color: .cyan)
    }
    return text
  }

  private func header(_ label: String, _ message: String, color: Color) -> String {
    let lines = wrapped(message, indent: label.utf8.count + 2)
    return paint(label, color) + paint(": " + lines, .bold) + "\n"
  }

  private func remark(_ label: String, _ message: String, gutter: Int) -> String {
    let lines = wrapped(message, indent: gutter + label.utf8.count + 5)
    return spaces(gutter) + " \(paint("=", .blue)) \(paint(label, .bold)): \(lines)\n"
  }

  private func place(
    _ range: SourceRange, of file: DiagnosedFile, gutter: Int, color: Color
  ) -> String {
    let bar = paint("|", .blue)
    let (line, start) = (range.start.line, Int(range.start.column) - 1)
    let scalars = file.source.scalars(line)
    let end =
      range.end.line == line
      ? Int(range.end.column) - 1 : (scalars.lastIndex { $0 != " " } ?? 0) + 1
    let snippet = Snippet(
      scalars, marked: start..<max(start, end), width: Self.width - gutter - 3)
    let number = String(line)
    let shown = snippet.line.isEmpty ? "" : " " + snippet.line
    return spaces(gutter)
      + "\(paint("-->", .blue)) \(Printable.text(file.path)):\(line):\(range.start.column)\n"
      + spaces(gutter) + " \(bar)\n"
      + spaces(gutter - number.utf8.count) + "\(paint(number, .blue)) \(bar)\(shown)\n"
      + spaces(gutter) + " \(bar) \(paint(snippet.carets, color))\n"
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// Broken between words; lines after the first are indented.
  private func wrapped(_ text: String, indent: Int) -> String {
    var result = ""
    var column = indent
    for word in Printable.text(text).split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = DisplayWidth.of(String(word))
      if column > indent, column + 1 + wordWidth > Self.width {
        result += "\n" + spaces(indent)
        column = indent
      } else if !result.isEmpty {
        result += " "
        column += 1
      }
      result += word
      column += wordWidth
    }
    return result
  }
}

// MARK: - Colors

extension TextRenderer {
  /// Parameters of ANSI's SGR sequence (ECMA-48).
  private enum Color: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case blue = "1;34"
    case cyan = "1;36"
  }

  private func color(of severity: Diagnostic.Severity) -> Color {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  private func paint(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}

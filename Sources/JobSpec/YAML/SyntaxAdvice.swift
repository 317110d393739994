/// Turns libyaml's complaint into what the author needs: the place, the cause in plain words, and
/// how the line would read if it were right.
struct SyntaxAdvice {
  struct Advice {
    var message: String
    var range: SourceRange
    var hint: String
    var notes: [Diagnostic.Note] = []
  }

  private(set) var problem: SyntaxProblem
  private let source: SourceText

  init(_ problem: SyntaxProblem, in source: SourceText) {
    self.problem = problem
    self.source = source
    self.problem.place = textEnd(before: problem.place)
  }

  /// libyaml finds the end of a file on a line of its own, which shows nothing: the end of the last
  /// line with text is meant.
  private func textEnd(before place: SourcePosition) -> SourcePosition {
    guard Int(place.line) >= source.lineCount else { return place }
    var line = place.line
    while line > 1, scalars(line).allSatisfy({ $0 == " " }) { line -= 1 }
    guard line < place.line else { return place }
    return SourcePosition(line: line, column: Int32(clamping: scalars(line).count + 1))
  }

  var diagnostic: Diagnostic {
    var advice = advice()
    if let note = strangeSpace(on: advice.range.start.line) {
      advice.hint = "type a plain space where the note points"
      advice.notes.append(note)
    }
    return Diagnostic(
      .error, "yaml-syntax", advice.message, at: advice.range, hint: advice.hint,
      notes: advice.notes)
  }

  private func advice() -> Advice {
    switch problem.text {
    case "found character that cannot start any token": cannotStart()
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      tab()
    case "mapping values are not allowed in this context": colonInValue()
    case "block sequence entries are not allowed in this context": itemInValue()
    case "mapping keys are not allowed in this context": wantsQuotes("`? `")
    case "could not find expected ':'": noColon()
    case "found unexpected end of stream", "found unexpected document indicator": openQuote()
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      escape()
    case "did not find expected ',' or ']'": flow(closer: "]")
    case "did not find expected ',' or '}'": flow(closer: "}")
    case "did not find expected key": misplaced(isList: false)
    case "did not find expected '-' indicator": misplaced(isList: true)
    case "did not find expected node content": noContent()
    default: rare()
    }
  }

  // MARK: - What the advice is made of

  func scalars(_ line: Int32) -> [Unicode.Scalar] { source.scalars(line) }

  func scalar(at place: SourcePosition) -> Unicode.Scalar? {
    let line = scalars(place.line)
    let index = Int(place.column) - 1
    return line.indices.contains(index) ? line[index] : nil
  }

  /// The last scalar before `place` on its line that isn't a space.
  func scalar(before place: SourcePosition) -> Unicode.Scalar? {
    scalars(place.line).prefix(Int(place.column) - 1).last { $0 != " " }
  }

  /// Nothing but spaces stands before `place` on its line.
  func isFirst(_ place: SourcePosition) -> Bool { scalar(before: place) == nil }

  /// `count` columns from `place` on.
  func range(_ place: SourcePosition, _ count: Int32 = 1) -> SourceRange {
    SourceRange(
      start: place, end: SourcePosition(line: place.line, column: place.column + count))
  }

  /// From `place` to the end of its line's text.
  func restOfLine(_ place: SourcePosition) -> SourceRange {
    let line = scalars(place.line)
    let end = (line.lastIndex { $0 != " " } ?? line.count) + 1
    return range(place, max(1, Int32(clamping: end) - place.column + 1))
  }

  /// "put … in quotes: `LINE`", with the line as it should read.
  func quoteHint(_ what: String, at place: SourcePosition) -> String {
    let quoting = LineQuoting(
      scalars(place.line), beginsInFlow: isFlow && problem.contextPlace.line < place.line)
    return shown("put \(what) in quotes", quoting.quotingValue(at: place.column))
  }

  func placeholderHint(on line: Int32) -> String {
    let quoting = LineQuoting(
      scalars(line), beginsInFlow: isFlow && problem.contextPlace.line < line)
    return shown("put the text in quotes", quoting.quotingPlaceholders())
  }

  private var isFlow: Bool { problem.context?.contains("flow") ?? false }

  /// A line that doesn't fit beside the hint isn't shown.
  private func shown(_ hint: String, _ line: String?) -> String {
    guard let line, line.unicodeScalars.count <= 160 else { return hint }
    return line.contains("`") ? "\(hint): \(line)" : "\(hint): `\(line)`"
  }

  private func strangeSpace(on line: Int32) -> Diagnostic.Note? {
    let scalars = scalars(line)
    guard
      let index = scalars.firstIndex(where: {
        $0 != " " && $0.properties.generalCategory == .spaceSeparator
      })
    else { return nil }
    let code = String(scalars[index].value, radix: 16, uppercase: true)
    let name = String(repeating: "0", count: max(0, 4 - code.count)) + code
    return Diagnostic.Note(
      message: "this space is U+\(name), which YAML takes for a letter",
      range: range(SourcePosition(line: line, column: Int32(clamping: index + 1))))
  }
}

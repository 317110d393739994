// Keys, items and brackets that stand where they can't.
extension SyntaxAdvice {
  /// A `: ` where no key can end.
  func colonInValue() -> Advice {
    guard let last = problem.lastScalar else { return misplaced(isList: false) }
    if last.start.line == problem.place.line, !isFirst(last.start) {
      return Advice(
        message: "a value that holds `: ` must be in quotes", range: range(problem.place),
        hint: quoteHint("it", at: last.start))
    }
    let keyPlace = SourcePosition(
      line: problem.place.line, column: indentation(problem.place.line) + 1)
    return Advice(
      message: "this key stands below a value that has begun on line \(aboveLine(last))",
      range: range(keyPlace, max(1, problem.place.column - keyPlace.column)),
      hint: keyHint(aboveLine(last)),
      notes: [.init(message: "the value is here", range: valueRange(last))])
  }

  /// The line that the value above the misplaced key began on.
  private func aboveLine(_ last: SourceRange) -> Int32 {
    guard last.start.line == problem.place.line else { return last.start.line }
    var line = problem.place.line - 1
    while line > 1, scalars(line).allSatisfy({ $0 == " " }) { line -= 1 }
    return line
  }

  private func valueRange(_ last: SourceRange) -> SourceRange {
    let line = aboveLine(last)
    if last.start.line == line { return restOfLine(last.start) }
    return restOfLine(SourcePosition(line: line, column: indentation(line) + 1))
  }

  private func keyHint(_ above: Int32) -> String {
    let text = scalars(above)
    if let fixed = spaced(text) { return "write a space after the colon: `\(fixed)`" }
    if indentation(problem.place.line) > indentation(above) {
      return "indent both lines alike, or leave the key on line \(above) without a value of its own"
    }
    return "a key and its value are written `name: value`; line \(above) has no `: `"
  }

  /// `a:b` as `a: b`, when no colon of the line has its space.
  private func spaced(_ line: [Unicode.Scalar]) -> String? {
    guard let colon = line.firstIndex(of: ":"), colon + 1 < line.count else { return nil }
    let hasSpaced = line.indices.dropLast().contains { line[$0] == ":" && line[$0 + 1] == " " }
    guard !hasSpaced, line[colon + 1] != "/" else { return nil }
    var fixed = ""
    fixed.unicodeScalars.append(contentsOf: line[...colon] + [" "] + line[(colon + 1)...])
    return String(fixed.trimmingSpaces)
  }

  func noColon() -> Advice {
    let place = problem.contextPlace
    let hint =
      spaced(scalars(place.line)).map { "write a space after the colon: `\($0)`" }
      ?? "write `name: value`; text that goes on from the line above is indented deeper"
    return Advice(message: "`: ` is missing after this key", range: restOfLine(place), hint: hint)
  }

  func itemInValue() -> Advice {
    Advice(
      message: "a list can't begin on the line of its key", range: range(problem.place),
      hint: "begin it on the next line, or write it as `[one, two]`")
  }

  func noContent() -> Advice {
    guard let found = scalar(at: problem.place) else {
      return Advice(
        message: "a value is missing here", range: range(problem.place),
        hint: "write the value, or `null` for none")
    }
    if found == "]" || found == "}" { return loneCloser(found) }
    if found == ",", problem.context == "while parsing a flow node" {
      return Advice(
        message: "nothing stands before this `,`", range: range(problem.place),
        hint: "remove the `,`, or write what belongs before it")
    }
    return wantsQuotes("`\(found)`")
  }

  /// A line that is neither the next key or item of what is open, nor of anything around it.
  func misplaced(isList: Bool) -> Advice {
    let place = problem.place
    guard isFirst(place) else { return trailing() ?? misplacedLine(isList: isList) }
    switch scalar(at: place) {
    case "]", "}": return loneCloser(scalar(at: place) ?? "]")
    case ":":
      return Advice(
        message: "a key is missing before this `:`", range: range(place),
        hint: "write the key's name, or put text that begins with `:` in quotes")
    default: return misplacedLine(isList: isList)
    }
  }

  private func misplacedLine(isList: Bool) -> Advice {
    let (place, open) = (problem.place, problem.contextPlace)
    if place.column == open.column { return outOfKind(isList: isList) }
    if scalar(at: place) == "-", let item = itemAbove(place) {
      return Advice(
        message: "this list item fits no list above it", range: restOfLine(place),
        hint: "the items of one list begin in one column: indent it by \(item.column - 1)",
        notes: [.init(message: "the item before it begins here", range: restOfLine(item))])
    }
    var advice = Advice(
      message: "this line is indented by \(place.column - 1), which fits nothing above it",
      range: restOfLine(place), hint: "indent it like the lines that it belongs with",
      notes: [openNote(isList: isList)])
    if isList, place.column > open.column, let item = itemAbove(place),
      let key = scalars(item.line).dropFirst(Int(item.column)).firstIndex(where: { $0 != " " })
    {
      advice.hint = "the keys of an item begin in one column: indent it by \(key)"
    }
    return advice
  }

  /// In the right column, but a list goes on there where a key stands, or the other way round.
  private func outOfKind(isList: Bool) -> Advice {
    if isList {
      return Advice(
        message: "a list goes on here, and this is no item: it lacks `- `",
        range: restOfLine(problem.place),
        hint: "write `- ` before it, or indent it under the item above",
        notes: [openNote(isList: true)])
    }
    let isItem = scalar(at: problem.place) == "-"
    return Advice(
      message: "a map goes on here, and this is no key", range: restOfLine(problem.place),
      hint: isItem
        ? "indent the list under its key, which has no value of its own"
        : "a key and its value are written `name: value`", notes: [openNote(isList: false)])
  }

  private func openNote(isList: Bool) -> Diagnostic.Note {
    let (parts, what) = isList ? ("items", "list") : ("keys", "map")
    let open = problem.contextPlace
    return .init(
      message: "the \(parts) of the \(what) that begins here are indented by \(open.column - 1)",
      range: range(open))
  }

  /// The nearest list item on a line above.
  private func itemAbove(_ place: SourcePosition) -> SourcePosition? {
    var line = place.line - 1
    while line >= 1 {
      let item = SourcePosition(line: line, column: indentation(line) + 1)
      if scalar(at: item) == "-" { return item }
      line -= 1
    }
    return nil
  }

  private func indentation(_ line: Int32) -> Int32 {
    Int32(clamping: scalars(line).prefix { $0 == " " }.count)
  }
}

// MARK: - Brackets and braces

extension SyntaxAdvice {
  func flow(closer: Unicode.Scalar) -> Advice {
    let (place, open) = (problem.place, problem.contextPlace)
    let opener = scalar(at: open) ?? "["
    let found = scalar(at: place)
    let opening = Diagnostic.Note(message: "the `\(opener)` is here", range: range(open))
    if let advice = unquoted(found, between: "`\(opener)` and `\(closer)`") { return advice }
    if let found, found == "]" || found == "}" {
      return Advice(
        message: "a `\(opener)` is closed by this `\(found)`", range: range(place),
        hint: "write `\(closer)` before it, or in its place", notes: [opening])
    }
    if let advice = missingComma(found, opening: opening) { return advice }
    if found == nil || place.line > open.line {
      return Advice(
        message: "this `\(opener)` isn't closed", range: range(open),
        hint: "write `\(closer)` where it ends, and a `,` between its parts",
        notes: [.init(message: "a `,` or `\(closer)` is due here", range: range(place))])
    }
    return Advice(
      message: "a `,` or `\(closer)` is due here", range: range(place),
      hint: "put a `,` between two parts, or a text of several words in one pair of quotes",
      notes: [opening])
  }

  /// A value that runs on into the key on the next line.
  private func missingComma(_ found: Unicode.Scalar?, opening: Diagnostic.Note) -> Advice? {
    let (place, open) = (problem.place, problem.contextPlace)
    guard found == ":", let last = problem.lastScalar, last.start.line < last.end.line,
      indentation(place.line) > indentation(open.line)
    else { return nil }
    let value = restOfLine(last.start)
    if scalars(last.start.line).dropFirst(Int(last.start.column) - 1).starts(with: ["/", "/"]) {
      return Advice(
        message: "`//` begins no comment in YAML", range: value, hint: "write `#` in its place")
    }
    return Advice(
      message: "a `,` is missing after this", range: value,
      hint: "between braces and brackets each part but the last ends with a `,`", notes: [opening])
  }

  /// Text that needs quotes between brackets or braces though not elsewhere.
  private func unquoted(_ found: Unicode.Scalar?, between what: String) -> Advice? {
    let place = problem.place
    let before = scalars(place.line).prefix(Int(place.column) - 1).last
    if found == "{", before == "$" {
      let start = SourcePosition(line: place.line, column: place.column - 1)
      return Advice(
        message: "between \(what) a `${…}` must be in quotes", range: placeholder(start),
        hint: placeholderHint(on: place.line))
    }
    if found == ":", let last = problem.lastScalar, last.start.line == place.line {
      return Advice(
        message: "a value that holds `: ` must be in quotes", range: range(place),
        hint: quoteHint("it", at: last.start))
    }
    if let found, found == "{" || found == "[", let before, before != " " {
      return Advice(
        message: "between \(what) text that holds `\(found)` must be in quotes",
        range: range(place), hint: quoteHint("it", at: place))
    }
    return nil
  }

  private func placeholder(_ start: SourcePosition) -> SourceRange {
    let rest = scalars(start.line).dropFirst(Int(start.column) - 1)
    guard let end = rest.firstIndex(of: "}") else { return range(start, 2) }
    return range(start, Int32(clamping: end + 1) - start.column + 1)
  }
}

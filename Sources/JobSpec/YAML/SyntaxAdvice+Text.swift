// Text that needs quotes, or whose quotes are wrong.
extension SyntaxAdvice {
  func cannotStart() -> Advice {
    if scalar(at: problem.place) == "\t" { return tab() }
    let found = scalar(at: problem.place) ?? "`"
    return wantsQuotes(found == "`" ? "a backtick" : "`\(found)`")
  }

  func wantsQuotes(_ what: String) -> Advice {
    Advice(
      message: "text that begins with \(what) must be in quotes", range: range(problem.place),
      hint: quoteHint("it", at: problem.place))
  }

  func tab() -> Advice {
    Advice(
      message: "a tab indents this line; YAML indents with spaces alone",
      range: range(problem.place),
      hint: "put spaces in its place; `expand -t 2 OLD > NEW` does that")
  }

  func openQuote() -> Advice {
    let quote = scalar(at: problem.contextPlace).map(String.init) ?? "quote"
    let isApostrophe = quote == "'"
    var advice = Advice(
      message: "this `\(quote)` is never closed", range: range(problem.contextPlace),
      hint: isApostrophe
        ? "write the closing `'`; an apostrophe inside single quotes is written twice"
        : "write the closing `\"`; a `\"` inside double quotes is written `\\\"`")
    if problem.text == "found unexpected document indicator" {
      advice.notes.append(
        .init(message: "the text ends here at the latest", range: restOfLine(problem.place)))
    }
    return advice
  }

  func escape() -> Advice {
    // libyaml points at the backslash, or past it at the digits.
    let line = scalars(problem.place.line)
    let upTo = line.prefix(Int(problem.place.column))
    let column = Int32(clamping: (upTo.lastIndex(of: "\\") ?? Int(problem.place.column) - 1) + 1)
    let place = SourcePosition(line: problem.place.line, column: column)
    let letter = scalar(at: SourcePosition(line: place.line, column: column + 1)) ?? " "
    if problem.text == "found unknown escape character" {
      return Advice(
        message: "`\\\(letter)` means nothing in double quotes", range: range(place, 2),
        hint: "in single quotes a backslash is itself; in double quotes write `\\\\`")
    }
    return Advice(
      message: problem.text.contains("Unicode")
        ? "this escape names no character" : "`\\\(letter)` lacks its hexadecimal digits",
      range: range(place, 2),
      hint: "write `\\xHH`, `\\uHHHH` or `\\UHHHHHHHH`; in single quotes a backslash is itself")
  }

  /// After the closing quote or bracket, or after an alias, something else stands on the line.
  func trailing() -> Advice? {
    guard let before = scalar(before: problem.place) else { return nil }
    if before == "\"" || before == "'" { return afterQuote(before) }
    if before == "]" || before == "}" { return afterBracket(before) }
    return Advice(
      message: "this can't follow what stands before it on the line",
      range: restOfLine(problem.place),
      hint: "put the whole value in quotes, or begin a new line")
  }

  private func afterQuote(_ quote: Unicode.Scalar) -> Advice {
    if let last = problem.lastScalar, last.start.line < last.end.line,
      last.end.line == problem.place.line
    {
      return Advice(
        message: "this `\(quote)` is closed only on line \(last.end.line), and more follows there",
        range: range(last.start), hint: "write the closing `\(quote)` where the text ends",
        notes: [.init(message: "this follows the closing quote", range: restOfLine(problem.place))])
    }
    let start = problem.lastScalar?.start ?? problem.place
    return Advice(
      message: "text follows the closing `\(quote)`", range: restOfLine(problem.place),
      hint: quoteHint("the whole value", at: start))
  }

  private func afterBracket(_ bracket: Unicode.Scalar) -> Advice {
    if let closer = scalar(at: problem.place), closer == "]" || closer == "}" {
      return loneCloser(closer)
    }
    return Advice(
      message: "text follows the closing `\(bracket)`", range: restOfLine(problem.place),
      hint: "put the whole value in quotes if it is text, or begin a new line")
  }

  func loneCloser(_ closer: Unicode.Scalar) -> Advice {
    let opener = closer == "]" ? "[" : "{"
    return Advice(
      message: "this `\(closer)` closes no `\(opener)`", range: range(problem.place),
      hint: "remove it, or put the text in quotes if the `\(closer)` belongs to it")
  }

  func rare() -> Advice {
    let (place, context) = (problem.contextPlace, problem.context ?? "")
    if problem.text == "did not find expected alphabetic or numeric character" {
      let sign = scalar(at: place) ?? "*"
      return Advice(
        message: "`\(sign)` begins an \(sign == "&" ? "anchor" : "alias"), and this is no name",
        range: restOfLine(place), hint: quoteHint("text that begins with `\(sign)`", at: place))
    }
    if context == "while scanning a block scalar" {
      let sign = scalar(at: place) ?? "|"
      return Advice(
        message: "only a comment may follow `\(sign)` on its line", range: restOfLine(place),
        hint: "write the text on the next lines, indented; "
          + quoteHint("text that begins with `\(sign)`", at: place))
    }
    if problem.text == "found undefined tag handle" { return tag(at: problem.place) }
    if context.contains("tag"), !context.contains("directive") { return tag(at: place) }
    return veryRare(context)
  }

  private func tag(at place: SourcePosition) -> Advice {
    Advice(
      message: "`!` begins a tag, and this is none", range: restOfLine(place),
      hint: quoteHint("text that begins with `!`", at: place))
  }

  private func veryRare(_ context: String) -> Advice {
    if problem.text == "did not find expected <document start>" {
      return Advice(
        message: "text follows the end of the document (`...`)", range: restOfLine(problem.place),
        hint: "a job file holds one document: remove the `...`, or what follows it")
    }
    let first = SourcePosition(line: problem.place.line, column: 1)
    if scalar(at: first) == "%" {
      return Advice(
        message: "a line that begins with `%` is a directive to YAML, and this is none it knows",
        range: restOfLine(first), hint: "remove the line, or indent it if it belongs to a text")
    }
    return Advice(
      message: "YAML can't be read on from here (\(problem.text))", range: range(problem.place),
      hint: "compare with the line above: indentation, quotes, `: ` and brackets")
  }
}

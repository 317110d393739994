/// Shows how a line reads once the text that YAML stumbled over is in quotes.
struct LineQuoting {
  private typealias Scalars = ArraySlice<Unicode.Scalar>

  private let line: [Unicode.Scalar]
  /// The line begins between brackets or braces that an earlier one opened.
  private let beginsInFlow: Bool

  init(_ line: [Unicode.Scalar], beginsInFlow: Bool) {
    self.line = line
    self.beginsInFlow = beginsInFlow
  }

  /// The text in quotes: double ones unless it holds any, or backslashes.
  static func quoted(_ text: String) -> String {
    guard text.contains("\"") || text.contains("\\") else { return "\"\(text)\"" }
    var doubled = ""
    for character in text { doubled += character == "'" ? "''" : String(character) }
    return "'\(doubled)'"
  }

  /// The line with the value at the 1-based `column` in quotes.
  func quotingValue(at column: Int32) -> String? {
    let start = Int(column) - 1
    guard line.indices.contains(start) else { return nil }
    let token = isFlow(before: start) ? flowToken(around: start) : start..<blockEnd(from: start)
    return replacing([token])
  }

  /// The line with each value that holds `${` between brackets or braces in quotes.
  func quotingPlaceholders() -> String? {
    var tokens: [Range<Int>] = []
    for index in line.indices.dropLast() where line[index] == "$" && line[index + 1] == "{" {
      if let last = tokens.last, last.contains(index) { continue }
      guard isFlow(before: index), !isQuoted(index) else { continue }
      let token = flowToken(around: index)
      // Behind a bracket too many, where a value begins is anybody's guess.
      if token.lowerBound >= tokens.last?.upperBound ?? 0 { tokens.append(token) }
    }
    return tokens.isEmpty ? nil : replacing(tokens)
  }

  private func replacing(_ tokens: [Range<Int>]) -> String? {
    var result = ""
    var done = 0
    for token in tokens {
      result += text(line[done..<token.lowerBound])
      result += Self.quoted(Self.bare(text(line[token])))
      done = token.upperBound
    }
    result += text(line[done...])
    return String(result.trimmingSpaces)
  }

  private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// `'it's'` is meant as `it's`: quotes around the whole go before others come.
  private static func bare(_ text: String) -> String {
    guard text.count > 2, let first = text.first, first == text.last, first == "'" || first == "\""
    else { return text }
    let inner = String(text.dropFirst().dropLast())
    return first == "\"" && inner.contains("\"") ? text : inner
  }

  // MARK: - Where things begin and end

  private func isQuoted(_ index: Int) -> Bool { state(before: index).quote != nil }

  private func isFlow(before index: Int) -> Bool { state(before: index).depth > 0 }

  private func state(before index: Int) -> (depth: Int, quote: Unicode.Scalar?) {
    var depth = beginsInFlow ? 1 : 0
    var quote: Unicode.Scalar?
    for place in 0..<index {
      let scalar = line[place]
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        if beginsValue(place) { quote = scalar }
      } else if scalar == "[" || scalar == "{" {
        if beginsValue(place) || depth > 0 { depth += 1 }
      } else if scalar == "]" || scalar == "}" {
        depth = max(0, depth - 1)
      }
    }
    return (depth, quote)
  }

  /// Nothing but white space stands between an indicator and this place.
  private func beginsValue(_ index: Int) -> Bool {
    guard let before = line[..<index].lastIndex(where: { $0 != " " }) else { return true }
    if line[before] == "," || line[before] == "[" || line[before] == "{" { return true }
    return (line[before] == ":" || line[before] == "-") && before < index - 1
  }

  private func flowToken(around index: Int) -> Range<Int> {
    var start = index
    while start > 0, !endsBefore(start) { start -= 1 }
    while start < index, line[start] == " " { start += 1 }
    var end = index
    var depth = 0
    while end < line.count {
      let scalar = line[end]
      if depth == 0, scalar == "," || scalar == "]" || scalar == "}" { break }
      if scalar == "{" || scalar == "[" { depth += 1 }
      if scalar == "}" || scalar == "]" { depth -= 1 }
      end += 1
    }
    while end > start + 1, line[end - 1] == " " { end -= 1 }
    return start..<end
  }

  /// A token between brackets or braces begins after this place at the earliest.
  private func endsBefore(_ start: Int) -> Bool {
    let before = line[start - 1]
    if before == "," || before == "[" { return true }
    if before == "{" { return start < 2 || line[start - 2] != "$" }
    return before == " " && start > 1 && line[start - 2] == ":"
  }

  /// The end of the line, less a comment and the spaces before it.
  private func blockEnd(from start: Int) -> Int {
    var end = line.count
    for index in line.indices where index > start && line[index] == "#" && line[index - 1] == " " {
      end = index
      break
    }
    while end > start + 1, line[end - 1] == " " || line[end - 1] == "\t" { end -= 1 }
    return end
  }
}

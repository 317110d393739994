/// Swift source with comments and the contents of strings blanked, so that rules about code don't
/// trip over prose. Lines stay where they are.
struct SwiftText {
  let lines: [String]

  init(_ source: String) {
    var lexer = Lexer(source)
    lines = lexer.blanked().split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Whether `word` stands in `text` with no letter, digit or `_` before or behind it.
  static func contains(_ word: String, in text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    let word = Array(word.unicodeScalars)
    guard text.count >= word.count else { return false }
    for start in 0...(text.count - word.count)
    where text[start..<(start + word.count)].elementsEqual(word) {
      let end = start + word.count
      let opens = start == 0 || !isWord(text[start - 1]) || !isWord(word[0])
      let closes = end == text.count || !isWord(text[end]) || !isWord(word[word.count - 1])
      if opens && closes { return true }
    }
    return false
  }

  static func words(of line: String) -> [String] {
    line.unicodeScalars.split { !isWord($0) }.map(String.init)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }
}

/// Walks source text once and copies code, line ends and quotes; the rest becomes spaces.
private struct Lexer {
  private let text: [Character]
  private var place = 0
  private var out = ""

  init(_ source: String) { text = Array(source) }

  mutating func blanked() -> String {
    code(until: nil)
    return out
  }

  private func starts(_ mark: String) -> Bool {
    let mark = Array(mark)
    return place + mark.count <= text.count
      && text[place..<(place + mark.count)].elementsEqual(mark)
  }

  private mutating func copy(_ count: Int) {
    for _ in 0..<count where place < text.count {
      out.append(text[place])
      place += 1
    }
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where place < text.count {
      out.append(text[place].isNewline ? "\n" : " ")
      place += 1
    }
  }

  /// Code up to the parenthesis that closes an interpolation, or to the end.
  private mutating func code(until close: Character?) {
    var depth = 0
    while place < text.count {
      if starts("//") {
        while place < text.count, !text[place].isNewline { blank(1) }
      } else if starts("/*") {
        blockComment()
      } else if text[place] == "\"" || hashesBeforeQuote() > 0 {
        string(hashes: hashesBeforeQuote())
      } else {
        if text[place] == "(" { depth += 1 }
        if text[place] == ")", let close, close == ")" {
          if depth == 0 { return }
          depth -= 1
        }
        copy(1)
      }
    }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && place < text.count
  }

  private func hashesBeforeQuote() -> Int {
    var count = 0
    while place + count < text.count, text[place + count] == "#" { count += 1 }
    return place + count < text.count && text[place + count] == "\"" ? count : 0
  }

  private mutating func string(hashes: Int) {
    copy(hashes)
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    copy(quote.count)
    let pounds = String(repeating: "#", count: hashes)
    let close = quote + pounds
    let escape = "\\" + pounds
    while place < text.count, !starts(close) {
      if starts(escape + "(") {
        blank(escape.count)
        copy(1)
        code(until: ")")
        copy(1)
      } else {
        blank(starts(escape) ? escape.count + 1 : 1)
      }
    }
    copy(close.count)
  }
}

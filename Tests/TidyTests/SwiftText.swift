/// Swift source with comments and the contents of strings blanked, so that rules about code don't
/// trip over prose. Lines stay where they are.
struct SwiftText {
  let lines: [Line]

  /// A line of code and the words in it.
  struct Line {
    let text: String
    let words: [String]
    init(_ text: some StringProtocol) {
      self.text = String(text)
      words = text.utf8.split { !SwiftText.isWord($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  init(_ source: String) {
    var lexer = Lexer(source)
    lines = lexer.blanked().split(separator: "\n", omittingEmptySubsequences: false).map(Line.init)
  }

  /// Whether `word` stands in `text` with no letter, digit or `_` before or behind it. Where the
  /// word itself begins or ends with a sign, anything may stand there.
  static func contains(_ word: String, in text: String) -> Bool {
    guard text.contains(word) else { return false }
    let text = Array(text.utf8)
    let word = Array(word.utf8)
    for start in 0...(text.count - word.count) where text[start] == word[0] {
      let end = start + word.count
      guard text[start..<end].elementsEqual(word) else { continue }
      let opens = start == 0 || !isWord(text[start - 1]) || !isWord(word[0])
      let closes = end == text.count || !isWord(text[end]) || !isWord(word[word.count - 1])
      if opens && closes { return true }
    }
    return false
  }

  /// Letters (all of those beyond ASCII count as such), digits and `_`.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

/// Walks source text once and copies code, line ends and quotes; the rest becomes spaces.
private struct Lexer {
  private let text: [UInt8]
  private var place = 0
  private var out: [UInt8] = []

  init(_ source: String) {
    text = Array(source.utf8)
    out.reserveCapacity(text.count)
  }

  mutating func blanked() -> String {
    code(insideParentheses: false)
    return String(decoding: out, as: UTF8.self)
  }

  private func starts(_ mark: StaticString) -> Bool {
    starts(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
  }

  private func starts(_ mark: some RandomAccessCollection<UInt8>) -> Bool {
    guard place + mark.count <= text.count else { return false }
    var index = place
    for byte in mark {
      if text[index] != byte { return false }
      index += 1
    }
    return true
  }

  private mutating func copy(_ count: Int) {
    for _ in 0..<count where place < text.count {
      out.append(text[place])
      place += 1
    }
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where place < text.count {
      out.append(text[place] == UInt8(ascii: "\n") ? text[place] : UInt8(ascii: " "))
      place += 1
    }
  }

  /// Code up to the parenthesis that closes an interpolation, or to the end.
  private mutating func code(insideParentheses: Bool) {
    var depth = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "/") where starts("//"):
        while place < text.count, text[place] != UInt8(ascii: "\n") { blank(1) }
      case UInt8(ascii: "/") where starts("/*"): blockComment()
      case UInt8(ascii: "\""): string(hashes: 0)
      case UInt8(ascii: "#") where hashesBeforeQuote() > 0: string(hashes: hashesBeforeQuote())
      case UInt8(ascii: "("):
        depth += 1
        copy(1)
      case UInt8(ascii: ")"):
        if insideParentheses, depth == 0 { return }
        depth -= 1
        copy(1)
      default: copy(1)
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
    while place + count < text.count, text[place + count] == UInt8(ascii: "#") { count += 1 }
    return place + count < text.count && text[place + count] == UInt8(ascii: "\"") ? count : 0
  }

  private mutating func string(hashes: Int) {
    copy(hashes)
    let quote = [UInt8](repeating: UInt8(ascii: "\""), count: starts("\"\"\"") ? 3 : 1)
    let pounds = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let escape = [UInt8(ascii: "\\")] + pounds
    let close = quote + pounds
    let opening = escape + [UInt8(ascii: "(")]
    copy(quote.count)
    while place < text.count, !starts(close) {
      if starts(opening) {
        blank(escape.count)
        copy(1)
        code(insideParentheses: true)
        copy(1)
      } else {
        blank(starts(escape) ? escape.count + 1 : 1)
      }
    }
    copy(close.count)
  }
}

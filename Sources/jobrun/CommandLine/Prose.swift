/// Small pieces of sentences for messages and help.
enum Prose {
  /// `a, b or c`.
  static func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last else { return "" }
    if words.count == 1 { return last }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// `1 task`, `3 tasks`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Foreign text in quotes, made safe and short.
  static func quoted(_ text: String) -> String { "\"\(shown(text))\"" }

  /// Foreign text as it may stand in a message: control and direction characters escaped (they
  /// could redraw the terminal or turn the line around), 60 characters at most.
  static func shown(_ text: String) -> String {
    let safe = printable(text)
    return safe.count <= 60 ? safe : safe.prefix(57) + "..."
  }

  /// Foreign text with control and direction characters escaped.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        safe += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028...0x2029, 0x061C: true
    default: false
    }
  }

  /// Words of `text` in lines of `width` characters at most; a longer word stands alone.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

/// How many columns of a terminal text takes: wide East Asian characters and pictographs take two.
enum TextWidth {
  static func of(_ text: String) -> Int {
    // Most text is ASCII, one column each.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The longest beginning of `text` in `columns`.
  static func cut(_ text: String, to columns: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += of(character)
        return used <= columns
      })
  }

  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    case 0x0300...0x036F, 0x200B...0x200D, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

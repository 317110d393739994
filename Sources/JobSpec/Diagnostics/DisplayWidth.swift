/// Columns that a terminal gives to a scalar.
package enum DisplayWidth {
  /// East Asian wide and fullwidth blocks (Unicode Standard Annex 11), joined where only
  /// unassigned code points lie between.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// 0 for what combines with the scalar before it, 2 for wide ones, otherwise 1.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if wide.contains(where: { $0.contains(scalar.value) }) { return 2 }
    return scalar.properties.isEmojiPresentation ? 2 : 1
  }

  package static func of(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + of($1) }
  }
}

/// Text as a terminal may safely be sent it.
enum Printable {
  /// Control characters, what no one would see, and what turns the direction of what follows
  /// become U+FFFD; a zero width joiner stays, since emoji are made with it.
  static func scalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar }
    switch scalar.properties.generalCategory {
    case .format: return scalar.value == 0x200D ? scalar : "\u{FFFD}"
    case .control, .lineSeparator, .paragraphSeparator: return "\u{FFFD}"
    default: return scalar
    }
  }

  /// The same for a whole text, whose line breaks stay.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(scalar == "\n" ? scalar : self.scalar(scalar))
    }
    return result
  }
}

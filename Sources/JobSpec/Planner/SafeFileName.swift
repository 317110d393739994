/// Makes a file name of a name that isn't the author's own.
package enum SafeFileName {
  /// The longest name that Linux file systems take, in bytes.
  private static let longest = 255
  private static let devices: Set<String> = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
  ]

  /// Of an address's last segment: decoded (RFC 3986, section 2.1) and made safe; nil when it
  /// gives no name.
  package static func name(ofSegment segment: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(segment.utf8.count)
    var rest = segment.utf8[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return safe(String(decoding: bytes, as: UTF8.self))
  }

  /// One name in one folder: no slash, control or bidi character, no dot in front, no name of a
  /// device, at most 255 bytes; nil when nothing of it is left.
  package static func safe(_ name: String) -> String? {
    if isPlain(name) { return name }
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars { scalars.append(isSafe(scalar) ? scalar : "_") }
    // Scalar by scalar: a dot with an accent on it is a dot to the file system.
    while scalars.last == " " { scalars.removeLast() }
    guard let first = scalars.first, !scalars.allSatisfy({ $0 == "." }) else { return nil }
    if first == "." {
      scalars.replaceSubrange(scalars.startIndex...scalars.startIndex, with: ["_"])
    }
    let stem = String(String.UnicodeScalarView(scalars.prefix { $0 != "." }))
    if devices.contains(stem.lowercased()) { scalars.insert("_", at: scalars.startIndex) }
    return bounded(String(scalars))
  }

  /// Most names need no look at their scalars.
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), name.utf8.count <= longest,
      name.utf8.count > 4
    else { return false }
    return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
      && !devices.contains(name.prefix { $0 != "." }.lowercased())
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2F, 0x5C: false
    // Line and paragraph separators, and what turns the direction of text.
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x061C, 0xFEFF: false
    case 0xFFF9...0xFFFB, 0xFFFD: false
    default: true
    }
  }

  /// Cut at its stem, the ending kept.
  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    let scalars = text.unicodeScalars
    var ending = scalars.lastIndex(of: ".").map { String(scalars[$0...]) } ?? ""
    if ending.utf8.count > 16 { ending = "" }
    var stem = String.UnicodeScalarView()
    var count = ending.utf8.count
    for scalar in scalars {
      let width = UTF8.width(scalar)
      guard count + width <= longest else { break }
      stem.append(scalar)
      count += width
    }
    while ending.isEmpty, stem.last == " " { stem.removeLast() }
    return String(stem) + ending
  }
}

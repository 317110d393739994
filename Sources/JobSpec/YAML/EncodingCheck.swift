/// Looks for bytes that no job file may hold, before libyaml sees them: text that isn't UTF-8,
/// control characters, and the line ends of YAML 1.1 that no editor shows as such.
struct EncodingCheck {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// A file in another encoding has one mistake, not a million.
  private static let diagnosticsAtMost = 20

  private var offset = 0
  private var line: Int32 = 1
  private var column: Int32 = 1
  private var diagnostics: [Diagnostic] = []

  /// At most one a line, and twenty in all.
  static func diagnostics(of bytes: [UInt8]) -> [Diagnostic] {
    if let wide = wideEncoding(bytes) { return [wide] }
    var check = EncodingCheck()
    check.offset = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    check.run(bytes.span)
    return check.diagnostics
  }

  private static func wideEncoding(_ bytes: [UInt8]) -> Diagnostic? {
    let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let hasZero = bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0)
    guard hasMark || hasZero else { return nil }
    let start = SourcePosition(line: 1, column: 1)
    return Diagnostic(
      .error, "encoding", "the file is UTF-16 or UTF-32, and a job file is UTF-8",
      at: SourceRange(start: start, end: start),
      hint: "save it as UTF-8: `iconv -f UTF-16 -t UTF-8 OLD > NEW`")
  }

  private mutating func run(_ bytes: Span<UInt8>) {
    while offset < bytes.count, diagnostics.count < Self.diagnosticsAtMost {
      let end = bytes.firstIndex(from: offset) { $0 < 0x20 || $0 >= 0x7F } ?? bytes.count
      column += Int32(end - offset)
      offset = end
      if offset < bytes.count { special(bytes[offset], in: bytes) }
    }
  }

  private mutating func special(_ byte: UInt8, in bytes: Span<UInt8>) {
    switch byte {
    case 0x0A, 0x0D:
      let isPair = byte == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
      offset += isPair ? 2 : 1
      line += 1
      column = 1
    case 0x09:
      offset += 1
      column += 1
    default: scalar(in: bytes)
    }
  }

  /// One scalar that isn't printable ASCII, a tab or a line break.
  private mutating func scalar(in bytes: Span<UInt8>) {
    let rest = (offset..<min(offset + 4, bytes.count)).map { bytes[$0] }
    var iterator = rest.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      refuseByte(rest[0])
      skipLine(in: bytes)
      return
    }
    if let refusal = Refusal(scalar) {
      tell(refusal.message, hint: refusal.hint)
      skipLine(in: bytes)
    } else {
      offset += UTF8.width(scalar)
      column += 1
    }
  }

  private mutating func refuseByte(_ byte: UInt8) {
    let latin = Unicode.Scalar(byte)
    let shown = byte >= 0xA0 ? ", which is `\(latin)` in Latin-1" : ""
    tell(
      "the byte 0x\(hex(UInt32(byte), width: 2)) isn't UTF-8\(shown)",
      hint: "save it as UTF-8: `iconv -f LATIN1 -t UTF-8 OLD > NEW`")
  }

  private mutating func tell(_ message: String, hint: String) {
    let start = SourcePosition(line: line, column: column)
    let end = SourcePosition(line: line, column: column + 1)
    diagnostics.append(
      Diagnostic(
        .error, "encoding", message, at: SourceRange(start: start, end: end), hint: hint))
  }

  /// The columns after something unreadable mean nothing.
  private mutating func skipLine(in bytes: Span<UInt8>) {
    while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
  }

  private struct Refusal {
    var message: String
    var hint: String

    init?(_ scalar: Unicode.Scalar) {
      let name = "U+\(hex(scalar.value, width: 4))"
      switch scalar.value {
      case 0x85, 0x2028, 0x2029:
        message = "the line separator \(name) stands here; no two programs agree on what it ends"
        hint = "begin a new line, or write it as \"\\u\(hex(scalar.value, width: 4))\" in quotes"
      case 0xFEFF:
        message = "a byte order mark (\(name)) stands in the middle of the file"
        hint = "remove it: it comes from joining files, and no editor shows it"
      case 0x00..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF:
        message = "the control character \(name) stands here"
        hint = "remove it, or write it as \"\\u\(hex(scalar.value, width: 4))\" in double quotes"
      default: return nil
      }
    }
  }
}

private func hex(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

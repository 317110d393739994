/// A JSON value (RFC 8259) as it was read: for records that this program wrote itself, and for
/// whatever a file of them may hold besides.
package indirect enum JSONNode: Equatable, Sendable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([JSONNode])
  /// Members in their order; a name that stands twice is there twice.
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: JSONNode
    package init(name: String, value: JSONNode) {
      self.name = name
      self.value = value
    }
  }

  /// Reads one value and nothing after it; nil when the bytes are no JSON, or nested deeper than
  /// 64 levels.
  package init?(_ bytes: some Sequence<UInt8>) {
    var reader = JSONNodeReader(bytes: Array(bytes))
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.isAtEnd else { return nil }
    self = value
  }

  /// The first member of that name; nil for anything but an object that has it.
  package subscript(name: String) -> JSONNode? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for anything else.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number; nil for anything else.
  package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }
  /// A number; nil for anything else.
  package var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  /// The elements of an array; none for anything else.
  package var elements: [JSONNode] { if case .array(let all) = self { all } else { [] } }
}

/// Reads one JSON text from its start to its end.
private struct JSONNodeReader {
  private static let deepest = 64
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      place += 1
    }
  }

  mutating func value(depth: Int) -> JSONNode? {
    if depth > Self.deepest { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return members(depth)
    case UInt8(ascii: "["): return elements(depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: byte) else { return false }
    place += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ value: JSONNode) -> JSONNode? {
    let end = place + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes[place..<end].elementsEqual("\(word)".utf8) else { return nil }
    place = end
    return value
  }

  private mutating func members(_ depth: Int) -> JSONNode? {
    place += 1
    var members: [JSONNode.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let name = string(), take(":"),
        let value = value(depth: depth + 1)
      else { return nil }
      members.append(.init(name: name, value: value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func elements(_ depth: Int) -> JSONNode? {
    place += 1
    var elements: [JSONNode] = []
    if take("]") { return .array([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func number() -> JSONNode? {
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) {
      place += 1
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    return start < place && Double(text) != nil ? .number(text) : nil
  }

  /// From the opening quote on; what isn't UTF-8 becomes U+FFFD.
  private mutating func string() -> String? {
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text += Array(String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// What follows a backslash.
  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    place += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return codePoint()
    default: return nil
    }
  }

  /// Four hex digits, or a pair of surrogates; a lone one becomes U+FFFD.
  private mutating func codePoint() -> Unicode.Scalar? {
    guard let first = fourDigits() else { return nil }
    guard (0xD800..<0xDC00).contains(first), place + 6 <= bytes.count,
      bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
    else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    let mark = place
    place += 2
    if let second = fourDigits(), (0xDC00..<0xE000).contains(second) {
      return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }
    place = mark
    return "\u{FFFD}"
  }

  private mutating func fourDigits() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<(place + 4)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    place += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

/// The types that YAML 1.2's core schema (section 10.3.2) gives to plain text.
package enum CoreSchema {
  package enum Value: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer that doesn't fit in 64 bits.
    case hugeInteger
    /// May be infinite or not a number, when it is written so or too large.
    case float(Double)
    case text
  }

  /// Of text as it stands without quotes.
  package static func value(of text: String) -> Value {
    // Most text is none of these, and its first character or its length says so.
    guard let first = text.utf8.first else { return .null }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return number(text)
    default: return text.utf8.count > 5 ? .text : word(text)
    }
  }

  private static func word(_ text: String) -> Value {
    switch text {
    case "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .boolean(true)
    case "false", "False", "FALSE": .boolean(false)
    default: .text
    }
  }

  private static func number(_ text: String) -> Value {
    if text.hasPrefix("0o") { return integer(text.dropFirst(2), radix: 8) }
    if text.hasPrefix("0x") { return integer(text.dropFirst(2), radix: 16) }
    let isNegative = text.hasPrefix("-")
    let unsigned = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    switch unsigned {
    case ".inf", ".Inf", ".INF": return .float(isNegative ? -.infinity : .infinity)
    case ".nan", ".NaN", ".NAN":
      return unsigned.startIndex == text.startIndex ? .float(.nan) : .text
    default: break
    }
    if unsigned.utf8.allSatisfy(isDigit), !unsigned.isEmpty {
      return Int64(text).map(Value.integer) ?? .hugeInteger
    }
    guard isFloat(unsigned.utf8), let double = Double(text) else { return .text }
    return .float(double)
  }

  private static func integer(_ digits: Substring, radix: Int) -> Value {
    let isNumber = digits.utf8.allSatisfy { byte in
      Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
    }
    guard isNumber, !digits.isEmpty else { return .text }
    return Int64(digits, radix: radix).map(Value.integer) ?? .hugeInteger
  }

  /// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private static func isFloat(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    let whole = dropDigits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = dropDigits(&rest)
    }
    guard whole + fraction > 0 else { return false }
    guard let mark = rest.first else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
      rest = rest.dropFirst()
    }
    return dropDigits(&rest) > 0 && rest.isEmpty
  }

  private static func dropDigits(_ text: inout Substring.UTF8View) -> Int {
    let digits = text.prefix(while: isDigit).count
    text = text.dropFirst(digits)
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension YAMLNode {
  /// What a scalar is in the core schema: text in quotes is text; nil for lists and maps.
  package var coreValue: CoreSchema.Value? {
    guard case .scalar(let text, let isPlain) = content else { return nil }
    return isPlain ? CoreSchema.value(of: text) : .text
  }

  /// `~`, `null`, or nothing at all.
  package var isNull: Bool { coreValue == .null }

  /// `true` or `false`; nil for anything else, `yes` and `on` too.
  package var boolean: Bool? {
    if case .boolean(let value)? = coreValue { value } else { nil }
  }

  /// An integer that fits in 64 bits.
  package var integer: Int64? {
    if case .integer(let value)? = coreValue { value } else { nil }
  }

  /// A number, whole or not.
  package var float: Double? {
    switch coreValue {
    case .float(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The text of a scalar as it is written, whatever its type; nil for lists, maps and null.
  package var scalarText: String? {
    guard case .scalar(let text, _) = content, !isNull else { return nil }
    return text
  }

  /// What stands here, for a message: "a list", "the number 5", "nothing".
  package var describedKind: String {
    switch content {
    case .sequence: return "a list"
    case .mapping: return "a map"
    case .scalar(let text, _):
      switch coreValue {
      case .null: return text.isEmpty ? "nothing" : "null"
      case .boolean: return "`\(text)`"
      case .integer, .hugeInteger, .float: return "the number \(text)"
      default: return text.isEmpty ? "empty text" : "text"
      }
    }
  }
}

import TransferCore

/// `sha256:HEX`.
enum ChecksumText {
  /// The algorithm and the digits in lower case; nil when it isn't one.
  static func value(of text: String) -> (algorithm: ChecksumAlgorithm, digits: String)? {
    guard let (algorithm, digits) = parts(of: text) else { return nil }
    let isSmall = digits.utf8.span.allSatisfy { $0 | 0x20 == $0 }
    return (algorithm, isSmall ? String(digits) : digits.lowercased())
  }

  /// The algorithm and the digits as they are written.
  private static func parts(of text: String) -> (ChecksumAlgorithm, Substring)? {
    let bytes = text.utf8.span
    guard let colon = bytes.firstIndex(of: ":"),
      let algorithm = ChecksumAlgorithm(rawValue: text.part(0..<colon).lowercased()),
      bytes.count - colon - 1 == 2 * algorithm.byteCount,
      bytes.firstIndex(from: colon + 1, where: { !isHexDigit($0) }) == nil
    else { return nil }
    return (algorithm, text.part(colon + 1..<bytes.count))
  }

  static func problem(in text: String) -> TextProblem? {
    if parts(of: text) != nil { return nil }
    guard let colon = text.firstIndex(of: ":") else {
      return TextProblem(
        message: "names no algorithm",
        hint: guess(text.utf8.count).map {
          "by its length it may be \($0): write `\($0):` before it"
        }
          ?? "write it like `sha256:HEX`, or `{ file: PATH }` for a list of checksums")
    }
    let name = String(text[..<colon])
    let digits = text[text.index(after: colon)...]
    guard let algorithm = ChecksumAlgorithm(rawValue: name.lowercased()) else {
      let known = ChecksumAlgorithm.allCases.map(\.rawValue)
      return TextProblem(
        message: "has the unknown algorithm `\(shortened(name))`",
        hint: "known are " + known.joined(separator: ", "))
    }
    if let bad = digits.first(where: { !$0.isHexDigit || !$0.isASCII }) {
      return TextProblem(
        message: "holds `\(bad)`, which is not a hexadecimal digit",
        hint: "copy it from the publisher's list again")
    }
    let due = 2 * algorithm.byteCount
    return TextProblem(
      message: "has \(digits.utf8.count) digits; \(algorithm.rawValue) has \(due)",
      hint: guess(digits.utf8.count).map { "by its length it may be \($0)" }
        ?? "copy it from the publisher's list again")
  }

  private static func guess(_ length: Int) -> ChecksumAlgorithm? {
    ChecksumAlgorithm.allCases.first { 2 * $0.byteCount == length }
  }
}

/// Permission bits in octal.
enum ModeText {
  static func value(of text: String) -> UInt32? {
    guard text.utf8.count == 3 || (text.utf8.count == 4 && text.hasPrefix("0")) else { return nil }
    guard text.utf8.allSatisfy({ isDigit($0) }) else { return nil }
    return UInt32(text, radix: 8)
  }
}

/// `host:port`, `[v6]:port` or `*:port`.
struct HostPort {
  var host: String
  var port: UInt16

  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !host.isEmpty, digits.utf8.allSatisfy(isDigit), let port = UInt16(digits), port > 0,
      !host.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "/") })
    else { return nil }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    guard isBracketed || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    self.host = String(host)
    self.port = port
  }
}

/// `%d` or `%02d` once, with text around it.
struct NumberFormat {
  private var before: String
  private var width: Int
  private var after: String

  init?(_ text: String) {
    guard let percent = text.firstIndex(of: "%") else { return nil }
    let rest = text[text.index(after: percent)...]
    let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
    guard rest.dropFirst(digits.count).first == "d" else { return nil }
    guard digits.isEmpty || (digits.hasPrefix("0") && digits.count > 1) else { return nil }
    guard let width = digits.isEmpty ? 0 : Int(digits), width <= 20 else { return nil }
    after = String(rest.dropFirst(digits.count + 1))
    guard !after.contains("%") else { return nil }
    before = String(text[..<percent])
    self.width = width
  }

  func text(of number: Int64) -> String {
    let digits = String(number.magnitude)
    let sign = number < 0 ? "-" : ""
    let zeros = String(repeating: "0", count: max(0, width - digits.count - sign.count))
    return before + sign + zeros + digits + after
  }
}

/// Clock times.
enum ClockText {
  /// `HH:MM-HH:MM`, and not of no length.
  static func isWindow(_ text: String) -> Bool {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = minutes(ends[0]), let end = minutes(ends[1]) else {
      return false
    }
    return start != end
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59)
    else { return nil }
    return hour * 60 + minute
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.count == 2, text.utf8.allSatisfy(isDigit), let value = Int(text),
      range.contains(value)
    else { return nil }
    return value
  }

  /// RFC 3339; seconds and offset may be left out.
  static func isDateTime(_ text: String) -> Bool {
    guard let split = text.firstIndex(where: { "Tt ".contains($0) }) else { return false }
    let date = text[..<split].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, date[0].utf8.count == 4, date[0].utf8.allSatisfy(isDigit),
      let year = Int(date[0]), let month = number(date[1], 1...12),
      number(date[2], 1...daysIn(month, year)) != nil
    else { return false }
    return isTime(text[text.index(after: split)...])
  }

  private static func daysIn(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static func isTime(_ text: Substring) -> Bool {
    var clock = text
    if clock.hasSuffix("Z") || clock.hasSuffix("z") {
      clock = clock.dropLast()
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      guard minutes(clock[clock.index(after: sign)...]) != nil else { return false }
      clock = clock[..<sign]
    }
    let parts = clock.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, minutes(parts[0] + ":" + parts[1]) != nil else { return false }
    guard parts.count == 3 else { return true }
    let second = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard second.count <= 2, number(second[0], 0...60) != nil else { return false }
    return second.count == 1 || (!second[1].isEmpty && second[1].utf8.allSatisfy(isDigit))
  }
}

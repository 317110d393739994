/// A Content-Range field (RFC 9110, section 14.4), unit `bytes` alone.
package enum ContentRange: Equatable, Sendable {
  /// `bytes first-last/total`; total is nil for `*`.
  case satisfied(first: Int64, last: Int64, total: Int64?)
  /// `bytes */total`
  case unsatisfied(total: Int64)

  /// nil when the text isn't a range that makes sense.
  package init?(parsing text: String) {
    var scanner = FieldScanner(text)
    guard scanner.skipsWord("bytes") else { return nil }
    scanner.skipSpaces()
    if scanner.skips(UInt8(ascii: "*")) {
      guard scanner.skips(UInt8(ascii: "/")), let total = scanner.number(), scanner.isAtEnd
      else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    guard let first = scanner.number(), scanner.skips(UInt8(ascii: "-")),
      let last = scanner.number(), last >= first, scanner.skips(UInt8(ascii: "/"))
    else { return nil }
    if scanner.skips(UInt8(ascii: "*")), scanner.isAtEnd {
      self = .satisfied(first: first, last: last, total: nil)
      return
    }
    guard let total = scanner.number(), scanner.isAtEnd, total > last else { return nil }
    self = .satisfied(first: first, last: last, total: total)
  }
}

/// Reads a field's value from left to right.
struct FieldScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool {
    bytes[position...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
      position += 1
    }
  }

  mutating func skips(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// `word`, in lower case, without regard to the text's case.
  mutating func skipsWord(_ word: String) -> Bool {
    let wanted = Array(word.utf8)
    guard position + wanted.count <= bytes.count else { return false }
    let found = bytes[position..<(position + wanted.count)].map { $0 | 0x20 }
    guard found == wanted else { return false }
    position += wanted.count
    return true
  }

  /// Decimal digits that fit in Int64; nil when there is none or too many.
  mutating func number() -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = scaled.addingReportingOverflow(Int64(bytes[position] - 0x30))
      if overflow || carried { return nil }
      value = sum
      position += 1
    }
    return position > start ? value : nil
  }
}

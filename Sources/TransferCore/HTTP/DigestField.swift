/// `Repr-Digest` and `Content-Digest` (RFC 9530): dictionaries of byte sequences (RFC 9651).
package enum DigestField {
  /// A digest that a server declares.
  package struct Proof: Equatable, Sendable {
    package var algorithm: ChecksumAlgorithm
    /// Lower-case hexadecimal.
    package var hex: String
  }

  /// The digest to check by: SHA-256 before SHA-512, as the cheaper of the two that RFC 9530 calls
  /// active. nil when the field has neither, or isn't well formed.
  package static func proof(in field: String) -> Proof? {
    var found: [ChecksumAlgorithm: String] = [:]
    var rest = Substring(field)
    while true {
      rest = rest.drop(while: isBlank)
      guard let (key, value) = member(&rest) else { return nil }
      if let algorithm = algorithms[key], let bytes = value {
        found[algorithm] = bytes.count == algorithm.byteCount ? hexadecimal(bytes) : nil
      }
      rest = rest.drop(while: isBlank)
      if rest.isEmpty { break }
      guard rest.removeFirst() == ",", !rest.drop(while: isBlank).isEmpty else { return nil }
    }
    for algorithm in [ChecksumAlgorithm.sha256, .sha512] {
      if let hex = found[algorithm] { return Proof(algorithm: algorithm, hex: hex) }
    }
    return nil
  }

  private static let algorithms: [Substring: ChecksumAlgorithm] = [
    "sha-256": .sha256, "sha-512": .sha512,
  ]

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  /// `key=:BASE64:`; parameters behind it are passed over. The value is nil where it isn't base64.
  private static func member(_ rest: inout Substring) -> (key: Substring, value: [UInt8]?)? {
    guard let equals = rest.firstIndex(of: "="), equals > rest.startIndex else { return nil }
    let key = rest[..<equals]
    rest = rest[rest.index(after: equals)...]
    guard rest.first == ":", let close = rest.dropFirst().firstIndex(of: ":") else { return nil }
    let text = rest[rest.index(after: rest.startIndex)..<close]
    rest = rest[rest.index(after: close)...].drop { $0 != "," && !isBlank($0) }
    return (key, base64(text))
  }

  /// RFC 4648, section 4; nil for what isn't that.
  private static func base64(_ text: Substring) -> [UInt8]? {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.utf8.count - digits.count
    guard padding < 3, text.utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") }),
      text.utf8.count % 4 == 0
    else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension ResponseHead {
  /// The digest of the whole representation, which is what a download stores.
  package var reprProof: DigestField.Proof? { reprDigest.flatMap(DigestField.proof) }
  /// The digest of this answer's content alone.
  package var contentProof: DigestField.Proof? { contentDigest.flatMap(DigestField.proof) }
}

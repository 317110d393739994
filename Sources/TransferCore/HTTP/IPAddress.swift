/// An IP address's bytes: 4 (RFC 791) or 16 (RFC 4291).
struct IPAddress: Equatable {
  let bytes: [UInt8]

  /// Four decimal numbers without leading zeros, or groups of hexadecimal digits, as inet_pton(3)
  /// reads them; no zone, no brackets.
  init?(_ text: Substring) {
    guard let bytes = text.contains(":") ? Self.sixteen(text) : Self.four(text) else { return nil }
    self.bytes = bytes
  }

  /// Whether the first `bits` are those of `block`; never across the two kinds.
  func begins(like block: IPAddress, bits: Int) -> Bool {
    guard bytes.count == block.bytes.count, (0...bytes.count * 8).contains(bits) else {
      return false
    }
    for (index, byte) in bytes.enumerated() {
      let rest = min(8, max(0, bits - index * 8))
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
      if (byte ^ block.bytes[index]) & mask != 0 { return false }
    }
    return true
  }

  private static func four(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      let isPlain = part.utf8.allSatisfy { (48...57).contains($0) }
      let hasZero = part.utf8.count > 1 && part.first == "0"
      guard isPlain, !hasZero, let byte = UInt8(part) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func sixteen(_ text: Substring) -> [UInt8]? {
    guard let gap = text.firstRange(of: "::") else {
      let bytes = groups(text)
      return bytes?.count == 16 ? bytes : nil
    }
    guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
      head.count + tail.count <= 14
    else { return nil }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// Groups between colons; the last may be an IPv4 address.
  private static func groups(_ text: Substring) -> [UInt8]? {
    if text.isEmpty { return [] }
    var bytes: [UInt8] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard let last = four(part) else { return nil }
        return bytes + last
      }
      let isHex = part.utf8.allSatisfy { UInt8($0).isHexDigit }
      guard (1...4).contains(part.utf8.count), isHex, let group = UInt16(part, radix: 16) else {
        return nil
      }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self)
  }
}

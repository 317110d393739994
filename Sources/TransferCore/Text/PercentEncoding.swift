/// How a value is percent-encoded before it goes into an address (RFC 3986, section 2.1).
package enum PercentEncoding: String, Sendable {
  /// For a path: slashes stay.
  case path
  /// For a component of a query.
  case query

  /// Every byte but the unreserved ones (RFC 3986, section 2.3) as `%XX`.
  package func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where self == .path: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x41 + value - 10
  }
}

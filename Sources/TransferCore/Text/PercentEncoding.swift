/// How a value is encoded before it goes into a text that has a syntax: percent-encoded for an
/// address (RFC 3986, section 2.1), or escaped for JSON.
package enum PercentEncoding: String, Sendable {
  /// For a path: slashes stay.
  case path
  /// For a component of a query.
  case query
  /// Within a string of JSON (RFC 8259, section 7).
  case json

  /// For an address: every byte but the unreserved ones (RFC 3986, section 2.3) as `%XX`.
  package func encode(_ text: String) -> String {
    if self == .json { return Self.escaped(text) }
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

  private static func escaped(_ text: String) -> String {
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.string(text)
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}

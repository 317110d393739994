/// Bytes with an encoding undone, and where each came from: what is found in the decoded bytes can
/// be struck out of the original.
struct DecodedView {
  private(set) var bytes: [UInt8] = []
  /// For each decoded byte where its original begins, and at last where the original ends.
  private var origins: [Int] = []

  /// `%XX` undone (RFC 3986, section 2.1); nil when there is none.
  init?(percentDecoding original: [UInt8]) {
    self.init(original, mark: UInt8(ascii: "%")) { original, index in
      guard let value = Self.hexadecimal(original, index + 1, digits: 2) else { return nil }
      return ([UInt8(value)], 3)
    }
  }

  /// The escapes of JSON's strings undone (RFC 8259, section 7); nil when there is none.
  init?(unescapingJSON original: [UInt8]) {
    self.init(original, mark: UInt8(ascii: "\\"), decode: Self.unescaped)
  }

  /// - Parameter decode: what an escape at an index stands for, and the bytes it takes.
  private init?(
    _ original: [UInt8], mark: UInt8, decode: ([UInt8], Int) -> (decoded: [UInt8], length: Int)?
  ) {
    guard let first = original.firstIndex(of: mark) else { return nil }
    bytes = Array(original[..<first])
    origins = Array(0..<first)
    var hasEscape = false
    var index = first
    while index < original.count {
      if original[index] == mark, let (decoded, length) = decode(original, index) {
        bytes += decoded
        origins += Array(repeating: index, count: decoded.count)
        index += length
        hasEscape = true
      } else {
        bytes.append(original[index])
        origins.append(index)
        index += 1
      }
    }
    if !hasEscape { return nil }
    origins.append(original.count)
  }

  /// Where decoded bytes stand in the original.
  func original(_ range: Range<Int>) -> Range<Int> {
    origins[range.lowerBound]..<origins[range.upperBound]
  }

  private static func unescaped(
    _ original: [UInt8], _ index: Int
  ) -> (decoded: [UInt8], length: Int)? {
    guard index + 1 < original.count else { return nil }
    switch original[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return ([original[index + 1]], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "u"): return scalar(original, index)
    default: return nil
    }
  }

  /// `\uXXXX`, or two of them that make one scalar.
  private static func scalar(
    _ original: [UInt8], _ index: Int
  ) -> (decoded: [UInt8], length: Int)? {
    guard let unit = hexadecimal(original, index + 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
    let next = index + 6
    guard
      unit < 0xDC00, next + 1 < original.count, original[next] == UInt8(ascii: "\\"),
      original[next + 1] == UInt8(ascii: "u"),
      let low = hexadecimal(original, next + 2, digits: 4), low & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
    else { return nil }
    return (Array(String(scalar).utf8), 12)
  }

  private static func hexadecimal(_ bytes: [UInt8], _ start: Int, digits: Int) -> UInt32? {
    if start + digits > bytes.count { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<start + digits] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }
}

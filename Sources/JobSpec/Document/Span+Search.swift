/// Searches over bytes as they lie in memory: several times faster than over a text's indices.
extension Span<UInt8> {
  func firstIndex(from start: Int = 0, where isWanted: (UInt8) -> Bool) -> Int? {
    var index = start
    while index < count {
      if isWanted(self[index]) { return index }
      index += 1
    }
    return nil
  }

  func firstIndex(of byte: Unicode.Scalar, from start: Int = 0) -> Int? {
    let wanted = UInt8(ascii: byte)
    return firstIndex(from: start) { $0 == wanted }
  }

  func lastIndex(of byte: Unicode.Scalar, in range: Range<Int>) -> Int? {
    let wanted = UInt8(ascii: byte)
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if self[index] == wanted { return index }
    }
    return nil
  }

  func contains(_ byte: Unicode.Scalar) -> Bool { firstIndex(of: byte) != nil }

  func allSatisfy(_ isGood: (UInt8) -> Bool) -> Bool { firstIndex { !isGood($0) } == nil }

  /// How many Unicode scalars begin in it: all bytes of UTF-8 but those that continue one.
  var scalarCount: Int {
    var scalars = 0
    for index in 0..<count where self[index] & 0xC0 != 0x80 { scalars += 1 }
    return scalars
  }
}

extension String {
  /// A part by its offsets in bytes, which must be bounds of scalars.
  func part(_ range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound)
    return self[start..<utf8.index(start, offsetBy: range.count)]
  }
}

extension Substring {
  func firstIndex(ofByte byte: Unicode.Scalar) -> Index? {
    utf8.span.firstIndex(of: byte).map { utf8.index(startIndex, offsetBy: $0) }
  }
}

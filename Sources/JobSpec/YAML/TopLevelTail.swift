/// Tells from the bytes alone whether a block mapping in the first column may go on.
struct TopLevelTail {
  let bytes: [UInt8]

  /// False when each line after the 1-based `line` is empty, indented, a comment or a list item,
  /// so that none of them can begin a key in the first column; true when one might.
  func mayHoldKey(after line: Int32) -> Bool {
    let bytes = bytes.span
    var number: Int32 = 1
    var offset = 0
    while let end = bytes.firstIndex(from: offset, where: { $0 == 0x0A || $0 == 0x0D }) {
      offset = end + 1
      if bytes[end] == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
      number += 1
      if number > line, mayBegin(at: offset, in: bytes) { return true }
    }
    return false
  }

  private func mayBegin(at offset: Int, in bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case UInt8(ascii: " "), UInt8(ascii: "#"), 0x0A, 0x0D: return false
    case UInt8(ascii: "-"):
      guard offset + 1 < bytes.count else { return true }
      return ![UInt8(ascii: " "), 0x0A, 0x0D].contains(bytes[offset + 1])
    default: return true
    }
  }
}

/// The text of a job file by lines, for those who show a place in it.
package struct SourceText: Sendable {
  private let bytes: [UInt8]
  /// Where each line begins, as an offset in `bytes`.
  private let starts: [Int]

  /// `bytes` is the whole file; a byte order mark at its start belongs to no line.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    let span = bytes.span
    var offset = 0
    while offset < span.count {
      let byte = span[offset]
      offset += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0D, offset < span.count, span[offset] == 0x0A { offset += 1 }
      starts.append(offset)
    }
    self.starts = starts
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// Lines, also an empty one after the last line break.
  package var lineCount: Int { starts.count }

  /// The text of a 1-based line without its line break; empty when there is no such line.
  /// Bytes that aren't UTF-8 show as U+FFFD.
  package func line(_ number: Int32) -> String {
    let index = Int(number) - 1
    guard starts.indices.contains(index) else { return "" }
    var end = index + 1 < starts.count ? starts[index + 1] : bytes.count
    while end > starts[index], bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: Self.withoutUserInfo(bytes[starts[index]..<end]), as: UTF8.self)
  }

  /// User and password of addresses as asterisks, one a scalar: a message is no place for them.
  private static func withoutUserInfo(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    shown.reserveCapacity(line.count)
    var authority: Int?
    for byte in line {
      if byte == UInt8(ascii: "@"), let start = authority {
        let scalars = shown[start...].lazy.filter { $0 & 0xC0 != 0x80 }.count
        shown.replaceSubrange(start..., with: repeatElement(UInt8(ascii: "*"), count: scalars))
      }
      let isSlash = byte == UInt8(ascii: "/")
      if isSlash, shown.last == byte {
        authority = shown.count + 1
      } else if isSlash || byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        authority = nil
      }
      shown.append(byte)
    }
    return shown
  }

  /// The scalars of a 1-based line.
  func scalars(_ number: Int32) -> [Unicode.Scalar] { Array(line(number).unicodeScalars) }
}

/// Writes JSON (RFC 8259) to the end of a byte buffer, one value after another. It builds no tree
/// and, for plain text and numbers, allocates nothing but the buffer. Commas, line breaks and
/// indentation are its own; that keys and values alternate is the caller's.
package struct JSONWriter {
  /// What was written so far: always valid UTF-8.
  package private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth = 0
  private var isFirst = true
  private var followsKey = false

  /// - Parameters:
  ///   - indented: two spaces a level and one member a line, for people; otherwise no white space.
  ///   - capacity: bytes to reserve.
  package init(indented: Bool = false, capacity: Int = 0) {
    isIndented = indented
    bytes.reserveCapacity(capacity)
  }

  /// Forgets what was written and keeps the buffer's memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    (depth, isFirst, followsKey) = (0, true, false)
  }

  /// Ends a line; the next value stands for itself (JSON Lines).
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    (depth, isFirst, followsKey) = (0, true, false)
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of an object's next member: plain ASCII that needs no escape.
  package mutating func key(_ name: StaticString) {
    separate()
    appendQuoted(name)
    endKey()
  }

  /// The name of an object's next member, escaped.
  package mutating func key(named name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(name)
    bytes.append(UInt8(ascii: "\""))
    endKey()
  }

  package mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Plain ASCII that needs no escape.
  package mutating func string(_ value: StaticString) {
    separate()
    appendQuoted(value)
  }

  /// Text of unknown origin: what isn't UTF-8 becomes U+FFFD.
  package mutating func string(utf8 value: some Collection<UInt8>) {
    string(String(decoding: value, as: UTF8.self))
  }

  package mutating func integer(_ value: some BinaryInteger) {
    separate()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(UInt64(value.magnitude))
  }

  /// The shortest text that reads back as the same number; JSON has no infinity and no NaN, so
  /// those are null.
  package mutating func number(_ value: Double) {
    separate()
    bytes.append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
  }

  package mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// RFC 3339 in UTC with microseconds, as a string.
  package mutating func time(_ value: WallTime) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.appendRFC3339(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  // Members with their names; a nil value leaves the member out.

  package mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    key(name)
    integer(value)
  }

  package mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    number(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    boolean(value)
  }

  package mutating func member(_ name: StaticString, _ value: WallTime?) {
    guard let value else { return }
    key(name)
    time(value)
  }
}

extension JSONWriter {
  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if isIndented && !isFirst { breakLine() }
    bytes.append(bracket)
    isFirst = false
  }

  private mutating func appendQuoted(_ text: StaticString) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  /// What stands before a key or value: a comma unless it is the first, a line break for people.
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    if isIndented && depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
  }

  private mutating func appendDigits(_ value: UInt64) {
    if value < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, start) = (value, 20)
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  private mutating func appendEscaped(_ value: String) {
    let utf8 = value.utf8
    let isDone = utf8.withContiguousStorageIfAvailable { appendEscaped($0) } != nil
    if !isDone { Array(utf8).withUnsafeBufferPointer { appendEscaped($0) } }
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var plain = 0
    for index in 0..<text.count where Self.needsEscape(text[index]) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
      appendEscape(text[index])
      plain = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
  }

  /// DEL needs none by RFC 8259, but a log is read on terminals.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

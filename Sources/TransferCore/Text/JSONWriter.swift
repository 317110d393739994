/// Writes JSON (RFC 8259) to the end of a byte buffer, one value after another. It builds no tree
/// and, for plain text and numbers, allocates nothing but the buffer. Commas, line breaks and
/// indentation are its own; that keys and values alternate is the caller's.
package struct JSONWriter: ~Copyable {
  /// Memory of its own, of which `count` bytes are used: an append to an array costs several times
  /// what a byte put in its place does.
  private var start: UnsafeMutablePointer<UInt8>
  private var room: Int
  private var count = 0
  private let isIndented: Bool
  private var depth = 0
  private var isFirst = true
  private var followsKey = false

  /// - Parameters:
  ///   - indented: two spaces a level and one member a line, for people; otherwise no white space.
  ///   - capacity: bytes to reserve.
  package init(indented: Bool = false, capacity: Int = 0) {
    isIndented = indented
    room = max(capacity, 256)
    start = .allocate(capacity: room)
  }

  deinit { start.deallocate() }

  /// A copy of what was written so far: always valid UTF-8.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Forgets what was written and keeps the buffer's memory.
  package mutating func removeAll() {
    (count, depth, isFirst, followsKey) = (0, 0, true, false)
  }

  /// Ends a line; the next value stands for itself (JSON Lines).
  package mutating func endLine() {
    append(UInt8(ascii: "\n"))
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
    appendQuoted(name)
    endKey()
  }

  package mutating func string(_ value: String) {
    separate()
    appendQuoted(value)
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
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDigits(UInt64(value.magnitude))
  }

  /// The shortest text that reads back as the same number; JSON has no infinity and no NaN, so
  /// those are null.
  package mutating func number(_ value: Double) {
    separate()
    append(value.isFinite ? value.description : "null")
  }

  package mutating func boolean(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  package mutating func null() {
    separate()
    append("null")
  }

  /// RFC 3339 in UTC with microseconds, as a string.
  package mutating func time(_ value: WallTime) {
    separate()
    append(UInt8(ascii: "\""))
    value.putRFC3339(in: place(for: WallTime.rfc3339Length))
    append(UInt8(ascii: "\""))
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
    append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if isIndented && !isFirst { breakLine() }
    append(bracket)
    isFirst = false
  }

  private mutating func endKey() {
    append(UInt8(ascii: ":"))
    if isIndented { append(UInt8(ascii: " ")) }
    followsKey = true
  }

  /// What stands before a key or value: a comma unless it is the first, a line break for people.
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    if !isFirst { append(UInt8(ascii: ",")) }
    isFirst = false
    if isIndented && depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    append(UInt8(ascii: "\n"))
    for _ in 0..<depth { append("  ") }
  }

  // MARK: Bytes

  private mutating func grow(by more: Int) {
    room = max(2 * room, count + more)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    grown.update(from: start, count: count)
    start.deallocate()
    start = grown
  }

  /// Appends `length` bytes, which the caller puts there.
  private mutating func place(for length: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if room - count < length { grow(by: length) }
    defer { count += length }
    return UnsafeMutableBufferPointer(start: start + count, count: length)
  }

  private mutating func append(_ byte: UInt8) {
    if count == room { grow(by: 1) }
    start[count] = byte
    count += 1
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    _ = place(for: text.count).update(fromContentsOf: text)
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private mutating func appendQuoted(_ text: StaticString) {
    append(UInt8(ascii: "\""))
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    append(UInt8(ascii: "\""))
  }

  private mutating func appendQuoted(_ text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { appendEscaped($0) }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendDigits(_ value: UInt64) {
    if value < 10 { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
    var (length, rest) = (0, value)
    while rest > 0 { (length, rest) = (length + 1, rest / 10) }
    let digits = place(for: length)
    rest = value
    for index in (0..<length).reversed() {
      digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var plain = 0
    for index in 0..<text.count where Self.needsEscape(text[index]) {
      append(UnsafeBufferPointer(rebasing: text[plain..<index]))
      appendEscape(text[index])
      plain = index + 1
    }
    append(UnsafeBufferPointer(rebasing: text[plain...]))
  }

  /// DEL needs none by RFC 8259, but a log is read on terminals.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      append("u00")
      for digit in [byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

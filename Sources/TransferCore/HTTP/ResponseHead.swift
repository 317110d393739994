/// The head of an answer: status line and fields (RFC 9112, section 2.1), with the fields that
/// decide about a transfer already read.
package struct ResponseHead: Sendable {
  /// As it came, with line ends.
  package var raw: [UInt8]
  /// 100 to 999.
  package var status: Int
  /// 10, 11, 20 or 30.
  package var version: Int
  package var contentLength: Int64?
  /// A Content-Length that is no plain number, or two that differ.
  package var hasBadContentLength = false
  package var isChunked = false
  /// A Transfer-Encoding that is more, or something else, than `chunked` once: we ask for none.
  package var hasOtherTransferCoding = false
  package var contentType: String?
  package var contentEncoding: String?
  package var contentRange: String?
  package var location: String?
  package var retryAfter: String?
  package var acceptRanges: String?
  package var contentDisposition: String?
  /// Repeated lines of it are one list, here and below.
  package var reprDigest: String?
  package var contentDigest: String?
  package var validator = Validator()
  private var hasETag = false

  /// A head that no server sent: a file's facts, put as an answer.
  package init(status: Int, contentLength: Int64?, validator: Validator) {
    raw = []
    self.status = status
    version = 11
    self.contentLength = contentLength
    self.validator = validator
  }

  /// The body's end is the connection's end, so that a cut can't be told from it (RFC 9112, 6.3).
  package var isCloseDelimited: Bool {
    version < 20 && contentLength == nil && !isChunked && status != 204 && status != 304
  }

  /// The media type without its parameters, in lower case.
  package var mediaType: String? {
    guard let contentType else { return nil }
    let bare = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
    return String(decoding: bare.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
  }

  /// All fields in order, repeats kept.
  package var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    Self.forEachField(raw) { name, value in
      fields.append(
        (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
    return fields
  }
}

extension ResponseHead {
  /// Reads a head; nil when it has no status line that RFC 9112, section 4, allows.
  package init?(parsing raw: [UInt8]) {
    guard let (version, status) = Self.statusLine(raw) else { return nil }
    self.raw = raw
    self.version = version
    self.status = status
    Self.forEachField(raw) { name, value in take(name, value) }
  }

  /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
  private static func statusLine(_ raw: [UInt8]) -> (version: Int, status: Int)? {
    guard raw.count >= 10, raw[0...4].elementsEqual("HTTP/".utf8) else { return nil }
    var position = 5
    func digit() -> Int? {
      guard position < raw.count, raw[position] >= 0x30, raw[position] <= 0x39 else { return nil }
      defer { position += 1 }
      return Int(raw[position] - 0x30)
    }
    guard let major = digit() else { return nil }
    var minor = 0
    if position < raw.count, raw[position] == UInt8(ascii: ".") {
      position += 1
      guard let value = digit() else { return nil }
      minor = value
    }
    while position < raw.count, raw[position] == 0x20 { position += 1 }
    guard let hundreds = digit(), let tens = digit(), let ones = digit(), hundreds > 0
    else { return nil }
    if position < raw.count, raw[position] >= 0x30, raw[position] <= 0x39 { return nil }
    return (major * 10 + minor, hundreds * 100 + tens * 10 + ones)
  }

  /// Bytes of a head, which lie there while they are looked at.
  private typealias Text = UnsafeBufferPointer<UInt8>

  private static func forEachField(
    _ raw: [UInt8], _ body: (_ name: Text, _ value: Text) -> Void
  ) {
    raw.withUnsafeBufferPointer { raw in
      var start = position(of: 0x0A, in: raw, from: 0) + 1
      while start < raw.count {
        let end = position(of: 0x0A, in: raw, from: start)
        let line = Text(rebasing: raw[start..<end])
        let colon = position(of: UInt8(ascii: ":"), in: line, from: 0)
        if colon > 0, colon < line.count, line[0] != 0x20, line[0] != 0x09 {
          body(Text(rebasing: line[..<colon]), trimmed(line, from: colon + 1))
        }
        start = end + 1
      }
    }
  }

  /// Where the byte stands; the end when it doesn't.
  private static func position(of byte: UInt8, in text: Text, from start: Int) -> Int {
    var position = start
    while position < text.count, text[position] != byte { position += 1 }
    return position
  }

  private static func trimmed(_ line: Text, from first: Int) -> Text {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var (start, end) = (first, line.count)
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    return Text(rebasing: line[start..<end])
  }

  /// Keeps the value of a field that decides about transfers; the name's length sorts out most.
  private mutating func take(_ name: Text, _ value: Text) {
    func named(_ wanted: StaticString) -> Bool {
      for index in 0..<wanted.utf8CodeUnitCount
      where name[index] | 0x20 != wanted.utf8Start[index] {
        return false
      }
      return true
    }
    func text() -> String { String(decoding: value, as: UTF8.self) }
    switch name.count {
    case 4:
      if named("etag") { takeETag(validatorText(value)) }
      if named("date") { validator.date = validatorText(value) }
    case 8: if named("location") { location = location ?? text() }
    case 11:
      if named("retry-after") { retryAfter = text() }
      if named("repr-digest") { reprDigest = listed(reprDigest, text()) }
    case 12: if named("content-type") { contentType = text() }
    case 13:
      if named("last-modified") { validator.lastModified = validatorText(value) }
      if named("content-range") {
        contentRange = [nil, text()].contains(contentRange) ? text() : ""
      }
      if named("accept-ranges") { acceptRanges = text() }
    case 14:
      if named("content-length") { takeLength(value) }
      if named("content-digest") { contentDigest = listed(contentDigest, text()) }
    case 16: if named("content-encoding") { takeCoding(text()) }
    case 17: if named("transfer-encoding") { takeTransferCoding(value) }
    case 19: if named("content-disposition") { contentDisposition = text() }
    default: break
    }
  }

  private func listed(_ known: String?, _ more: String) -> String {
    known.map { $0 + ", " + more } ?? more
  }

  /// A validator is sent back as it came: one that no field may hold (RFC 9110, section 5.5) is
  /// none.
  private func validatorText(_ value: Text) -> String? {
    guard !value.isEmpty, value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    // Two that differ in bytes that are no UTF-8 would be the same with these replaced.
    return String(validating: value, as: UTF8.self)
  }

  /// Two that differ say nothing.
  private mutating func takeETag(_ found: String?) {
    if hasETag, found != validator.etag {
      validator.etag = nil
    } else if !hasETag {
      validator.etag = found
    }
    hasETag = true
  }

  private mutating func takeLength(_ value: Text) {
    var scanner = FieldScanner(String(decoding: value, as: UTF8.self))
    guard let length = scanner.number(), scanner.isAtEnd else {
      hasBadContentLength = true
      return
    }
    if let known = contentLength, known != length { hasBadContentLength = true }
    contentLength = length
  }

  private mutating func takeCoding(_ text: String) {
    if text.lowercased() != "identity", !text.isEmpty { contentEncoding = text }
  }

  private mutating func takeTransferCoding(_ value: Text) {
    let text = String(decoding: value, as: UTF8.self).lowercased()
    if isChunked || text != "chunked" { hasOtherTransferCoding = true }
    isChunked = isChunked || text.hasSuffix("chunked")
  }
}

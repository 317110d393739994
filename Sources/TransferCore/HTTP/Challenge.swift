/// One challenge of an answer: what a server wants to be shown (RFC 9110, section 11.6.1).
package struct Challenge: Equatable, Sendable {
  /// In lower case.
  package var scheme: String
  /// The protection space's name; nil where the scheme names none.
  package var realm: String?

  package init(scheme: String, realm: String? = nil) {
    self.scheme = scheme
    self.realm = realm
  }

  /// Most servers send one or two; a list without end is not read to it.
  private static let limit = 32

  /// The challenges of all `WWW-Authenticate` lines of a head, in order.
  package static func all(in head: ResponseHead) -> [Challenge] {
    let lines = head.fields.filter { $0.name.lowercased() == "www-authenticate" }
    return Array(lines.flatMap { parse($0.value) }.prefix(limit))
  }

  /// The challenges of one line. What can't be read ends it; what came before counts.
  package static func parse(_ text: String) -> [Challenge] {
    var scanner = ChallengeScanner(text)
    var challenges: [Challenge] = []
    while challenges.count < limit, let piece = scanner.next() {
      switch piece {
      case .scheme(let name): challenges.append(Challenge(scheme: name.lowercased()))
      case .parameter(let name, let value):
        guard name.lowercased() == "realm", !challenges.isEmpty else { continue }
        let last = challenges.count - 1
        // A second realm in one challenge is one too many: the first is what browsers take.
        if challenges[last].realm == nil { challenges[last].realm = value }
      }
    }
    return challenges
  }
}

/// Reads a list of challenges piece by piece: the comma that parts two challenges is the one that
/// parts two parameters too.
private struct ChallengeScanner {
  enum Piece {
    case scheme(String)
    case parameter(name: String, value: String)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var hasScheme = false

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() -> Piece? {
    skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
    let name = token()
    if name.isEmpty { return nil }
    let end = index
    skip { $0 == 0x20 || $0 == 0x09 }
    if hasScheme, index < bytes.count, bytes[index] == UInt8(ascii: "=") {
      index += 1
      skip { $0 == 0x20 || $0 == 0x09 }
      return value().map { .parameter(name: name, value: $0) }
    }
    hasScheme = true
    if index > end { skipToken68() }
    return .scheme(name)
  }

  /// `Negotiate YII…=`: neither a parameter nor a scheme. It ends at a comma or the text's end.
  private mutating func skipToken68() {
    let start = index
    skip { Self.isToken68($0) }
    skip { $0 == UInt8(ascii: "=") }
    skip { $0 == 0x20 || $0 == 0x09 }
    let isWhole = index == bytes.count || bytes[index] == UInt8(ascii: ",")
    if !isWhole { index = start }
  }

  private mutating func value() -> String? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      let text = token()
      return text.isEmpty ? nil : text
    }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
      text.append(bytes[index])
      index += 1
    }
    // Without its closing quote it may have been cut.
    guard index < bytes.count else { return nil }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func token() -> String {
    let start = index
    skip { Self.isToken($0) }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
  }

  private static func isToken68(_ byte: UInt8) -> Bool {
    isWord(byte) || "-._~+/".utf8.contains(byte)
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    isWord(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}

/// The parts of an absolute address (RFC 3986) that planning looks at.
struct Address {
  /// In lower case.
  var scheme: String
  var host: Substring
  /// What stands after the last slash of the path, still encoded.
  var lastSegment: Substring
  /// `scheme://host:port` as it is written.
  private var origin: String

  struct Problem: Error {
    var id = DiagnosticID.badAddress
    /// To stand after the address.
    var message: String
    var hint: String?
  }

  /// - Parameter known: another address, whose start need not be read again where this one has the
  ///   same: most of a job's are of few hosts.
  init(_ text: String, like known: Address? = nil) throws(Problem) {
    let bytes = text.utf8.span
    try Self.checkBytes(bytes)
    if let known, Self.continues(bytes, known.origin.utf8.span) {
      (scheme, host, origin) = (known.scheme, known.host, known.origin)
    } else {
      (scheme, host, origin) = try Self.start(of: text)
    }
    let end = origin.utf8.count
    let pathEnd = bytes.firstIndex(from: end) { $0 == 0x3F || $0 == 0x23 } ?? bytes.count
    let slash = bytes.lastIndex(of: "/", in: end..<pathEnd)
    lastSegment = slash.map { text.part($0 + 1..<pathEnd) } ?? ""
    if scheme == "file", end == pathEnd {
      throw Problem(message: "has no path", hint: "a local file is `file:///path`")
    }
  }

  /// Whether a path follows on `start`.
  private static func continues(_ bytes: Span<UInt8>, _ start: Span<UInt8>) -> Bool {
    guard bytes.count > start.count, bytes[start.count] == UInt8(ascii: "/") else { return false }
    for index in start.indices where bytes[index] != start[index] { return false }
    return true
  }

  private static func start(
    of text: String
  ) throws(Problem) -> (scheme: String, host: Substring, origin: String) {
    let bytes = text.utf8.span
    guard let colon = bytes.firstIndex(of: ":"), bytes.count > colon + 2,
      bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/"),
      case let written = String(text.part(0..<colon)),
      TextRule.scheme.problem(in: written) == nil
    else { throw Self.notAbsolute(text) }
    let scheme = written.lowercased()
    let start = colon + 3
    let end =
      bytes.firstIndex(from: start) { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
    let host = try Self.host(of: text.part(start..<end), scheme: scheme)
    return (scheme, host, String(text.part(0..<end)))
  }

  private static func checkBytes(_ bytes: Span<UInt8>) throws(Problem) {
    guard let bad = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw Problem(
      message: bytes[bad] == 0x20 ? "holds a space" : "holds a control character",
      hint: "write %20 for a space; `${NAME|path}` or `${NAME|query}` encodes a value")
  }

  private static func notAbsolute(_ text: String) -> Problem {
    let isOther = text.hasPrefix("/") || text.hasPrefix(".")
    let hint: String
    if isOther {
      hint = "a local file is `file:///path`"
    } else if text.hasPrefix("http:") || text.hasPrefix("https:") || text.hasPrefix("file:") {
      hint = "two slashes come after the scheme: `https://host/path`, `file:///path`"
    } else {
      hint = "begin with the scheme: `https://\(shortened(text))`"
    }
    return Problem(message: "is not an absolute address", hint: hint)
  }

  private static func host(of authority: Substring, scheme: String) throws(Problem) -> Substring {
    if authority.utf8.span.contains("@") {
      throw Problem(
        id: .userInAddress, message: "holds a user or password",
        hint: "write them under `credentials`, and take the password from a secret")
    }
    if scheme == "file" {
      guard authority.isEmpty || authority == "localhost" else {
        throw Problem(message: "names a host", hint: "a local file is `file:///path`")
      }
      return authority
    }
    let host = try hostWithoutPort(authority)
    guard !host.isEmpty else { throw Problem(message: "names no host") }
    return host
  }

  private static func hostWithoutPort(_ authority: Substring) throws(Problem) -> Substring {
    // Most have neither a port nor brackets.
    if authority.utf8.span.allSatisfy({ $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "[") }) {
      return authority
    }
    var tail = authority[...]
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        throw Problem(message: "has a host without a closing `]`")
      }
      tail = authority[authority.index(after: close)...]
      guard tail.isEmpty || tail.hasPrefix(":") else {
        throw Problem(message: "has text between the host and its port")
      }
    }
    guard let colon = tail.utf8.lastIndex(of: UInt8(ascii: ":")) else { return authority }
    let digits = tail[tail.utf8.index(after: colon)...]
    let host = authority[..<colon]
    let isNumber = digits.isEmpty || (UInt16(digits).map { $0 > 0 } ?? false)
    guard isNumber, digits.utf8.allSatisfy(isDigit) else {
      throw Problem(
        message: "has the port `\(shortened(String(digits)))`",
        hint: "a port is a number from 1 to 65535")
    }
    guard host.hasPrefix("[") || !host.utf8.contains(UInt8(ascii: ":")) else {
      throw Problem(message: "has a host with colons", hint: "an IPv6 address goes in [ ]")
    }
    return host
  }
}

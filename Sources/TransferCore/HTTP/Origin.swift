/// Where a request goes: scheme, host and port (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
  /// In lower case.
  package var scheme: String
  /// In lower case; an IPv6 address keeps its brackets. Empty for files.
  package var host: String
  /// The scheme's default where the address names none; 0 where it has no default.
  package var port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The origin of an absolute address; nil when it has no scheme or a port that is none.
  package init?(url: String) {
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    var authority = bytes[(colon + 3)...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
    let hostEnd: Int
    if authority.first == UInt8(ascii: "["),
      let bracket = authority.firstIndex(of: UInt8(ascii: "]"))
    {
      hostEnd = bracket + 1
    } else {
      hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    }
    host = String(decoding: authority[authority.startIndex..<hostEnd], as: UTF8.self).lowercased()
    let rest = authority[hostEnd...]
    if rest.count <= 1 {
      port = Self.defaultPort(scheme)
    } else {
      guard let number = Int(String(decoding: rest.dropFirst(), as: UTF8.self)),
        (1...65_535).contains(number)
      else { return nil }
      port = number
    }
  }

  package static func defaultPort(_ scheme: String) -> Int {
    switch scheme {
    case "http": 80
    case "https": 443
    case "ftp": 21
    case "ftps": 990
    case "sftp": 22
    default: 0
    }
  }

  /// Whether headers with `scope: origin` may go on to `next`. http to https on the same host with
  /// default ports is no change.
  package func keepsScope(to next: Origin) -> Bool {
    if self == next { return true }
    return scheme == "http" && port == 80 && next.scheme == "https" && next.port == 443
      && host == next.host
  }
}

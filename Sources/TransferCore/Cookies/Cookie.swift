/// One cookie as a jar holds it: a line of a Netscape cookie file. Bytes stay as they came.
package struct Cookie: Equatable, Sendable {
  /// What a later cookie replaces an earlier one by (RFC 6265bis, section 5.7, step 23).
  package struct Key: Hashable, Sendable {
    package var domain: String
    package var isHostOnly: Bool
    package var path: [UInt8]
    package var name: [UInt8]
  }

  package var key: Key
  package var isSecure: Bool
  package var isHTTPOnly: Bool
  /// Seconds since 1970, UTC; 0 for one that ends with the session.
  package var expires: Int64
  package var value: [UInt8]

  package init(key: Key, isSecure: Bool, isHTTPOnly: Bool, expires: Int64, value: [UInt8]) {
    self.key = key
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.expires = expires
    self.value = value
  }

  package var isSessionCookie: Bool { expires == 0 }

  /// - Parameter now: seconds since 1970.
  package func hasExpired(at now: Int64) -> Bool { expires != 0 && expires <= now }

  /// The cookie of a line without its end; nil when it is none.
  package init?(line: some Collection<UInt8>) {
    var rest = Array(line)
    if rest.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) { return nil }
    isHTTPOnly = rest.starts(with: Self.httpOnlyMark)
    if isHTTPOnly { rest.removeFirst(Self.httpOnlyMark.count) }
    let fields = rest.split(separator: 0x09, omittingEmptySubsequences: false)
    guard (6...7).contains(fields.count), let domain = Self.domain(fields[0]),
      let reachesBelow = Self.truth(fields[1]), let secure = Self.truth(fields[3]),
      let expires = Int64(String(decoding: fields[4], as: UTF8.self)), expires >= 0,
      !fields[5].isEmpty
    else { return nil }
    key = Key(
      domain: domain, isHostOnly: !reachesBelow, path: Array(fields[2]), name: Array(fields[5]))
    isSecure = secure
    self.expires = expires
    value = fields.count == 7 ? Array(fields[6]) : []
  }

  private static let httpOnlyMark = Array("#HttpOnly_".utf8)

  /// Without its leading dot, in lower case; nil for what is no name of a host.
  private static func domain(_ field: ArraySlice<UInt8>) -> String? {
    let name = field.first == UInt8(ascii: ".") ? field.dropFirst() : field
    let text = String(decoding: name, as: UTF8.self).lowercased()
    // libcurl would take such a line for a header.
    if text.isEmpty || text.hasPrefix("set-cookie") || text.contains(where: { $0 == " " }) {
      return nil
    }
    return text.hasPrefix("#") || text.hasPrefix(".") ? nil : text
  }

  private static func truth(_ field: ArraySlice<UInt8>) -> Bool? {
    switch String(decoding: field, as: UTF8.self).uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  /// The line, without its end.
  package var line: [UInt8] {
    var line = isHTTPOnly ? Self.httpOnlyMark : []
    line += Array((key.isHostOnly ? "" : ".").utf8) + Array(key.domain.utf8)
    line += Array("\t\(key.isHostOnly ? "FALSE" : "TRUE")\t".utf8) + key.path
    line += Array("\t\(isSecure ? "TRUE" : "FALSE")\t\(expires)\t".utf8) + key.name
    return line + [0x09] + value
  }

  /// Whether it goes with a request (RFC 6265bis, section 5.8.3).
  package func matches(_ place: CookiePlace) -> Bool {
    if isSecure, !place.isTrustworthy { return false }
    return matchesDomain(of: place) && matchesPath(of: place)
  }

  private func matchesDomain(of place: CookiePlace) -> Bool {
    if key.domain == place.host { return true }
    return !key.isHostOnly && !place.isAddress && place.host.hasSuffix("." + key.domain)
  }

  /// RFC 6265bis, section 5.1.4.
  private func matchesPath(of place: CookiePlace) -> Bool {
    guard place.path.starts(with: key.path) else { return false }
    return place.path.count == key.path.count || key.path.last == UInt8(ascii: "/")
      || place.path[key.path.count] == UInt8(ascii: "/")
  }
}

/// The parts of an address that decide about cookies.
package struct CookiePlace: Equatable, Sendable {
  /// In lower case; an IPv6 address without its brackets.
  package var host: String
  /// Without query; `/` where the address has none.
  package var path: [UInt8]
  /// https, or this machine, which libcurl trusts as browsers do.
  package var isTrustworthy: Bool

  /// nil for what is no http or https address.
  package init?(url: String) {
    guard let origin = Origin(url: url), ["http", "https"].contains(origin.scheme) else {
      return nil
    }
    host = origin.host
    if host.hasPrefix("[") { host = String(host.dropFirst().dropLast()) }
    isTrustworthy =
      origin.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    let bytes = Array(url.utf8)
    let start = (bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 3
    let rest = bytes[start...].drop { !Self.endsAuthority($0) }
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    self.path = path.isEmpty ? [UInt8(ascii: "/")] : Array(path)
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// An IPv4 or IPv6 address: cookies of one reach no other host.
  package var isAddress: Bool {
    host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
  }

  /// RFC 6265bis, section 5.1.4: the default path of a cookie that is set here.
  package var defaultPath: [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
      return [UInt8(ascii: "/")]
    }
    return Array(path[..<slash])
  }
}

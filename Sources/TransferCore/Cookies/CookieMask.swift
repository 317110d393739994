/// Takes the values of cookies out of what is shown: they are secrets. Names and attributes stay.
package enum CookieMask {
  private static let mark = "***"

  /// Whether a field of an answer sets cookies.
  package static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    name.count >= 10 && name.count <= 11
      && zip(name, "set-cookie2".utf8).allSatisfy { $0.0 | 0x20 == $0.1 | 0x20 }
  }

  /// The value of such a field, as results show it.
  package static func shown(_ value: String) -> String { setCookie(value[...]) }

  /// A line of the protocol trace, after its mark.
  package static func line(_ line: Substring) -> String {
    for name in ["Set-Cookie:", "Cookie:", "Set-Cookie2:"] where starts(line, name) {
      let value = line.dropFirst(name.count)
      return line.prefix(name.count) + (name == "Cookie:" ? cookies(value) : setCookie(value))
    }
    return String(line)
  }

  /// A line of libcurl's own words: it tells of cookies that it adds, and of HTTP/2's fields.
  package static func words(_ line: Substring) -> String {
    for start in ["Added cookie ", "Replaced cookie "] where line.hasPrefix(start) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let end = line.range(ofLast: "\" for domain ")
      return line[...sign] + mark + (end.map { String(line[$0...].dropFirst()) } ?? "")
    }
    guard let open = line.firstIndex(of: "["), starts(line[open...].dropFirst(), "cookie:") else {
      return String(line)
    }
    return line[...open] + "cookie: " + mark + "]"
  }

  private static func starts(_ line: Substring, _ name: String) -> Bool {
    line.utf8.count >= name.utf8.count && line.prefix(name.count).lowercased() == name.lowercased()
  }

  /// `name=***; Path=/`.
  private static func setCookie(_ text: Substring) -> String {
    let end = text.firstIndex(of: ";") ?? text.endIndex
    return cookies(text[..<end]) + text[end...]
  }

  /// `a=***; b=***`.
  private static func cookies(_ text: Substring) -> String {
    text.split(separator: ";", omittingEmptySubsequences: false).map { pair in
      guard let sign = pair.firstIndex(of: "=") else {
        return pair.allSatisfy { $0 == " " } ? String(pair) : " " + mark
      }
      return pair[...sign] + mark
    }.joined(separator: ";")
  }
}

extension Substring {
  /// Where `text` begins for the last time.
  fileprivate func range(ofLast text: String) -> Index? {
    indices.last { self[$0...].hasPrefix(text) }
  }
}

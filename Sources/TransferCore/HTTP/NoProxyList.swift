/// The list of `no_proxy`: names and their subdomains, addresses and CIDR blocks.
package enum NoProxyList {
  /// The entry that covers `host` (an IPv6 address in brackets), as it stands in the environment's
  /// list; nil when none does. As libcurl 7.88.1 matches it: divided by commas or blanks, and an
  /// IPv6 address is matched as if it were a name, for that version reads no IPv6 blocks.
  package static func entry(for host: Substring, in list: String) -> String? {
    if list == "*" { return host.isEmpty ? nil : list }
    let entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
    return entry(for: host, in: entries, asLibcurl: true)
  }

  /// The same of a list that is divided already.
  /// - Parameter asLibcurl: with what that version can't read.
  static func entry(
    for host: Substring, in entries: [Substring], asLibcurl: Bool
  ) -> String? {
    if host.isEmpty { return nil }
    let bare = host.drop { $0 == "[" }.prefix { $0 != "]" }
    let isName = host.first == "[" && asLibcurl
    let address = isName ? nil : IPAddress(bare)
    let name = withoutTrailingDot(bare.lowercased())
    return entries.first { entry in
      if let address { covers(entry, address, asLibcurl) } else { covers(entry, name) }
    }.map(String.init)
  }

  /// Whether `text` is an address, `/` and so many bits as it may have.
  package static func isBlock(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), let bits = Int(parts[1]) else {
      return false
    }
    return (0...address.bytes.count * 8).contains(bits)
  }

  private static func covers(_ entry: Substring, _ name: String) -> Bool {
    var domain = withoutTrailingDot(entry.lowercased())
    if domain.hasPrefix(".") { domain.removeFirst() }
    return name == domain || !domain.isEmpty && name.hasSuffix("." + domain)
  }

  private static func withoutTrailingDot(_ name: String) -> String {
    name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  /// An address, or a CIDR block (RFC 4632); libcurl compares whole addresses at `/0`.
  private static func covers(
    _ entry: Substring, _ address: IPAddress, _ asLibcurl: Bool
  ) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let block = IPAddress(parts[0]) else { return false }
    if parts.count == 1 { return address == block }
    let bits = Int(parts[1].prefix { $0.isASCII && $0.isNumber }) ?? 0
    if bits == 0, asLibcurl { return address == block }
    return address.begins(like: block, bits: bits)
  }
}

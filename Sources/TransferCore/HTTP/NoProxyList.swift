/// The list of `no_proxy`, as libcurl 7.88.1 matches it: names and their subdomains, IPv4 addresses
/// and CIDR blocks, divided by commas or blanks. An IPv6 address is matched as if it were a name:
/// that version reads no IPv6 blocks here.
package enum NoProxyList {
  /// The entry that covers `host` (an IPv6 address in brackets), as it stands in the list; nil
  /// when none does.
  package static func entry(for host: Substring, in list: String) -> String? {
    if host.isEmpty { return nil }
    if list == "*" { return list }
    let entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
    let address = address(host)
    let name = withoutTrailingDot(host.drop { $0 == "[" }.prefix { $0 != "]" }.lowercased())
    return entries.first { entry in
      if let address { covers(entry, address) } else { covers(entry, name) }
    }.map(String.init)
  }

  private static func covers(_ entry: Substring, _ name: String) -> Bool {
    var domain = withoutTrailingDot(entry.lowercased())
    if domain.hasPrefix(".") { domain.removeFirst() }
    return name == domain || !domain.isEmpty && name.hasSuffix("." + domain)
  }

  private static func withoutTrailingDot(_ name: String) -> String {
    name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  /// An address, or a CIDR block; `/0` compares whole addresses, as libcurl does.
  private static func covers(_ entry: Substring, _ address: UInt32) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let block = Self.address(parts[0]) else { return false }
    let digits = parts.count > 1 ? parts[1].prefix { $0.isASCII && $0.isNumber } : ""
    let bits = UInt32(digits) ?? 0
    if bits > 32 { return false }
    let mask = bits == 0 ? UInt32.max : UInt32.max << (32 - bits)
    return (address ^ block) & mask == 0
  }

  /// Four decimal numbers without leading zeros, as inet_pton(3) reads them.
  private static func address(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      let isPlain = part.utf8.allSatisfy { (48...57).contains($0) }
      let hasZero = part.utf8.count > 1 && part.first == "0"
      guard isPlain, !hasZero, let byte = UInt8(part) else { return nil }
      address = address << 8 | UInt32(byte)
    }
    return address
  }
}

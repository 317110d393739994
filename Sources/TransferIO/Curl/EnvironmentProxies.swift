import Glibc

/// `http_proxy` and its kin. Read by us and told to libcurl, so that what a record says about a
/// proxy is what was done; the rules are those of libcurl's manual.
package struct EnvironmentProxies: Equatable, Sendable {
  /// Scheme to proxy address.
  private var byScheme: [String: String]
  private var all: String?
  /// Names and addresses that are reached directly; `*` is every one.
  private var exempt: [String]

  /// nil when the environment names no proxy.
  package init?(_ variable: (String) -> String?) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap(variable).first { !$0.isEmpty }
    }
    byScheme = [:]
    // HTTP_PROXY in capitals is not read: CGI makes it from a request's header.
    byScheme["http"] = value("http_proxy")
    byScheme["https"] = value("https_proxy", "HTTPS_PROXY")
    all = value("all_proxy", "ALL_PROXY")
    exempt = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }
      .map { $0.lowercased() }
    if byScheme.isEmpty, all == nil { return nil }
  }

  /// This process's environment.
  package static func current() -> EnvironmentProxies? {
    EnvironmentProxies { name in
      guard let text = unsafe getenv(name) else { return nil }
      return unsafe String(cString: text)
    }
  }

  /// The proxy for a host (IPv6 addresses in brackets); nil for none.
  package func proxy(scheme: String, host: String) -> String? {
    guard scheme != "file", let proxy = byScheme[scheme] ?? all else { return nil }
    let host = Self.trimmed(host.lowercased())
    return exempt.contains { Self.covers($0, host) } ? nil : proxy
  }

  /// Without brackets and the dot at the end.
  private static func trimmed(_ host: String) -> String {
    var host = Substring(host)
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host.hasSuffix(".") { host = host.dropLast() }
    return String(host)
  }

  private static func covers(_ entry: String, _ host: String) -> Bool {
    if entry == "*" { return true }
    if let network = Network(entry) { return network.contains(host) }
    var entry = Substring(trimmed(entry))
    if entry.hasPrefix(".") { entry = entry.dropFirst() }
    return !entry.isEmpty && (host == entry || host.hasSuffix("." + entry))
  }
}

/// A network in CIDR form, RFC 4632 and RFC 4291.
private struct Network {
  let address: [UInt8]
  let bits: Int

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = Self.bytes(String(parts[0])), let bits = Int(parts[1]),
      bits >= 0, bits <= address.count * 8
    else { return nil }
    self.address = address
    self.bits = bits
  }

  func contains(_ host: String) -> Bool {
    guard let other = Self.bytes(host), other.count == address.count else { return false }
    return (0..<bits).allSatisfy { bit in
      (address[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}

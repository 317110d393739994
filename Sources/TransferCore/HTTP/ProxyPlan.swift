/// A session's own proxies (connectionProxyDictionary). They take the place of the environment's.
package struct ProxyPlan: Equatable, Sendable {
  /// How we show the proxy who we are (RFC 9110, section 11.7).
  package enum Authentication: String, Sendable, CaseIterable {
    case any, basic, digest, ntlm, negotiate
  }

  /// For addresses of this scheme: `[scheme://][user:password@]host[:port]`.
  package var http: PlanText?
  package var https: PlanText?
  /// For addresses that have no proxy by their scheme.
  package var all: PlanText?
  /// Hosts that are reached directly: names with their subdomains, addresses, CIDR blocks.
  package var noProxy: [String] = []
  /// Before what a proxy's address holds.
  package var user: PlanText?
  package var password: PlanText?
  package var authentication = Authentication.any
  /// For the proxy alone.
  package var headers: [HeaderField] = []
  /// CONNECT for http addresses too (RFC 9110, section 9.3.6).
  package var tunnels = false

  package init() {}

  /// The proxy that a request to `url` takes; nil goes straight to the host. With the reason.
  package func choice(for url: String) -> (proxy: PlanText?, reason: String) {
    guard let place = Origin(url: url), place.scheme != "file" else {
      return (nil, "files need none")
    }
    if let entry = exempting(place.host) { return (nil, "the session's no_proxy has \(entry)") }
    let own = place.scheme == "http" ? http : place.scheme == "https" ? https : nil
    if let own { return (own, "the session's proxy.\(place.scheme)") }
    if let all { return (all, "the session's proxy.all") }
    return (nil, "the session has no proxy for \(place.scheme)")
  }

  private func exempting(_ host: String) -> String? {
    if noProxy.contains("*") { return "*" }
    return NoProxyList.entry(for: host[...], in: noProxy.map { $0[...] }, asLibcurl: false)
  }
}

/// Which proxy libcurl takes from the environment for an address, and why: for the plan to say. It
/// is libcurl 7.88.1's own rule (`CURLOPT_PROXY` and `CURLOPT_NOPROXY` unset), which stays in force
/// when the transfer is made.
package enum ProxyEnvironment {
  package struct Choice: Equatable, Sendable {
    /// As the environment has it, perhaps with a password: never shown. nil goes straight to the
    /// host.
    package var proxy: String?
    /// In words; nil when nothing in the environment has a say.
    package var reason: String?

    package init(proxy: String?, reason: String?) {
      self.proxy = proxy
      self.reason = reason
    }

    /// The proxy with `***` for its user info.
    package var shown: String? { proxy.map(ShownAddress.maskingUserInfo) }
  }

  /// - Parameters:
  ///   - url: absolute; user info in it doesn't matter.
  ///   - variable: the environment. An empty variable counts as unset.
  package static func choice(for url: String, variable: (String) -> String?) -> Choice {
    guard let place = Origin(url: url), place.scheme != "file" else {
      return Choice(proxy: nil, reason: nil)
    }
    func set(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let found = proxyVariable(for: place.scheme, set) else {
      return Choice(proxy: nil, reason: nil)
    }
    for name in ["no_proxy", "NO_PROXY"] {
      guard let list = set(name) else { continue }
      if let entry = NoProxyList.entry(for: place.host[...], in: list) {
        return Choice(proxy: nil, reason: "\(name) has \(entry)")
      }
      break
    }
    return Choice(proxy: found.value, reason: found.name)
  }

  /// `http_proxy` is read in lower case alone: a CGI program's `HTTP_PROXY` is a request's header.
  private static func proxyVariable(
    for scheme: String, _ set: (String) -> String?
  ) -> (name: String, value: String)? {
    var names = ["\(scheme)_proxy"]
    if scheme != "http" { names.append("\(scheme)_proxy".uppercased()) }
    for name in names + ["all_proxy", "ALL_PROXY"] {
      if let value = set(name) { return (name, value) }
    }
    return nil
  }
}

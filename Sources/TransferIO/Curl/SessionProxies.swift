import CLibcurl
import TransferCore

/// Which proxy a session's requests take, decided here and told to libcurl, so that what the record
/// says is what was done.
final class SessionProxies {
  /// Whether any request may go through a proxy.
  let mayProxy: Bool
  private let plan: SessionPlan.Proxy
  private let variable: (String) -> String?
  private let secret: SecretValue
  private let authorities: String?
  /// The proxy's own header lines, once they are filled in; handles refer to them.
  private var headers: StringList?

  /// The value of a secret, or why it can't be had.
  typealias SecretValue = (_ name: String) throws(TransferFailure) -> String

  /// A proxy with its secrets filled in.
  struct Choice {
    var address: String
    var user: String?
    var password: String?
  }

  /// - Parameter authorities: who says that a proxy spoken to over TLS is what it says.
  init(
    _ plan: SessionPlan.Proxy, variable: @escaping (String) -> String?,
    secret: @escaping SecretValue, authorities: String?
  ) {
    self.plan = plan
    self.variable = variable
    self.secret = secret
    self.authorities = authorities
    switch plan {
    case .none: mayProxy = false
    case .own: mayProxy = true
    case .environment:
      let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      mayProxy = names.contains { variable($0)?.isEmpty == false }
    }
  }

  /// The proxy for an address; nil goes straight to the host.
  func choice(for url: String) throws(RequestError) -> Choice? {
    switch plan {
    case .none: return nil
    case .environment:
      if !mayProxy { return nil }
      return ProxyEnvironment.choice(for: url, variable: variable).proxy.map {
        Choice(address: $0)
      }
    case .own(let own):
      guard let proxy = own.choice(for: url).proxy else { return nil }
      do throws(TransferFailure) {
        return Choice(
          address: try proxy.filled(secret: secret), user: try own.user?.filled(secret: secret),
          password: try own.password?.filled(secret: secret))
      } catch { throw .refused(error) }
    }
  }

  /// Sets what changes from request to request.
  func apply(_ choice: Choice?, to handle: EasyHandle) throws(RequestError) {
    if !mayProxy { return }
    do throws(CurlError) {
      try handle.set(CURLOPT_PROXY, choice?.address ?? "")
      guard case .own(let own) = plan else { return }
      // Negotiate and NTLM take the ticket or login of the process where the name is empty.
      let needsName = choice?.password != nil || own.authentication == .negotiate
      try handle.set(CURLOPT_PROXYUSERNAME, choice?.user ?? (needsName ? "" : nil))
      try handle.set(CURLOPT_PROXYPASSWORD, choice?.password)
    } catch { throw .curl(error) }
    if choice != nil { try applyHeaders(to: handle) }
  }

  private func applyHeaders(to handle: EasyHandle) throws(RequestError) {
    guard case .own(let own) = plan, !own.headers.isEmpty else { return }
    if headers == nil {
      let lines: [String]
      do { lines = try RequestResolver(secret: secret).lines(own.headers) } catch {
        throw .refused(error)
      }
      do { headers = try StringList(lines) } catch { throw .curl(error) }
    }
    do { try handle.set(CURLOPT_PROXYHEADER, list: headers) } catch { throw .curl(error) }
  }

  /// Sets what every handle of the session has.
  func configure(_ handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_PROXY, "")
    try handle.set(CURLOPT_NOPROXY, "")
    if !mayProxy { return }
    if let authorities {
      try handle.set(CURLOPT_PROXY_CAINFO, authorities)
      try handle.set(CURLOPT_PROXY_CAPATH, nil)
    }
    try handle.set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    guard case .own(let own) = plan else { return }
    try handle.set(CURLOPT_PROXYAUTH, Self.methods(own.authentication))
    if own.tunnels { try handle.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
  }

  private static func methods(_ authentication: ProxyPlan.Authentication) -> Int {
    let schemes: [AuthScheme] =
      switch authentication {
      case .any: [.basic, .digest, .ntlm, .negotiate]
      case .basic: [.basic]
      case .digest: [.digest]
      case .ntlm: [.ntlm]
      case .negotiate: [.negotiate]
      }
    return schemes.reduce(0) { $0 | $1.curlBit }
  }
}

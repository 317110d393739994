import CLibcurl
import TransferCore

/// A session as libcurl has it: its options, what its handles share, and handles that wait for
/// their next request.
final class CurlSession {
  let plan: SessionPlan
  let share: ShareHandle
  let sockets = ConnectionSockets()
  private let resolve: StringList?
  private let connectTo: StringList?
  let proxies: SessionProxies
  let families = AddressFamilies()
  private let authorities: String?
  let arrivals: Arrivals
  /// Some of its sockets carry a mark for what their request was for.
  var marksSockets = false
  private var idle: [Transfer] = []
  /// The list made last, and of which lines: most requests of a session have equal ones.
  private var headers: (lines: [String], made: RequestHeaders)?
  /// nil for a session that keeps none.
  private(set) var cookies: SessionCookies?

  init(
    _ plan: SessionPlan, _ options: TransferEngine.Options, authorities: String?,
    arrivals: Arrivals, jar: CookieJar?, suffixes: PublicSuffixes
  ) throws(CurlError) {
    self.plan = plan
    self.arrivals = arrivals
    self.authorities = plan.caFile ?? authorities
    proxies = SessionProxies(
      plan.proxy, variable: options.environment, secret: options.secret,
      authorities: self.authorities)
    share = try ShareHandle()
    resolve = plan.resolve.isEmpty ? nil : try StringList(plan.resolve)
    connectTo = plan.connectTo.isEmpty ? nil : try StringList(plan.connectTo)
    if let jar { cookies = try SessionCookies(plan.cookies, jar, share, suffixes) }
  }

  func takeIdle() -> Transfer? { idle.popLast() }
  func putBack(_ transfer: Transfer) { idle.append(transfer) }
  /// Drops the handles that wait, which refer to this session, and what refers to its jar.
  func close() {
    idle.removeAll()
    cookies?.close()
  }

  /// These lines as libcurl takes them, which hold no line breaks or other controls.
  func headers(_ lines: [String]) throws(RequestError) -> RequestHeaders? {
    if lines.isEmpty { return nil }
    if let headers, headers.lines == lines { return headers.made }
    for line in lines where line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
      let name = String(line.prefix { $0 != ":" && $0 != ";" && !$0.isNewline })
      throw .refused(
        TransferFailure(
          .secret, "the value of the header \(name) holds a line break or a control character"))
    }
    do {
      let made = try RequestHeaders(lines)
      headers = (lines, made)
      return made
    } catch { throw .curl(error) }
  }

  // MARK: Options

  /// What every handle of the session is set to.
  func configure(_ handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_QUICK_EXIT, 1)
    try handle.set(CURLOPT_BUFFERSIZE, 262_144)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(plan.connectTimeout))
    if cookies != nil { try handle.set(CURLOPT_COOKIEFILE, "") }
    try proxies.configure(handle)
    if plan.multiplexes { try handle.set(CURLOPT_PIPEWAIT, 1) }
    if let resolve { try handle.set(CURLOPT_RESOLVE, list: resolve) }
    if let connectTo { try handle.set(CURLOPT_CONNECT_TO, list: connectTo) }
    try configureVersions(handle)
    try configureTrust(handle)
  }

  private func configureVersions(_ handle: EasyHandle) throws(CurlError) {
    switch plan.ipVersion {
    case .auto: break
    case .four: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .six: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
    switch plan.httpVersion {
    case .auto: break
    case .one: try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .two: try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_0))
    case .twoPriorKnowledge:
      try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
    case .three: try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_3))
    }
  }

  private func configureTrust(_ handle: EasyHandle) throws(CurlError) {
    let highest = plan.tlsMaximum.map(Self.tlsNumber) ?? 0
    try handle.set(CURLOPT_SSLVERSION, Self.tlsNumber(plan.tlsMinimum) | highest << 16)
    if plan.tlsMinimum < .oneTwo {
      try handle.set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0")
    }
    try configureIdentity(handle)
    if plan.insecure {
      try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
      try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    guard let authorities else { return }
    // One file and no folder: a session's own authorities are its only ones, and libcurl keeps
    // the parsed file from connection to connection only when there is no folder.
    try handle.set(CURLOPT_CAINFO, authorities)
    try handle.set(CURLOPT_CAPATH, nil)
  }

  private func configureIdentity(_ handle: EasyHandle) throws(CurlError) {
    if let certificate = plan.clientCertificate {
      try handle.set(CURLOPT_SSLCERT, certificate)
      try handle.set(CURLOPT_SSLKEY, plan.clientKey ?? certificate)
    }
    guard let pin = plan.pinnedPublicKey else { return }
    try handle.set(CURLOPT_PINNEDPUBLICKEY, pin)
    // For the words of a failure: which key the server has.
    try handle.set(CURLOPT_CERTINFO, 1)
  }

  private static func tlsNumber(_ version: SessionPlan.TLSVersion) -> Int {
    switch version {
    case .one: Int(CURL_SSLVERSION_TLSv1_0)
    case .oneOne: Int(CURL_SSLVERSION_TLSv1_1)
    case .oneTwo: Int(CURL_SSLVERSION_TLSv1_2)
    case .oneThree: Int(CURL_SSLVERSION_TLSv1_3)
    }
  }

  /// From 1, because 0 is libcurl's own default.
  private static func milliseconds(_ duration: Duration) -> Int {
    Int(min(max(1, duration.milliseconds), Int64(Int32.max)))
  }
}

import CLibcurl
import TransferCore

/// How a request goes about the session's cookies. libcurl's engine both sends and stores; where a
/// request may do one alone, the engine is off for the other.
extension Transfer {
  /// Sets the handle up for what the session and the job's headers say.
  func setCookies(_ work: Work, _ headers: RequestHeaders?) throws(CurlError) {
    let own = headers?.cookie.map { Array($0.utf8) }
    guard let cookies = session.cookies else { return try setOwn(own) }
    let use = cookies.use(
      for: work.request, removesCookie: headers?.removesCookie ?? false)
    work.storesCookies = use == .full || use == .storeOnly
    if use == .full { return try setOwn(own) }
    isPlain = false
    try handle.set(CURLOPT_COOKIEFILE, nil)
    work.engineWaits = use == .storeOnly
    let stored = use == .sendOnly ? cookies.field(for: work.request.url) : nil
    let fields = [stored, own].compactMap(\.self)
    try setOwn(fields.isEmpty ? nil : Array(fields.joined(separator: "; ".utf8)))
  }

  private func setOwn(_ field: [UInt8]?) throws(CurlError) {
    guard let field else { return }
    isPlain = false
    try handle.set(CURLOPT_COOKIE, bytes: field)
  }

  /// A line of a head, before libcurl's engine has seen the fields that follow its first.
  func noteCookies(_ line: RawSpan, _ work: Work) throws(CurlError) {
    if Self.isSetCookie(line) { work.sawSetCookie = true }
    guard work.engineWaits else { return }
    if Self.startsHead(line) {
      try handle.reattach()
      try handle.set(CURLOPT_COOKIEFILE, "")
      try handle.set(CURLOPT_COOKIELIST, "RELOAD")
    } else if line.byteCount <= 2 {
      // libcurl may go on with another request by itself (401), which sends no stored cookies.
      try handle.set(CURLOPT_COOKIEFILE, nil)
    }
  }

  /// The answer is through: what it set goes into the jar.
  func settleCookies() throws(CurlError) {
    guard let work = current, work.sawSetCookie, let cookies = session.cookies else { return }
    work.sawSetCookie = false
    try cookies.take(url: work.request.url)
  }

  private static func startsHead(_ line: RawSpan) -> Bool {
    unsafe line.withUnsafeBytes { unsafe $0.starts(with: "HTTP/".utf8) }
  }

  private static func isSetCookie(_ line: RawSpan) -> Bool {
    unsafe line.withUnsafeBytes { line in
      unsafe line.count > 11 && line[3] == UInt8(ascii: "-")
        && zip(line, "set-cookie:".utf8).allSatisfy { $0.0 | 0x20 == $0.1 | 0x20 }
    }
  }
}

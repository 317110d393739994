import CLibcurl
import Glibc
import TransferCore

/// A session's cookies in libcurl's engine: the handles of its share have one engine, and this
/// keeps that engine and the jar alike.
final class SessionCookies {
  let plan: CookiePlan
  private let jar: CookieJar
  private let share: ShareHandle
  private let suffixes: PublicSuffixes
  /// Never makes a request: the engine's lines go in by it.
  private var keeper: EasyHandle?

  /// RFC 6265bis, section 5.5: no cookie lives longer, in seconds.
  private static let longestLife: Int64 = 400 * 86_400

  /// The engine begins with what the jar has.
  init(
    _ plan: CookiePlan, _ jar: CookieJar, _ share: ShareHandle, _ suffixes: PublicSuffixes
  ) throws(CurlError) {
    self.plan = plan
    self.jar = jar
    self.share = share
    self.suffixes = suffixes
    for cookie in jar.cookies.values {
      try set(mended(cookie, at: nil).line, engine())
    }
    jar.join(self)
  }

  func close() {
    jar.leave(self)
    keeper = nil
  }

  // MARK: Requests

  /// What a request does with the jar.
  /// - Parameter removesCookie: the job's headers say that no cookie goes with it.
  func use(for request: TransferRequest, removesCookie: Bool) -> CookieUse {
    plan.use(
      isMainDocuments: plan.acceptPolicy != .onlyFromMainDocumentDomain
        || isMainDocuments(request),
      removesCookie: removesCookie)
  }

  private func isMainDocuments(_ request: TransferRequest) -> Bool {
    guard let document = request.documentURL, let main = CookiePlace(url: document),
      let here = CookiePlace(url: request.url)
    else { return true }
    return suffixes.areOneParty(main.host, here.host)
  }

  /// The jar's cookies for an address as one `Cookie` field has them, in libcurl's order: longer
  /// paths first, then longer domains and names. nil when there is none.
  func field(for url: String) -> [UInt8]? {
    guard let place = CookiePlace(url: url) else { return nil }
    let now = Clock.wall().microseconds / 1_000_000
    func rank(_ cookie: Cookie) -> (Int, Int, Int) {
      (cookie.key.path.count, cookie.key.domain.utf8.count, cookie.key.name.count)
    }
    let going = jar.cookies.values.filter { !$0.hasExpired(at: now) && $0.matches(place) }
      .sorted { rank($0) > rank($1) }
    if going.isEmpty { return nil }
    return Array(
      going.map { $0.key.name + [UInt8(ascii: "=")] + $0.value }.joined(separator: "; ".utf8))
  }

  // MARK: Answers

  /// An answer from `url` set cookies, and the engine has taken those that libcurl accepts: takes
  /// them into the jar, mended.
  func take(url: String) throws(CurlError) {
    let now = Clock.wall().microseconds / 1_000_000
    var changed: [(key: Cookie.Key, cookie: Cookie?)] = []
    var gone = Set(jar.cookies.keys)
    for line in try engine().cookieLines() {
      guard let cookie = Cookie(line: line), !cookie.hasExpired(at: now) else { continue }
      gone.remove(cookie.key)
      if jar.cookies[cookie.key] == cookie { continue }
      let mended = mended(cookie, at: CookiePlace(url: url), now)
      if mended != cookie {
        try remove(cookie.key)
        try set(mended.line, engine())
        gone.remove(mended.key)
      }
      changed.append((mended.key, mended))
    }
    for key in gone {
      if jar.cookies[key]?.hasExpired(at: now) == true {
        jar.forgetExpired(key)
      } else {
        changed.append((key, nil))
      }
    }
    if changed.isEmpty { return }
    jar.take(changed, from: self, keepsSessionCookies: plan.keepsSessionCookies)
  }

  /// What another session of the same jar changed.
  func put(_ changed: [(key: Cookie.Key, cookie: Cookie?)]) {
    for (key, cookie) in changed {
      do throws(CurlError) {
        if let cookie { try set(cookie.line, engine()) } else { try remove(key) }
      } catch { preconditionFailure("libcurl has no memory for a cookie: \(error)") }
    }
  }

  /// What libcurl 7.88.1 takes otherwise than RFC 6265bis has it (section 5.7): a suffix that
  /// names itself as its domain would reach all who registered below it; a path that is none would
  /// be the whole host; and there is no longest life.
  /// - Parameter place: where it was set; nil for one from a file.
  private func mended(
    _ cookie: Cookie, at place: CookiePlace?, _ now: Int64? = nil
  ) -> Cookie {
    var mended = cookie
    if !cookie.key.isHostOnly, suffixes.isSuffix(cookie.key.domain) {
      mended.key.isHostOnly = true
    }
    if cookie.key.path.first != UInt8(ascii: "/") {
      mended.key.path = place?.defaultPath ?? [UInt8(ascii: "/")]
    }
    if let now, !cookie.isSessionCookie {
      mended.expires = min(cookie.expires, now + Self.longestLife)
    }
    return mended
  }

  // MARK: The engine

  private func engine() throws(CurlError) -> EasyHandle {
    if let keeper { return keeper }
    let made = try EasyHandle(share: share)
    keeper = made
    return made
  }

  /// A cookie that has expired takes the place of the one with its key.
  private func remove(_ key: Cookie.Key) throws(CurlError) {
    var last = Cookie(key: key, isSecure: false, isHTTPOnly: false, expires: 1, value: [])
    // One that isn't secure can't take the place of one that is.
    last.isSecure = true
    try set(last.line, engine())
  }

  private func set(_ line: [UInt8], _ handle: EasyHandle) throws(CurlError) {
    try handle.set(CURLOPT_COOKIELIST, bytes: line)
  }
}

extension EasyHandle {
  /// The engine's cookies, as lines of a Netscape cookie file.
  fileprivate func cookieLines() -> [[UInt8]] {
    var found: UnsafeMutableRawPointer?
    guard unsafe jobrun_getinfo_pointer(pointer, CURLINFO_COOKIELIST, &found) == CURLE_OK,
      let start = unsafe found
    else { return [] }
    let list = unsafe start.assumingMemoryBound(to: curl_slist.self)
    defer { unsafe curl_slist_free_all(list) }
    var lines: [[UInt8]] = []
    var next: UnsafeMutablePointer<curl_slist>? = unsafe list
    while let item = unsafe next {
      if let text = unsafe item.pointee.data { lines.append(unsafe bytes(text)) }
      unsafe next = item.pointee.next
    }
    return lines
  }

  @unsafe private func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    let length = unsafe strlen(text)
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
  }

  /// libcurl keeps a copy. The bytes have no NUL among them.
  func set(_ option: CURLoption, bytes: [UInt8]) throws(CurlError) {
    let code = unsafe (bytes + [0]).withUnsafeBytes { text in
      unsafe jobrun_setopt_string(
        pointer, option, text.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
    try check(code, option)
  }
}

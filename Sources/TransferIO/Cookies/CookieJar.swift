import TransferCore

/// One jar in a run: what it holds, who uses it, and what must be written down. The loop's own.
final class CookieJar {
  /// nil for one in memory.
  let file: CookieJarFile?
  private(set) var cookies: [Cookie.Key: Cookie] = [:]
  /// Keys that the file has, or will have.
  private var kept: Set<Cookie.Key> = []
  private var changes = CookieChanges()
  /// Sessions that share it; each holds the jar, so the jar lets go of them at the end.
  private var members: [SessionCookies] = []
  private var lastWrite: Instant?

  /// Between two writes of a jar while a run goes on.
  private static let writesApart = Duration.seconds(2)

  init(file: CookieJarFile?, _ contents: CookieFile) {
    self.file = file
    for cookie in contents.cookies { cookies[cookie.key] = cookie }
    kept = Set(cookies.keys)
  }

  func join(_ session: SessionCookies) { members.append(session) }
  func leave(_ session: SessionCookies) { members.removeAll { $0 === session } }

  /// Takes what one session's answer changed, and hands it to the others.
  /// - Parameter keepsSessionCookies: those without an expiry are written down too.
  func take(
    _ changed: [(key: Cookie.Key, cookie: Cookie?)], from session: SessionCookies,
    keepsSessionCookies: Bool
  ) {
    for (key, cookie) in changed {
      cookies[key] = cookie
      if file == nil { continue }
      let lasting = cookie.flatMap { $0.isSessionCookie && !keepsSessionCookies ? nil : $0 }
      if lasting == nil, kept.remove(key) == nil { continue }
      if lasting != nil { kept.insert(key) }
      changes.note(key, lasting)
    }
    for member in members where member !== session { member.put(changed) }
  }

  /// One whose time has come is gone without a change: another run may have a newer one.
  func forgetExpired(_ key: Cookie.Key) { cookies[key] = nil }

  /// When its changes are to be written.
  var due: Instant? {
    guard !changes.isEmpty else { return nil }
    return lastWrite.map { $0 + Self.writesApart } ?? Instant(nanoseconds: 0)
  }

  /// What is to be written now; nil when nothing is.
  func takeChanges(at now: Instant) -> CookieWrite? {
    guard let file, !changes.isEmpty else { return nil }
    defer { changes = CookieChanges() }
    lastWrite = now
    return CookieWrite(file: file, changes: changes)
  }
}

/// What is to be laid over a jar's file.
struct CookieWrite: Sendable {
  let file: CookieJarFile
  let changes: CookieChanges
}

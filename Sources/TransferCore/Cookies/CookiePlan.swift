/// What a session does with cookies (HTTPCookieStorage and its kin).
package struct CookiePlan: Equatable, Sendable {
  package enum Storage: Equatable, Sendable {
    /// One jar for all jobs of this user.
    case shared
    /// This session's own, in the job's state folder.
    case `private`
    /// Gone with the run.
    case memory
    /// None are kept and none are sent but the job's own.
    case none
    /// A Netscape cookie file, absolute.
    case file(String)
  }

  package enum AcceptPolicy: String, Sendable, CaseIterable {
    case always, never
    case onlyFromMainDocumentDomain = "only_from_main_document_domain"
  }

  package var storage = Storage.shared
  package var acceptPolicy = AcceptPolicy.onlyFromMainDocumentDomain
  /// HTTPShouldSetCookies: stored cookies are sent.
  package var sendsStored = true
  /// Cookies without an expiry outlive the run.
  package var keepsSessionCookies = false

  package init() {}

  /// - Parameters:
  ///   - isMainDocuments: the address belongs to the registrable domain of the task's first one.
  ///   - removesCookie: the job's headers say that no cookie goes with this request.
  package func use(isMainDocuments: Bool, removesCookie: Bool) -> CookieUse {
    if storage == .none { return .off }
    let stores =
      switch acceptPolicy {
      case .always: true
      case .never: false
      case .onlyFromMainDocumentDomain: isMainDocuments
      }
    switch (sendsStored && !removesCookie, stores) {
    case (true, true): return .full
    case (true, false): return .sendOnly
    case (false, true): return .storeOnly
    case (false, false): return .off
    }
  }
}

/// What one request does with stored cookies.
package enum CookieUse: Sendable {
  case full
  /// Stored cookies go out; what the answer sets is dropped.
  case sendOnly
  case storeOnly
  case off
}

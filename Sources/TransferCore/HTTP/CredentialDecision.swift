/// A credential that may be sent to the origin of a request.
package struct CredentialCandidate: Equatable, Sendable {
  /// Where it comes from: what is needed to look its values up.
  package enum Source: Hashable, Sendable {
    /// Indices into the plan's sessions and the session's credentials.
    case session(Int, Int)
    /// Indices into the plan's tasks and the task's own credentials.
    case task(Int32, Int)
    /// Index into the entries of the session's netrc file.
    case netrc(session: Int, Int)
  }

  package var source: Source
  package var method: CredentialPlan.Method
  /// nil is any realm.
  package var realm: String?

  package init(source: Source, method: CredentialPlan.Method, realm: String? = nil) {
    self.source = source
    self.method = method
    self.realm = realm
  }
}

/// Which credential goes with a request, and how.
package struct CredentialGrant: Hashable, Sendable {
  package var source: CredentialCandidate.Source
  package var scheme: AuthScheme

  package init(source: CredentialCandidate.Source, scheme: AuthScheme) {
    self.source = source
    self.scheme = scheme
  }
}

/// Decides which credential is sent, if any: before a server has said anything, and as the answer
/// to its challenge.
package enum CredentialDecision {
  /// The credential that goes with a first request: one that is for all of the origin and says how
  /// it is shown. `any`, and whatever is bound to a realm, waits for the challenge.
  package static func first(of candidates: [CredentialCandidate]) -> CredentialGrant? {
    guard candidates.allSatisfy({ $0.realm == nil }), let candidate = candidates.first,
      let scheme = candidate.method.scheme
    else { return nil }
    return CredentialGrant(source: candidate.source, scheme: scheme)
  }

  /// The answer to an answer's challenges: of the credentials for the realm that it names the one
  /// bound to it, else one for any realm, by the strongest scheme that both know.
  /// - Parameters:
  ///   - tried: what was sent to this address already; none of it is sent again. A password that
  ///     was refused isn't shown in another way either.
  ///   - isSecure: over TLS. Without it a password isn't sent in clear when the server also takes
  ///     something better, whatever becomes of that.
  package static func answer(
    _ challenges: [Challenge], _ candidates: [CredentialCandidate], tried: [CredentialGrant],
    isSecure: Bool
  ) -> CredentialGrant? {
    let bound = candidates.filter { $0.realm != nil }
    let free = candidates.filter { $0.realm == nil }
    for candidate in bound + free {
      let known = tried.filter { $0.source == candidate.source }
      if known.contains(where: { $0.scheme != .negotiate }) { continue }
      for scheme in schemes(candidate, challenges, isSecure: isSecure) {
        let grant = CredentialGrant(source: candidate.source, scheme: scheme)
        if !known.contains(grant) { return grant }
      }
    }
    return nil
  }

  /// The schemes by which a credential answers these challenges, in order.
  private static func schemes(
    _ candidate: CredentialCandidate, _ challenges: [Challenge], isSecure: Bool
  ) -> [AuthScheme] {
    let offered = Set(challenges.map(\.scheme))
    let matching = challenges.filter {
      candidate.realm == nil || $0.realm == candidate.realm
    }
    let usable = Set(matching.map(\.scheme))
    guard candidate.method == .any else {
      guard let scheme = candidate.method.scheme, usable.contains(scheme.rawValue) else {
        return []
      }
      return [scheme]
    }
    let isBasicTooWeak = AuthScheme.ranked.contains {
      $0 != .basic && offered.contains($0.rawValue)
    }
    return AuthScheme.ranked.filter { scheme in
      guard usable.contains(scheme.rawValue) else { return false }
      return scheme != .basic || isSecure || !isBasicTooWeak
    }
  }
}

extension CredentialPlan.Method {
  /// nil for `any`.
  package var scheme: AuthScheme? { self == .any ? nil : AuthScheme(rawValue: rawValue) }
}

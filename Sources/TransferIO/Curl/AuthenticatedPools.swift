import TransferCore

/// Connections that NTLM and Negotiate have authenticated: each credential has its own, in which no
/// other request finds itself. libcurl 7.88 would lend one that Negotiate authenticated to anybody
/// in its session.
final class AuthenticatedPools {
  private struct Key: Hashable {
    var session: Int
    var source: CredentialCandidate.Source
  }

  private let make: (_ session: Int) throws(CurlError) -> CurlSession
  private var sessions: [Key: CurlSession] = [:]

  /// - Parameter make: makes a session as libcurl has it, with the session's cookie jar.
  init(_ make: @escaping (_ session: Int) throws(CurlError) -> CurlSession) { self.make = make }

  /// The pool of a request that authenticates its connection; nil for all others.
  func session(for request: TransferRequest) throws(CurlError) -> CurlSession? {
    guard let grant = request.grant, grant.scheme.isOfConnection else { return nil }
    let key = Key(session: request.session, source: grant.source)
    if let known = sessions[key] { return known }
    let made = try make(request.session)
    sessions[key] = made
    return made
  }

  /// Drops the handles that wait.
  func close() { for session in sessions.values { session.close() } }
}

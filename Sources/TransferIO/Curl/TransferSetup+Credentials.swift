import CLibcurl
import TransferCore

/// Who we are, for one request. libcurl does the handshakes; which credential goes where was
/// decided before, so that it never has one that isn't for the request's origin.
extension Transfer {
  /// - Returns: header lines that are added, and the address where it is another one now.
  func setCredential(
    _ request: TransferRequest, _ methods: DigestMethods
  ) throws(RequestError) -> (url: String?, lines: [String]) {
    guard let credential = request.credential else { return (nil, []) }
    if credential.scheme == .awsSigV4 {
      let signer = RequestSigner(credential: credential, methods: methods)
      return try signer.sign(request, at: Clock.wall())
    }
    isPlain = false
    do throws(CurlError) {
      try handle.set(CURLOPT_HTTPAUTH, credential.scheme.curlBit)
      if credential.scheme == .bearer {
        try handle.set(CURLOPT_XOAUTH2_BEARER, credential.password)
      } else {
        // Empty ones make libcurl ask Kerberos for whom the ticket is.
        try handle.set(CURLOPT_USERNAME, credential.user)
        try handle.set(CURLOPT_PASSWORD, credential.password)
      }
      // They authenticate connections, which HTTP/2 shares between requests (RFC 9113, 9.1).
      if credential.scheme.isOfConnection {
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      }
    } catch { throw .curl(error) }
    return (nil, [])
  }

  /// Keeps the session's client certificate from an origin that the task doesn't name.
  func hideIdentity(from request: TransferRequest) throws(CurlError) {
    if request.showsIdentity || session.plan.clientCertificate == nil { return }
    isPlain = false
    try handle.set(CURLOPT_SSLCERT, nil)
    try handle.set(CURLOPT_SSLKEY, nil)
  }
}

extension Transfer {
  /// Failures of certificates and pins say which.
  func identified(
    _ failure: TransferFailure, _ code: CURLcode, _ work: Work
  ) -> TransferFailure {
    var failure = failure
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH {
      let found = PeerKey.pin(of: handle) ?? "not to be read"
      let pinned = session.plan.pinnedPublicKey ?? ""
      failure.detail += "; its key is \(found), tls.pinned_public_key is \(pinned)"
    } else if failure.kind == .tls, let file = session.plan.clientCertificate {
      let key = session.plan.clientKey.map { " with the key \($0)" } ?? ""
      failure.detail +=
        work.request.showsIdentity
        ? "; the client certificate is \(file)\(key)"
        : "; the client certificate stays with the origin that the task names"
    }
    return failure
  }
}

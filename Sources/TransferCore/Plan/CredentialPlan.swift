/// Who we are to one protection space (URLCredential and URLProtectionSpace).
package struct CredentialPlan: Equatable, Sendable {
  package enum Method: String, Sendable, CaseIterable {
    /// The strongest that the server offers.
    case any
    case basic, digest, negotiate, ntlm, bearer
    case awsSigV4 = "aws_sigv4"
  }

  package var space: ProtectionSpace
  package var user: PlanText?
  /// The password, the token (bearer) or the secret key (aws_sigv4).
  package var password: PlanText?
  package var method = Method.any
  /// Of aws_sigv4.
  package var region: String?
  package var service = "s3"

  package init(space: ProtectionSpace) { self.space = space }
}

/// Where a credential may be sent: one origin, and there one realm or any.
package struct ProtectionSpace: Equatable, Sendable {
  package var origin: Origin
  /// nil is any realm.
  package var realm: String?

  package init(origin: Origin, realm: String? = nil) {
    self.origin = origin
    self.realm = realm
  }
}

/// Where credentials are that the job doesn't hold (URLCredentialStorage).
package enum CredentialStorage: Equatable, Sendable {
  /// `$NETRC`, else `~/.netrc`, where there is such a file.
  case shared
  case none
  /// A netrc file, absolute.
  case file(String)
}

/// How a credential is shown to a server.
package enum AuthScheme: String, Sendable, CaseIterable {
  case negotiate, digest, ntlm, basic, bearer
  case awsSigV4 = "aws_sigv4"

  /// What `any` may become, the strongest first.
  package static let ranked: [AuthScheme] = [.negotiate, .digest, .ntlm, .basic]

  /// It authenticates a connection and not a request (RFC 4559, section 5): whoever comes later on
  /// that connection is taken for the same.
  package var isOfConnection: Bool { self == .negotiate || self == .ntlm }
}

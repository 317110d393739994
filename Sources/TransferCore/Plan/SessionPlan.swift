/// A session, resolved: what its connections are like (NSURLSessionConfiguration).
package struct SessionPlan: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable { case `default`, ephemeral, background }
  package enum IPVersion: String, Sendable, CaseIterable {
    case auto
    case four = "4"
    case six = "6"
  }
  package enum HTTPVersion: String, Sendable, CaseIterable {
    case auto
    case one = "1.1"
    case two = "2"
    case twoPriorKnowledge = "2_prior_knowledge"
    case three = "3"
  }
  package enum TLSVersion: String, Sendable, CaseIterable, Comparable {
    case one = "1.0"
    case oneOne = "1.1"
    case oneTwo = "1.2"
    case oneThree = "1.3"
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
  package enum Proxy: Equatable, Sendable {
    /// `http_proxy` and its kin, as libcurl reads them.
    case environment
    case none
    case own(ProxyPlan)
  }

  package var name: String
  package var kind = Kind.default
  /// Names a background session: no two runs use one at once.
  package var identifier: String?
  /// Where relative targets of a background session's downloads start, absolute; nil is the root.
  package var sharedContainer: String?
  package var cookies = CookiePlan()
  package var connectTimeout = Duration.seconds(15)
  package var ipVersion = IPVersion.auto
  package var httpVersion = HTTPVersion.auto
  /// HTTPShouldUsePipelining: HTTP/2 multiplexing, and waiting for it.
  package var multiplexes = false
  package var maxConnectionsPerHost = 6
  package var tlsMinimum = TLSVersion.oneTwo
  /// nil is the library's highest.
  package var tlsMaximum: TLSVersion?
  /// A PEM file of authorities, absolute; nil is the system's.
  package var caFile: String?
  package var insecure = false
  /// PEM files of the client's certificate and key, absolute; shown to the origin that a task
  /// names. A nil key is in the certificate's file.
  package var clientCertificate: String?
  package var clientKey: String?
  /// As CURLOPT_PINNEDPUBLICKEY takes it: `sha256//…`, several parted by `;`, or a file, absolute.
  package var pinnedPublicKey: String?
  /// Of tasks that have none of their own, in the job's order.
  package var credentials: [CredentialPlan] = []
  package var credentialStorage = CredentialStorage.shared
  /// URL schemes for first requests, in lower case.
  package var protocols = ["http", "https", "ftp", "ftps", "sftp", "file"]
  package var proxy = Proxy.environment
  package var rateLimit = RateLimit()
  /// `host:port:address`, as CURLOPT_RESOLVE takes them.
  package var resolve: [String] = []
  /// `host:port:host:port`, as CURLOPT_CONNECT_TO takes them.
  package var connectTo: [String] = []

  package init(name: String) { self.name = name }

  /// An ephemeral session leaves nothing of its own on disk.
  package var keepsState: Bool { kind != .ephemeral }
}

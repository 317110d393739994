/// One request and its answer, as URLSessionTaskTransactionMetrics has them. Times are of the wall
/// clock; nil where the step did not take place.
package struct Transaction: Sendable {
  package enum FetchType: String, Sendable, CaseIterable {
    case networkLoad = "network_load"
    case localCache = "local_cache"
  }

  /// Without user info and secrets.
  package var url: String
  package var status: Int?
  package var fetchStart: WallTime?
  package var domainLookupStart: WallTime?
  package var domainLookupEnd: WallTime?
  package var connectStart: WallTime?
  package var connectEnd: WallTime?
  package var secureConnectionStart: WallTime?
  package var secureConnectionEnd: WallTime?
  package var requestStart: WallTime?
  package var requestEnd: WallTime?
  package var responseStart: WallTime?
  package var responseEnd: WallTime?
  /// ALPN's names: `http/1.0`, `http/1.1`, `h2`, `h3`; `file` for files.
  package var networkProtocolName: String?
  package var isProxyConnection = false
  package var isReusedConnection = false
  package var fetchType = FetchType.networkLoad
  /// Bytes on the wire.
  package var requestHeaderBytes: Int64 = 0
  package var requestBodyBytes: Int64 = 0
  package var responseHeaderBytes: Int64 = 0
  package var responseBodyBytes: Int64 = 0
  package var localAddress: String?
  package var localPort: Int?
  package var remoteAddress: String?
  package var remotePort: Int?
  /// As OpenSSL names them: `TLSv1.3`, `TLS_AES_256_GCM_SHA384`.
  package var tlsProtocolVersion: String?
  package var tlsCipherSuite: String?

  package init(url: String) { self.url = url }
}

/// Why a task, or a try of it, did not succeed: what the operator is told.
package struct TransferFailure: Error, Equatable, Sendable {
  /// The closed list of `error.code`; each stands in `docs/errors.md`.
  package enum Kind: String, Sendable, CaseIterable {
    /// The host's name has no address.
    case dns
    /// No connection: refused, unreachable, reset before an answer.
    case connect
    /// The TLS handshake or the certificate.
    case tls
    /// Silence, a deadline, or too slow.
    case timeout
    /// The body ended before its declared end.
    case truncated
    case redirectLimit = "redirect_limit"
    /// A redirect that the policy refuses.
    case redirectRefused = "redirect_refused"
    case auth
    case digestMismatch = "digest_mismatch"
    /// The server's partial answer doesn't fit what was asked.
    case range
    /// `return_cache_data_dont_load` and nothing stored.
    case cacheMiss = "cache_miss"
    /// A status that `expect.status` doesn't accept.
    case status
    /// A body, type, size or framing that was not to be expected.
    case unexpectedContent = "unexpected_content"
    case tooLarge = "too_large"
    /// Not HTTP as the RFCs have it.
    case `protocol`
    case unsupportedScheme = "unsupported_scheme"
    /// Room ran out, or the disk failed: the machine is in the way.
    case disk
    /// One file or folder of the task: its mode, a folder in its place, missing.
    case localFile = "local_file"
    /// Another live run writes the same target.
    case collision
    /// A checksum list that doesn't name the file, or can't be read.
    case checksumList = "checksum_list"
    /// A request that must not be made twice was sent by an earlier run, and what became of it
    /// isn't known.
    case unconfirmed
    /// A secret that can't be resolved.
    case secret
    /// The task's or run's time ran out.
    case deadline
    case cancelled
    /// Skipped: what it depends on failed.
    case dependency
    /// Not started: the run stopped starting tasks.
    case stopped
  }

  package var kind: Kind
  /// What happened, in words, without secrets and user info.
  package var detail: String
  /// libcurl's CURLcode, where it gave one.
  package var curlCode: Int32?
  /// The status that the server answered with, where it matters.
  package var status: Int?
  /// What the server asked us to wait (Retry-After), from when the answer arrived.
  package var retryAfter: Duration?

  package init(
    _ kind: Kind, _ detail: String, curlCode: Int32? = nil, status: Int? = nil,
    retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.detail = detail
    self.curlCode = curlCode
    self.status = status
    self.retryAfter = retryAfter
  }
}

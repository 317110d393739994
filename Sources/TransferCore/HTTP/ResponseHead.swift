/// The head of an answer: status line and fields (RFC 9112, section 2.1), with the fields that
/// decide about a transfer already read.
package struct ResponseHead: Sendable {
  /// As it came, with line ends, without the empty line.
  package var raw: [UInt8]
  /// 100 to 999.
  package var status: Int
  /// 10, 11, 20 or 30.
  package var version: Int
  package var contentLength: Int64?
  /// A Content-Length that is no plain number, or two that differ.
  package var hasBadContentLength = false
  package var isChunked = false
  package var contentType: String?
  package var contentEncoding: String?
  package var contentRange: String?
  package var location: String?
  package var retryAfter: String?
  package var acceptRanges: String?
  package var contentDisposition: String?
  package var reprDigest: String?
  package var validator = Validator()
}

extension ResponseHead {
  /// Reads a head; nil when it has no status line that RFC 9112, section 4, allows.
  package init?(parsing raw: [UInt8]) { return nil }
}

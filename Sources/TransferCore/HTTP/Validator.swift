/// What tells one version of a representation from another (RFC 9110, section 8.8).
package struct Validator: Equatable, Sendable {
  /// The ETag field's value as it came, quotes and `W/` with it.
  package var etag: String?
  /// The Last-Modified field's value as it came.
  package var lastModified: String?
  /// The Date field's value of the same answer: RFC 9110, 8.8.2.2, needs it to call
  /// Last-Modified strong.
  package var date: String?

  package init(etag: String? = nil, lastModified: String? = nil, date: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }

  package var strongETag: String? {
    guard let etag, etag.utf8.first == UInt8(ascii: "\"") else { return nil }
    return etag
  }

  /// What If-Range holds to go on with bytes of this version (RFC 9110, section 13.1.5).
  package var ifRange: String? { strongETag ?? lastModified }

  /// With what `other` knows where this one is silent.
  package func completed(by other: Validator?) -> Validator {
    Validator(
      etag: etag ?? other?.etag, lastModified: lastModified ?? other?.lastModified,
      date: lastModified == nil ? other?.date ?? date : date)
  }
}

/// What an origin has shown of how it takes ranges; remembered for the run.
package enum RangeSupport: Equatable, Sendable {
  /// It has answered with a 206.
  case serves
  /// It answers with the whole file, though that is the one that was asked about.
  case ignores

  /// What an answer to a resume shows; nil is nothing new.
  package static func shown(
    by head: ResponseHead, to request: RequestCondition, _ verdict: HeadVerdict
  ) -> RangeSupport? {
    guard case .resume(_, let validator, _) = request else { return nil }
    switch verdict {
    case .store(let from, _) where from > 0: return .serves
    case .store where head.status == 200 && isSame(validator, head.validator): return .ignores
    default: return nil
    }
  }

  /// 200 to If-Range although the ETag is the same: worth one request with If-Match where the
  /// origin says, or has shown, that it knows ranges (RFC 9110, sections 13.1.1 and 14.3).
  static func isWorthInsisting(_ request: TransferRequest, _ head: ResponseHead) -> Bool {
    guard case .resume(_, let validator, _) = request.condition, !request.insists,
      let old = validator?.strongETag, head.validator.etag == old, head.contentEncoding == nil
    else { return false }
    return request.isKnownForRanges || head.acceptRanges?.lowercased() == "bytes"
  }

  private static func isSame(_ old: Validator?, _ new: Validator) -> Bool {
    if let etag = old?.strongETag { return new.etag == etag }
    return old?.lastModified != nil && old?.lastModified == new.lastModified
  }
}

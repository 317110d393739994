/// Decides what the head of an answer means for its request, before a byte of its body is kept.
package enum HeadDecision {
  package static func decide(_ request: TransferRequest, _ head: ResponseHead) -> HeadVerdict {
    if request.segment > 0, let wanted = request.wanted {
      return SegmentDecision.decide(request, wanted, head)
    }
    if request.followsRedirects, [301, 302, 303, 307, 308].contains(head.status),
      let location = head.location
    {
      return .redirect(location: location)
    }
    if let grant = answer(request, head) { return .challenged(grant) }
    if head.hasBadContentLength {
      return .fail(
        TransferFailure(.protocol, "the Content-Length is not a number", status: head.status))
    }
    if head.hasOtherTransferCoding {
      return .fail(
        TransferFailure(
          .protocol, "the Transfer-Encoding is another than chunked, which was not asked",
          status: head.status))
    }
    switch head.status {
    case 304 where !request.jobAskedPartial:
      if case .refresh = request.condition { return .notModified }
      return .fail(
        TransferFailure(
          .unexpectedContent, "304 Not Modified, but no condition was asked", status: 304))
    case 200 where RangeSupport.isWorthInsisting(request, head): return .insist
    case 206: return partial(request, head)
    case 412 where request.insists:
      return .restart(reason: "412 Precondition Failed: the file is another one now")
    case 416:
      if case .resume(let from, let validator, let total) = request.condition {
        if request.upTo != nil { return .restart(reason: "416 Range Not Satisfiable") }
        return outOfRange(from, validator, total, head)
      }
    default: break
    }
    return refusal(request, head).map { .fail($0) } ?? accepted(request, head)
  }

  /// The credential that answers a 401.
  private static func answer(
    _ request: TransferRequest, _ head: ResponseHead
  ) -> CredentialGrant? {
    guard head.status == 401, !request.candidates.isEmpty else { return nil }
    return CredentialDecision.answer(
      Challenge.all(in: head), request.candidates, tried: request.tried,
      isSecure: Origin(url: request.url)?.scheme == "https")
  }

  /// 206: only what was asked for may be appended (RFC 9110, section 15.3.7).
  private static func partial(_ request: TransferRequest, _ head: ResponseHead) -> HeadVerdict {
    guard case .resume(let from, let validator, let known) = request.condition else {
      guard request.jobAskedPartial else {
        return .fail(
          TransferFailure(
            .unexpectedContent, "206 Partial Content, but no range was asked", status: 206))
      }
      return refusal(request, head).map { .fail($0) } ?? accepted(request, head)
    }
    guard let range = head.contentRange.flatMap(ContentRange.init(parsing:)),
      case .satisfied(let first, let last, let total) = range
    else { return .restart(reason: "its 206 names no usable Content-Range") }
    if head.mediaType == "multipart/byteranges" {
      return .restart(reason: "its 206 is multipart")
    }
    if first != from {
      return .restart(reason: "its 206 starts at byte \(first), not at \(from)")
    }
    guard let total, last == (request.upTo ?? total) - 1 else {
      return .restart(reason: "its 206 does not reach the end of what was asked")
    }
    if let known, known != total {
      return .restart(reason: "the file is \(total) bytes long now, it was \(known)")
    }
    if let length = head.contentLength, length != last - first + 1 {
      return .restart(reason: "its 206 has a Content-Length that doesn't fit its range")
    }
    if head.contentEncoding != nil { return .restart(reason: "its 206 has a content coding") }
    if let changed = changedValidator(validator, head.validator) {
      return .restart(reason: changed)
    }
    // An answer to If-Range must name its version where the first one did (RFC 9110, 15.3.7).
    if let validator, validator.strongETag != nil, !confirms(validator, head.validator),
      validator.lastModified == nil || head.validator.lastModified == nil
    {
      return .restart(reason: "its 206 does not say of which version")
    }
    return limit(request, head, total: total).map { .fail($0) } ?? .store(from: from, total: total)
  }

  private static func changedValidator(_ known: Validator?, _ found: Validator) -> String? {
    if let old = known?.strongETag, let new = found.etag {
      return old == new ? nil : "the ETag is \(new) now, it was \(old)"
    }
    if let old = known?.lastModified, let new = found.lastModified, old != new {
      return "the file was modified at \(new), not at \(old)"
    }
    return nil
  }

  /// 416: either every byte is here already, or the part file is of something else.
  /// That the lengths agree says so only of bytes that are the file's: a server that doesn't look
  /// at If-Range sends 416 for a new, shorter version too.
  private static func outOfRange(
    _ from: Int64, _ validator: Validator?, _ known: Int64?, _ head: ResponseHead
  ) -> HeadVerdict {
    guard let range = head.contentRange.flatMap(ContentRange.init(parsing:)),
      case .unsatisfied(let total) = range, total == from
    else { return .restart(reason: "416 Range Not Satisfiable at byte \(from)") }
    if let known, known != total {
      return .restart(reason: "the file is \(total) bytes long now, it was \(known)")
    }
    if let changed = changedValidator(validator, head.validator) {
      return .restart(reason: changed)
    }
    // Without a validator of ours a checksum decides; with one, the known length or the answer's
    // own validator must speak for the bytes.
    if let validator, known == nil, !confirms(validator, head.validator) {
      return .restart(reason: "its 416 does not say of which version")
    }
    return .rangeComplete(total: total)
  }

  /// Whether an answer names the version that is known.
  private static func confirms(_ known: Validator, _ found: Validator) -> Bool {
    if let etag = known.strongETag { return found.etag == etag }
    return known.lastModified != nil && found.lastModified == known.lastModified
  }

  /// Why a final answer is not accepted; nil when it is.
  private static func refusal(
    _ request: TransferRequest, _ head: ResponseHead
  ) -> TransferFailure? {
    guard request.expect.accepts(head.status) else { return statusFailure(request, head) }
    if let wanted = request.expect.contentType, head.mediaType != wanted.lowercased() {
      let found = head.contentType ?? "none"
      return TransferFailure(
        .unexpectedContent, "the Content-Type is \(found), expected \(wanted)",
        status: head.status)
    }
    if request.sink == .part, [204, 205, 304].contains(head.status) {
      return TransferFailure(
        .unexpectedContent, "\(head.status) has no content to make a file of", status: head.status)
    }
    if head.isCloseDelimited, request.method != "HEAD", !request.allowsUnframed {
      return TransferFailure(
        .unexpectedContent,
        "the answer names no length, so that a cut can't be told from its end; "
          + (request.sink == .part ? "declare a checksum or expect.size, or " : "")
          + "set allow_unframed: true",
        status: head.status)
    }
    return limit(request, head, total: request.method == "HEAD" ? nil : head.contentLength)
  }

  private static func limit(
    _ request: TransferRequest, _ head: ResponseHead, total: Int64?
  ) -> TransferFailure? {
    guard let total, head.contentEncoding == nil else { return nil }
    if let wanted = request.expect.size, wanted != total {
      return TransferFailure(
        .unexpectedContent, "the server declares \(total) bytes, expected \(wanted)",
        status: head.status)
    }
    if let most = request.maxBytes, total > most {
      return TransferFailure(
        .tooLarge, "the server declares \(total) bytes, max_bytes is \(most)", status: head.status)
    }
    return nil
  }

  private static func statusFailure(
    _ request: TransferRequest, _ head: ResponseHead
  ) -> TransferFailure {
    if head.status == 401 { return AuthWords.failure(request, head) }
    let kind: TransferFailure.Kind = head.status == 407 ? .auth : .status
    return TransferFailure(
      kind, "the server answered \(StatusPhrase.text(head.status))", status: head.status)
  }

  private static func accepted(_ request: TransferRequest, _ head: ResponseHead) -> HeadVerdict {
    switch request.sink {
    case .part: .store(from: 0, total: head.contentLength)
    case .memory(let limit): .keep(limit: limit)
    }
  }
}

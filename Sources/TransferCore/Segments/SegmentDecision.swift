/// What the answer to a request for one range of a file means, while others of it are fetched:
/// `.store` takes its body, `.restart` says that the file is another one now, and `.fail` that this
/// range is not to be had so.
enum SegmentDecision {
  static func decide(
    _ request: TransferRequest, _ wanted: Range<Int64>, _ head: ResponseHead
  ) -> HeadVerdict {
    guard case .resume(_, let validator, let total?) = request.condition,
      let etag = validator?.strongETag
    else { preconditionFailure("a segment without a length or a strong validator") }
    if head.hasBadContentLength || head.hasOtherTransferCoding {
      return refused("its framing is not one that was asked for", head)
    }
    switch head.status {
    case 200, 206:
      if let found = head.validator.etag, found != etag {
        return .restart(reason: "the ETag is \(found) now, it was \(etag)")
      }
      if head.status == 206 { return partial(head, wanted, total) }
      return refused("the whole file came where a range was asked", head)
    case 412: return .restart(reason: "412 Precondition Failed: the file is another one now")
    case 416: return .restart(reason: "416 Range Not Satisfiable at byte \(wanted.lowerBound)")
    default:
      return .fail(
        TransferFailure(
          .status, "a segment was answered \(StatusPhrase.text(head.status))", status: head.status))
    }
  }

  private static func partial(
    _ head: ResponseHead, _ wanted: Range<Int64>, _ total: Int64
  ) -> HeadVerdict {
    guard let range = head.contentRange.flatMap(ContentRange.init(parsing:)),
      case .satisfied(let first, let last, let found?) = range,
      head.mediaType != "multipart/byteranges"
    else { return refused("its 206 names no usable Content-Range", head) }
    if found != total {
      return .restart(reason: "the file is \(found) bytes long now, it was \(total)")
    }
    if head.validator.etag == nil { return refused("its 206 has no ETag", head) }
    if first != wanted.lowerBound || last != wanted.upperBound - 1 {
      return refused(
        "its 206 is of bytes \(first) to \(last), not \(wanted.lowerBound) to "
          + "\(wanted.upperBound - 1)", head)
    }
    if let length = head.contentLength, length != Int64(wanted.count) {
      return refused("its 206 has a Content-Length that doesn't fit its range", head)
    }
    if head.contentEncoding != nil { return refused("its 206 has a content coding", head) }
    return .store(from: first, total: total)
  }

  private static func refused(_ why: String, _ head: ResponseHead) -> HeadVerdict {
    .fail(TransferFailure(.range, why, status: head.status))
  }
}

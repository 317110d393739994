/// What the head of an answer means for its request, and where its body goes. Decided once, before
/// any byte of the body is looked at.
package enum HeadVerdict: Equatable, Sendable {
  /// The accepted body: the part file is cut to `from` and the body appended there. `total` is the
  /// length that the file will have, when the answer declares it.
  case store(from: Int64, total: Int64?)
  /// The accepted body goes to memory, `limit` bytes at most.
  case keep(limit: Int64)
  /// 304 to our own condition: the file on disk is current.
  case notModified
  /// 416 to our own Range, and the file already has the length that the server names.
  case rangeComplete(total: Int64)
  /// Followed to this Location (as it came, not resolved).
  case redirect(location: String)
  /// The resume was answered in a way that can't be used: ask again from the start.
  case restart(reason: String)
  /// 200 to If-Range although the validator is the same, from an origin that knows ranges: ask once
  /// more, with If-Match.
  case insist
  /// 401, and there is a credential that answers it: ask again with that.
  case challenged(CredentialGrant)
  /// The answer is final and not accepted; the start of its body serves the message.
  case fail(TransferFailure)
}

extension HeadVerdict {
  /// What the end of the body means, once the transport is through.
  /// - Parameters:
  ///   - partSize: bytes of the part file now; nil when none was opened.
  ///   - upTo: where a range ends that was asked for; nil is the file's end.
  ///   - fault: what the transport complains about.
  /// - Returns: why the transfer failed; nil when it ended as its head declares.
  package func failure(
    partSize: Int64?, upTo: Int64? = nil, fault: TransferFailure?, status: Int?
  ) -> TransferFailure? {
    switch self {
    case .store(let from, let total):
      if let fault { return fault }
      guard let partSize, let end = from > 0 ? upTo ?? total : total, partSize < end else {
        return nil
      }
      return TransferFailure(
        .truncated, "the body ended at \(partSize) of \(end) bytes", status: status)
    case .keep: return fault
    // The head says all: however the body ended, there is nothing to lose.
    case .notModified, .rangeComplete, .redirect, .restart, .insist, .challenged, .fail:
      return nil
    }
  }
}

extension SecretMask {
  /// A failure as it may be told.
  package func masked(_ failure: TransferFailure) -> TransferFailure {
    if isEmpty { return failure }
    var failure = failure
    failure.detail = mask(failure.detail)
    return failure
  }

  /// A result as it may be told: all its text, the heads' fields and the body masked. Unmasked stay
  /// its path and checksum, by which the files are found again, and the heads' validators, by which
  /// the next run asks: those go back to the server alone.
  package func masked(_ result: TaskResult) -> TaskResult {
    if isEmpty { return result }
    var result = result
    result.failure = result.failure.map(masked)
    result.reason = mask(result.reason)
    result.originalURL = mask(result.originalURL)
    result.currentURL = mask(result.currentURL)
    result.transactions = result.transactions.map(masked)
    result.redirects = result.redirects.map { redirect in
      TaskResult.Redirect(status: redirect.status, url: mask(redirect.url))
    }
    result.attemptLog = result.attemptLog.map { note in
      var note = note
      note.failure = note.failure.map(masked)
      return note
    }
    result.interim = result.interim.map(masked)
    result.head = result.head.map(masked)
    result.body = mask(result.body)
    return result
  }

  private func masked(_ transaction: Transaction) -> Transaction {
    var transaction = transaction
    transaction.url = mask(transaction.url)
    return transaction
  }

  private func masked(_ head: ResponseHead) -> ResponseHead {
    var head = head
    head.raw = mask(head.raw)
    head.contentType = mask(head.contentType)
    head.contentEncoding = mask(head.contentEncoding)
    head.contentRange = mask(head.contentRange)
    head.location = mask(head.location)
    head.retryAfter = mask(head.retryAfter)
    head.acceptRanges = mask(head.acceptRanges)
    head.contentDisposition = mask(head.contentDisposition)
    head.reprDigest = mask(head.reprDigest)
    head.contentDigest = mask(head.contentDigest)
    return head
  }
}

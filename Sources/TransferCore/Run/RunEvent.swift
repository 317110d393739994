/// What happened in the world: the only thing that the run machine hears of it.
package enum RunEvent {
  case started
  /// The answer to `RunAction.inspect`.
  case inspected(task: Int32, Inspection)
  /// The body of the task's first request is going to the part file, and has come to this byte.
  case storing(task: Int32, ResponseHead, position: Int64)
  /// Another of the task's requests was answered with its range.
  case segmentAccepted(task: Int32, segment: Int32)
  /// A request ended. `redirect` is where its Location leads, resolved against its address.
  case finished(TransferReport, redirect: RedirectTarget?)
  /// The answer to `RunAction.abort` when no request was under way.
  case aborted(task: Int32)
  /// The answer to `RunAction.hashPart`.
  case partHashed(task: Int32, Result<[ChecksumAlgorithm: String], TransferFailure>)
  /// The answer to `RunAction.commit`; nil is success.
  case committed(task: Int32, TransferFailure?)
  /// A moment that `RunAction.wake` asked for.
  case woke
  /// A signal that ends the run.
  case signalled(Int32)
}

/// What an inspection of state, disk and secrets came to.
package enum Inspection: Sendable {
  case ready(ResolvedRequest, LocalDecision)
  /// A checksum list must be fetched before there is more to say: an index into the plan's lists,
  /// and the request for it, or why there is none.
  case needs(list: Int32, Result<ResolvedRequest, TransferFailure>)
  case failed(TransferFailure)
}

/// The header lines of requests, which are mostly the same for many of them.
package final class ResolvedHeaders: Sendable {
  package struct Field: Sendable {
    /// In lower case.
    package var name: String
    /// As CURLOPT_HTTPHEADER takes it.
    package var line: String
    package var scope: HeaderField.Scope
    package init(name: String, line: String, scope: HeaderField.Scope) {
      self.name = name
      self.line = line
      self.scope = scope
    }
  }
  package let fields: [Field]
  /// All of the fields' lines.
  let lines: [String]
  /// They ask for a part or lay a condition.
  let asksPartial: Bool

  package init(_ fields: [Field]) {
    self.fields = fields
    lines = fields.map(\.line)
    asksPartial = fields.contains { Self.partial.contains($0.name) }
  }

  /// Names that do, in lower case.
  package static let partial: Set = [
    "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
  ]
}

/// A task's request with its secrets filled in.
package struct ResolvedRequest: Sendable {
  package struct Address: Sendable {
    package var url: String
    /// Without user info and secrets.
    package var shownURL: String
    package init(url: String, shownURL: String) {
      self.url = url
      self.shownURL = shownURL
    }
  }
  /// The task's address and its mirrors'.
  package var addresses: [Address]
  /// Which of them is asked first.
  package var first: Int
  package var headers: ResolvedHeaders
  package var body: RequestBody
  /// Digests that the file must have: the job's, and those of its lists.
  package var declared: [LocalFacts.DeclaredDigest]
  /// Ranges of the part file that are there beyond a resume's start.
  package var kept = ByteRanges()
  /// The netrc file of the task's session, when there is one.
  package var netrc: Netrc?

  package init(
    addresses: [Address], first: Int = 0, headers: ResolvedHeaders, body: RequestBody,
    declared: [LocalFacts.DeclaredDigest]
  ) {
    self.addresses = addresses
    self.first = first
    self.headers = headers
    self.body = body
    self.declared = declared
  }
}

/// Where a Location leads.
package struct RedirectTarget: Sendable {
  package var url: String
  package var shownURL: String
  package var origin: Origin
  package init(url: String, shownURL: String, origin: Origin) {
    self.url = url
    self.shownURL = shownURL
    self.origin = origin
  }
}

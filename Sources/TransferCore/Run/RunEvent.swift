/// What happened in the world: the only thing that the run machine hears of it.
package enum RunEvent: Sendable {
  case started
  /// The answer to `RunAction.inspect`.
  case inspected(task: Int32, Inspection)
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
  case failed(TransferFailure)
}

/// A task's request with its secrets filled in.
package struct ResolvedRequest: Sendable {
  package struct Header: Sendable {
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
  package var url: String
  /// Without user info and secrets.
  package var shownURL: String
  package var headers: [Header]
  package var body: RequestBody
  /// Digests that the file must have: the job's, and those of its lists.
  package var declared: [LocalFacts.DeclaredDigest]

  package init(
    url: String, shownURL: String, headers: [Header], body: RequestBody,
    declared: [LocalFacts.DeclaredDigest]
  ) {
    self.url = url
    self.shownURL = shownURL
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

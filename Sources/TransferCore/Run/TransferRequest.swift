/// One request to be made: one hop of one try of a task. An object, as `TransferReport` is.
package final class TransferRequest {
  /// Index into the plan's tasks.
  package var task: Int32
  /// Index into the plan's sessions.
  package var session: Int
  /// With secrets filled in; never shown. `shownURL` is.
  package var url: String
  /// Without user info and secrets.
  package var shownURL: String
  /// After a redirect, the address that the task began with: whose cookies are taken depends on
  /// it. nil for a first request.
  package var documentURL: String?
  package var method: String
  /// Lines as CURLOPT_HTTPHEADER takes them: `Name: value`, `Name;` bare, `Name:` removed.
  package var headerLines: [String]
  package var body: RequestBody
  package var condition: RequestCondition
  /// A resume says If-Match in place of If-Range: go on with this version, or don't answer.
  package var insists = false
  /// The origin has answered with a 206 in this run.
  package var isKnownForRanges = false
  /// Which of the task's requests at one time it is; 0 is its first, or only one.
  package var segment: Int32 = 0
  /// A resume asks for bytes up to this one, and not for those that follow; nil asks for the rest.
  package var upTo: Int64?
  /// Ranges beyond a resume's start that the part file has already.
  package var kept = ByteRanges()
  package var sink: ResponseSink
  /// Ask for and undo content codings.
  package var decodes: Bool
  package var expect: Expectation
  /// The job's own headers hold a Range or a condition: a 206 or 304 was asked for.
  package var jobAskedPartial: Bool
  /// Accept a close-delimited body of unknown length.
  package var allowsUnframed: Bool
  /// The longest silence.
  package var timeoutForRequest: Duration
  package var minimumSpeed: MinimumSpeed?
  /// The task's own, in the place of its session's.
  package var rateLimit: RateLimit?
  package var serviceType = NetworkServiceType.default
  /// What this answer may have at most; nil is no bound.
  package var maxBytes: Int64?
  /// Statuses that redirect are followed (3xx with a Location is not an error).
  package var followsRedirects: Bool
  /// Credentials that may be sent to the request's origin, in the job's order.
  package var candidates: [CredentialCandidate] = []
  /// Those that were sent to this address already, with this request's.
  package var tried: [CredentialGrant] = []
  /// Which of them goes with the request.
  package var grant: CredentialGrant?
  /// Its values; never shown.
  package var credential: ResolvedCredential?
  /// The session's client certificate may be shown: the request goes to the origin that the task
  /// names.
  package var showsIdentity = true

  package init(
    task: Int32, session: Int, url: String, shownURL: String, method: String,
    headerLines: [String], body: RequestBody, condition: RequestCondition, sink: ResponseSink,
    decodes: Bool, expect: Expectation, jobAskedPartial: Bool, allowsUnframed: Bool,
    timeoutForRequest: Duration, minimumSpeed: MinimumSpeed?, maxBytes: Int64?,
    followsRedirects: Bool
  ) {
    self.task = task
    self.session = session
    self.url = url
    self.shownURL = shownURL
    self.method = method
    self.headerLines = headerLines
    self.body = body
    self.condition = condition
    self.sink = sink
    self.decodes = decodes
    self.expect = expect
    self.jobAskedPartial = jobAskedPartial
    self.allowsUnframed = allowsUnframed
    self.timeoutForRequest = timeoutForRequest
    self.minimumSpeed = minimumSpeed
    self.maxBytes = maxBytes
    self.followsRedirects = followsRedirects
  }

  /// The range that a resume asks for; nil where it asks for the rest.
  package var wanted: Range<Int64>? {
    guard case .resume(let from, _, _) = condition, let upTo, upTo > from else { return nil }
    return from..<upTo
  }
}

/// A credential with its secrets filled in.
package struct ResolvedCredential: Sendable {
  package var scheme: AuthScheme
  package var user: String
  /// The password, the token or the secret key.
  package var password: String
  /// Of aws_sigv4.
  package var region = ""
  package var service = ""

  package init(scheme: AuthScheme, user: String, password: String) {
    self.scheme = scheme
    self.user = user
    self.password = password
  }
}

/// What is sent with a request.
package enum RequestBody: Sendable {
  case none
  case bytes([UInt8])
  /// A file, absolute, streamed from its start; `size` is what it had when it was looked at.
  case file(path: String, size: Int64)
  case form([ResolvedFormPart])
}

/// A part of multipart/form-data with its secrets filled in.
package struct ResolvedFormPart: Sendable {
  package enum Content: Sendable {
    case value(String)
    case file(path: String, filename: String?)
  }
  package var name: String
  package var content: Content
  package var contentType: String?
  package init(name: String, content: Content, contentType: String?) {
    self.name = name
    self.content = content
    self.contentType = contentType
  }
}

/// The condition that jobrun itself lays on a request.
package enum RequestCondition: Equatable, Sendable {
  case none
  /// `Range: bytes=from-` and `If-Range` with the validator; `total` when it is known. A nil
  /// validator sends no If-Range: only for files that a checksum decides about.
  case resume(from: Int64, validator: Validator?, total: Int64?)
  /// If-None-Match and If-Modified-Since: is the file on disk still the current one?
  case refresh(Validator)
}

/// Where the body of an accepted answer goes.
package enum ResponseSink: Equatable, Sendable {
  /// The task's part file.
  case part
  /// Memory, up to `limit` bytes.
  case memory(limit: Int64)
}

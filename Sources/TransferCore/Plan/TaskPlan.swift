/// One unit of work of a plan (NSURLSessionTask).
package struct TaskPlan: Sendable {
  package enum Work: Sendable {
    case download(DownloadPlan)
    case upload
    case data(DataPlan)
  }

  package var id: String
  /// Index into the plan's sessions.
  package var session: Int
  /// Index into the plan's policies.
  package var policy: Int
  package var work: Work
  package var request: RequestPlan
  package var expect = Expectation()
  /// Indices of the tasks that must have succeeded.
  package var after: [Int32] = []
  /// NSURLSessionTask.priority, 0 to 1.
  package var priority: Float = 0.5
  package var optional = OptionalRule.never
  /// In place of its session's.
  package var credentials: [CredentialPlan]?
  /// countOfBytesClientExpectsToReceive or ToSend: an estimate, it proves nothing.
  package var expectedBytes: Int64?
  /// 1-based line of the task in the job file.
  package var line: Int32 = 0

  package init(id: String, session: Int, policy: Int, work: Work, request: RequestPlan) {
    self.id = id
    self.session = session
    self.policy = policy
    self.work = work
    self.request = request
  }

  package var kindName: String {
    switch work {
    case .download: "download"
    case .upload: "upload"
    case .data: "data"
    }
  }

  /// Where the task writes, when it does.
  package var path: String? {
    switch work {
    case .download(let download): download.path
    case .data(let data): data.savePath
    case .upload: nil
    }
  }
}

/// What is asked of the server.
package struct RequestPlan: Sendable {
  /// RFC 9110, section 9: case matters.
  package var method: String
  package var url: PlanText
  /// Other addresses of the same file, in the order in which they are tried (downloads).
  package var mirrors: [PlanText] = []
  /// Session's and task's, merged, in order; `User-Agent` is among them.
  package var headers: [HeaderField]
  package var body: BodyPlan?
  /// Ask for and undo content codings (data tasks).
  package var decodes = false

  /// All addresses, without secrets, the first one first.
  package var shownURLs: [String] { [url.shown] + mirrors.map(\.shown) }

  package init(
    method: String, url: PlanText, headers: [HeaderField] = [], body: BodyPlan? = nil,
    decodes: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.decodes = decodes
  }
}

/// A header of the job file.
package struct HeaderField: Equatable, Sendable {
  package enum Scope: String, Sendable, CaseIterable {
    /// Stays behind when a redirect changes host, port or scheme.
    case origin
    case any
  }
  package var name: String
  /// nil removes a header that libcurl would send; empty text sends the bare header.
  package var value: PlanText?
  package var scope: Scope

  package init(name: String, value: PlanText?, scope: Scope) {
    self.name = name
    self.value = value
    self.scope = scope
  }
}

/// A request's body.
package enum BodyPlan: Sendable {
  /// Bytes of this text, and the media type that goes with it unless a header says otherwise.
  case text(PlanText, contentType: String)
  /// A file, absolute, streamed; a nil media type sends none.
  case file(String, contentType: String?)
  /// multipart/form-data (RFC 7578).
  case form([FormPart])
}

/// One part of multipart/form-data.
package struct FormPart: Sendable {
  package enum Content: Sendable {
    case value(PlanText)
    /// Absolute path, and the file name to send; nil sends the path's last segment.
    case file(String, filename: String?)
  }
  package var name: String
  package var content: Content
  package var contentType: String?

  package init(name: String, content: Content, contentType: String? = nil) {
    self.name = name
    self.content = content
    self.contentType = contentType
  }
}

/// NSURLSessionDownloadTask.
package struct DownloadPlan: Sendable {
  /// The target, absolute.
  package var path: String
  package var checksums: [ChecksumPlan] = []
  package var maxBytes: Int64?
  package var overwrites = true
  /// Permission bits; nil is 0644 less the umask.
  package var mode: UInt32?
  /// Accept a close-delimited HTTP/1 body of unknown length.
  package var allowsUnframed = false
  /// Set the file's time from Last-Modified.
  package var keepsModificationTime = true
  /// The target stands below the job's root: the path must not leave it by symbolic links.
  package var beneathRoot = true
  package var segments = SegmentCount.fixed(1)

  package init(path: String) { self.path = path }
}

extension TaskPlan {
  /// Several connections may fetch its file.
  package var mayComeInSegments: Bool {
    guard case .download(let download) = work else { return false }
    return download.segments != .fixed(1)
  }
}

/// NSURLSessionDataTask.
package struct DataPlan: Sendable {
  /// More than this fails the task.
  package var maxBytes: Int64 = 16 * 1_048_576
  /// Where the body is written as well, absolute.
  package var savePath: String?

  package init() {}
}

/// What an answer must be like to count.
package struct Expectation: Equatable, Sendable {
  package enum Status: Equatable, Hashable, Sendable {
    case any
    /// One status, 100 to 599.
    case exactly(Int)
    /// `2xx`: the first digit.
    case family(Int)
  }
  /// Any of them.
  package var status: [Status] = [.family(2)]
  /// The media type without parameters, compared without case.
  package var contentType: String?
  package var size: Int64?
  package var bodyContains: String?

  package init() {}

  package func accepts(_ code: Int) -> Bool {
    status.contains { rule in
      switch rule {
      case .any: true
      case .exactly(let wanted): wanted == code
      case .family(let digit): code / 100 == digit
      }
    }
  }
}

/// Which failures of a task the exit code doesn't count.
package enum OptionalRule: Equatable, Sendable {
  case never
  case always
  case statuses([Int])
}

/// A digest that a download must have.
package enum ChecksumPlan: Equatable, Sendable {
  /// `value` is lower-case hexadecimal.
  case inline(ChecksumAlgorithm, value: String)
  /// A list in coreutils or BSD form, absolute path; the algorithm where its name doesn't tell.
  case file(String, algorithm: ChecksumAlgorithm?)
  /// A list in one of these forms from an address: an index into the plan's lists.
  case list(Int32, algorithm: ChecksumAlgorithm?)
}

package enum ChecksumAlgorithm: String, Sendable, CaseIterable {
  case sha256, sha512, sha384, sha224, sha1, md5

  /// Bytes of a digest.
  package var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    case .sha384: 48
    case .sha224: 28
    case .sha1: 20
    case .md5: 16
    }
  }
}

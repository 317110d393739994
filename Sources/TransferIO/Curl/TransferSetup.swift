import CLibcurl
import TransferCore

extension Transfer {
  /// Sets the handle up for one request. When this throws, the handle must be cleared.
  func prepare(
    _ request: TransferRequest, _ receiver: AnswerReceiver
  ) throws(RequestError) {
    let isFile = Address.has("file", request.url)
    let isSecure = Address.has("https", request.url)
    let proxy = isFile ? nil : try session.proxies.choice(for: request.url)
    let work = Work(request, receiver, isSecure: isSecure, proxy: proxy?.address)
    begin(work)
    handle.clearErrorWords()
    let shown = try setCredential(request, methods)
    work.addedLines = shown.lines
    do throws(CurlError) {
      try handle.set(CURLOPT_URL, shown.url ?? request.url)
      try hideIdentity(from: request)
    } catch { throw .curl(error) }
    try session.proxies.apply(proxy, to: handle)
    if isFile { return try prepareFile(work) }
    try setFamily(work)
    try setMethodAndBody(work)
    if let limits = rates.limits(of: request) { try keep(work, to: limits) }
    let headers = try session.headers(lines(of: work))
    work.headers = headers?.list
    do throws(CurlError) {
      try setOptions(work)
      try setCookies(work, headers)
    } catch { throw .curl(error) }
  }

  private func setFamily(_ work: Work) throws(RequestError) {
    guard session.plan.ipVersion == .auto,
      let family = session.families.only(Origin(url: work.peer))
    else { return }
    isPlain = false
    do { try handle.set(CURLOPT_IPRESOLVE, AddressFamilies.option(family)) } catch {
      throw .curl(error)
    }
  }

  private func setOptions(_ work: Work) throws(CurlError) {
    try handle.set(CURLOPT_HTTPHEADER, list: work.headers)
    if case .resume(let from, _, _) = work.request.condition {
      isPlain = false
      let last = work.request.upTo.map { "\($0 - 1)" } ?? ""
      try handle.set(CURLOPT_RANGE, "\(from)-\(last)")
    }
    if work.request.decodes {
      isPlain = false
      try handle.set(CURLOPT_ACCEPT_ENCODING, ContentCoding.asked)
    }
  }

  /// A paused handle is never plain again: libcurl may still keep a piece for it.
  private func keep(_ work: Work, to limits: RateKeeper.Limits) throws(RequestError) {
    isPlain = false
    work.limits = limits
    do { try handle.set(CURLOPT_BUFFERSIZE, limits.downPiece) } catch { throw .curl(error) }
    for source in work.sources {
      source.room = { [unowned self] count in room(for: count, of: limits) }
      source.sent = { [clock] count in limits.sent(count, at: clock.now) }
    }
  }

  // MARK: Header lines

  /// The request's own lines, the condition's, and those that keep libcurl from adding its own.
  private func lines(of work: Work) -> [String] {
    let request = work.request
    let added =
      condition(of: request) + (work.sendsUntypedBytes ? ["Content-Type:"] : []) + work.addedLines
    return added.isEmpty ? request.headerLines : request.headerLines + added
  }

  private func condition(of request: TransferRequest) -> [String] {
    switch request.condition {
    case .none: []
    case .resume(_, let validator, _) where request.insists:
      validator?.strongETag.map { ["If-Match: \($0)"] } ?? []
    case .resume(_, let validator, _):
      validator?.ifRange.map { ["If-Range: \($0)"] } ?? []
    case .refresh(let validator):
      [
        validator.etag.map { "If-None-Match: \($0)" },
        validator.lastModified.map { "If-Modified-Since: \($0)" },
      ].compactMap(\.self)
    }
  }

  // MARK: Method and body

  /// Methods that may be sent twice without harm (RFC 9110, section 9.2.2).
  private static let repeatable: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

  private func setMethodAndBody(_ work: Work) throws(RequestError) {
    let method = work.request.method
    if method == "GET", case .none = work.request.body { return }
    isPlain = false
    if method == "HEAD" { return try setHead(work) }
    let mayRepeat = Self.repeatable.contains(method)
    do throws(CurlError) {
      work.goesOutOnce = !mayRepeat
      try handle.set(CURLOPT_NOPROGRESS, 0)
      switch work.request.body {
      case .none: try setEmptyBody(method, mayRepeat)
      case .bytes(let bytes): try send(bytes, work, mayRepeat)
      case .file, .form: break
      }
    } catch { throw .curl(error) }
    switch work.request.body {
    case .file(let path, let size): try send(path, size, work, mayRepeat)
    case .form(let parts): try send(parts, work, mayRepeat)
    case .none, .bytes: break
    }
  }

  private func setHead(_ work: Work) throws(RequestError) {
    guard case .none = work.request.body else {
      throw .refused(TransferFailure(.protocol, "a HEAD request can't have a body"))
    }
    do { try handle.set(CURLOPT_NOBODY, 1) } catch { throw .curl(error) }
  }

  private func setEmptyBody(_ method: String, _ mayRepeat: Bool) throws(CurlError) {
    // Methods that a body is expected with say that theirs is empty (RFC 9110, section 8.6).
    if ["POST", "PUT", "PATCH"].contains(method) {
      try handle.set(CURLOPT_POST, 1)
      try handle.set(CURLOPT_POSTFIELDS, "")
      try handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
    }
    if method != "POST" { try handle.set(CURLOPT_CUSTOMREQUEST, method) }
    if !mayRepeat { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
  }

  private func send(_ bytes: [UInt8], _ work: Work, _ mayRepeat: Bool) throws(CurlError) {
    if bytes.isEmpty { return try setEmptyBody(work.request.method, mayRepeat) }
    let source = BodySource(bytes: bytes, mayRepeat: mayRepeat)
    work.sources = [source]
    try handle.set(CURLOPT_POST, 1)
    try handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: source.size)
    if work.request.method != "POST" {
      try handle.set(CURLOPT_CUSTOMREQUEST, work.request.method)
    }
    try CurlCallbacks.install(source, on: handle)
  }

  private func send(
    _ path: String, _ size: Int64, _ work: Work, _ mayRepeat: Bool
  ) throws(RequestError) {
    let source: BodySource
    do { source = try BodySource(path: path, size: size, mayRepeat: mayRepeat) } catch {
      throw .refused(error.failure)
    }
    work.sources = [source]
    do throws(CurlError) {
      try handle.set(CURLOPT_UPLOAD, 1)
      try handle.set(CURLOPT_INFILESIZE_LARGE, offset: source.size)
      try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 262_144)
      if work.request.method != "PUT" {
        try handle.set(CURLOPT_CUSTOMREQUEST, work.request.method)
      }
      try CurlCallbacks.install(source, on: handle)
    } catch { throw .curl(error) }
  }

  private func send(
    _ parts: [ResolvedFormPart], _ work: Work, _ mayRepeat: Bool
  ) throws(RequestError) {
    let form = try MultipartForm(handle, parts)
    work.form = form
    work.sources = form.sources
    do throws(CurlError) {
      if work.request.method != "POST" {
        try handle.set(CURLOPT_CUSTOMREQUEST, work.request.method)
      }
      // libcurl repeats a request by itself when a reused connection turns out dead. It asks our
      // source before it does; a form it rewinds without asking, so that gets a connection of its
      // own.
      if !mayRepeat { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
    } catch { throw .curl(error) }
  }
}

extension Transfer.Work {
  /// Bytes without a media type: libcurl would call them a web form.
  fileprivate var sendsUntypedBytes: Bool {
    switch request.body {
    case .none: if !["POST", "PUT", "PATCH"].contains(request.method) { return false }
    case .bytes: break
    case .file, .form: return false
    }
    return !request.headerLines.contains { $0.lowercased().hasPrefix("content-type") }
  }
}

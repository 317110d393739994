import TransferCore

/// What a simulated server does with one request.
struct Answer {
  /// nil when none comes.
  var head: ResponseHead?
  var body: [Content.Piece] = []
  /// What the transport complains of at the body's end.
  var fault: TransferFailure?
  /// Silence after the head, or after this many bytes of the body; the client has to give up.
  var stallsAfter: Int64?
  var target: Resource?

  var length: Int64 { body.reduce(0) { $0 + $1.length } }

  static func none(_ kind: TransferFailure.Kind) -> Self {
    Answer(fault: TransferFailure(kind, "simulated"))
  }

  /// Cuts the body after so many bytes.
  mutating func cut(to length: Int64) {
    var content = Content()
    for piece in body { content.append(piece) }
    body = content.stretch(0..<length)
  }
}

/// Answers requests for one resource, at one moment.
struct Answerer {
  let resource: Resource
  let request: TransferRequest
  let chance: Chance
  /// Seconds since 1970.
  let second: Int64

  func answer() -> Answer {
    if chance.below(100) < resource.faults, let faulty = faulty() { return faulty }
    if let target = resource.redirect { return redirect(to: target) }
    return proper()
  }

  // MARK: As the RFCs have it

  private func proper() -> Answer {
    switch request.condition {
    case .refresh(let known) where isCurrent(known): return plain(304)
    case .resume(_, let validator, _)
    where request.insists && validator?.strongETag != current.strongETag:
      // One that doesn't know the condition sends what it has.
      return resource.hasRanges || resource.honoursIfRange ? plain(412) : whole()
    case .resume(let from, let validator, _) where resource.hasRanges:
      if !request.insists, let wanted = validator?.ifRange, resource.honoursIfRange,
        !matches(wanted)
      {
        break
      }
      if from >= resource.version.length { return unsatisfied() }
      return partial(from: from)
    default: break
    }
    return whole()
  }

  private var current: Validator { resource.validator(of: resource.version, at: second) }

  private func matches(_ ifRange: String) -> Bool {
    let now = resource.validator(of: resource.version, at: second)
    return ifRange == now.strongETag || (now.etag == nil && ifRange == now.lastModified)
      || (ifRange == now.lastModified && now.hasStrongDate)
  }

  private func isCurrent(_ known: Validator) -> Bool {
    let now = resource.validator(of: resource.version, at: second)
    if let etag = known.etag, let mine = now.etag { return etag == mine }
    guard known.etag == nil || now.etag == nil, let date = known.lastModified else { return false }
    return now.lastModified == date
  }

  private func head(_ status: Int, length: Int64?) -> ResponseHead {
    var head = ResponseHead(
      status: status, contentLength: nil,
      validator: resource.validator(of: resource.version, at: second))
    head.acceptRanges = resource.says
    switch resource.framing {
    case .length: head.contentLength = length
    case .chunked: head.isChunked = true
    // A close-delimited partial answer says its length by its range.
    case .close: if status == 206 || status >= 300 { head.contentLength = length }
    }
    return head
  }

  private func whole() -> Answer {
    let length = resource.version.length
    return Answer(head: head(200, length: length), body: resource.version.content.pieces)
  }

  /// Up to the end of what was asked.
  func partial(from: Int64, total: Int64? = nil) -> Answer {
    let length = resource.version.length
    let end = min(length, request.upTo ?? length)
    var head = head(206, length: end - from)
    let last = request.upTo == nil ? (total ?? length) - 1 : end - 1
    head.contentRange = "bytes \(from)-\(last)/\(total ?? length)"
    return Answer(head: head, body: resource.version.content.stretch(from..<end))
  }

  private func unsatisfied() -> Answer {
    var answer = plain(416)
    answer.head?.contentRange = "bytes */\(resource.version.length)"
    // It may say what it has, if it looks at conditions at all; one that doesn't has to.
    if !resource.honoursIfRange || chance.once(in: 2) {
      answer.head?.validator = resource.validator(of: resource.version, at: second)
    }
    return answer
  }

  func plain(_ status: Int) -> Answer {
    Answer(head: ResponseHead(status: status, contentLength: 0, validator: Validator()))
  }

  private func redirect(to target: Resource) -> Answer {
    var answer = plain(chance.pick([301, 302, 303, 307, 308]))
    answer.head?.location = target.url
    answer.target = target
    return answer
  }
}

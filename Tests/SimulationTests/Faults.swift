import TransferCore

/// What goes wrong. A server here never says the same strong validator of other bytes and never
/// sends other bytes than its head speaks of, unless a checksum is declared: nobody could tell.
extension Answerer {
  private enum Fault: CaseIterable {
    case refused, cutHead, silent, busy, overloaded, gone, cutBody, stall
    case otherStart, otherTotal, noRange, multipart, unasked206, unasked304, spurious416
    case tooLong, badLength, wrongBytes, oddLength206, coded206, empty, short206, headless
    case openEnd206, partOfRange
  }

  /// nil when the fault doesn't fit the request.
  func faulty() -> Answer? {
    let fault = chance.pick(Fault.allCases)
    return transport(fault) ?? status(fault) ?? ranges(fault) ?? body(fault)
  }

  /// The range that is asked for, as far as there is one.
  private var asked: Range<Int64>? {
    guard case .resume(let from, _, _) = request.condition, resource.redirect == nil,
      from < resource.version.length
    else { return nil }
    return from..<min(resource.version.length, request.upTo ?? .max)
  }

  private func healthy() -> Answer {
    let quiet = resource.faults
    resource.faults = 0
    defer { resource.faults = quiet }
    return answer()
  }

  private func transport(_ fault: Fault) -> Answer? {
    switch fault {
    case .refused: return .none(.connect)
    case .cutHead: return .none(.truncated)
    case .headless: return .none(.protocol)
    case .silent:
      var answer = Answer()
      answer.stallsAfter = 0
      return answer
    case .stall, .cutBody:
      var answer = healthy()
      guard answer.length > 0 else { return nil }
      let place = chance.below(answer.length)
      if fault == .stall {
        answer.stallsAfter = place
      } else {
        answer.cut(to: place)
        answer.fault = TransferFailure(.truncated, "simulated")
      }
      return answer
    default: return nil
    }
  }

  private func status(_ fault: Fault) -> Answer? {
    switch fault {
    case .busy:
      var answer = plain(chance.pick([500, 502, 503, 504, 408]))
      if chance.once(in: 3) { answer.head?.retryAfter = "\(chance.from(0...30))" }
      // An error page has validators of its own.
      if chance.once(in: 3) { answer.head?.validator = Validator(etag: "\"error\"") }
      if chance.once(in: 4) { answer.stallsAfter = 0 }
      return answer
    case .overloaded:
      var answer = plain(429)
      answer.head?.retryAfter = "\(chance.from(0...30))"
      return answer
    case .gone: return chance.once(in: 4) ? plain(chance.pick([404, 410])) : nil
    case .empty: return chance.once(in: 3) ? plain(204) : nil
    case .unasked304:
      if case .refresh = request.condition { return nil }
      return plain(304)
    case .unasked206:
      guard case .none = request.condition, resource.version.length > 1 else { return nil }
      return partial(from: chance.below(2))
    case .spurious416:
      var answer = plain(416)
      answer.head?.contentRange = "bytes */\(resource.version.length)"
      answer.head?.validator = resource.validator(of: resource.version, at: second)
      return answer
    default: return nil
    }
  }

  private func ranges(_ fault: Fault) -> Answer? {
    guard let asked else { return nil }
    let length = resource.version.length
    var answer = partial(from: asked.lowerBound)
    let sent = answer.length
    switch fault {
    case .otherStart: return partial(from: chance.below(asked.upperBound))
    case .otherTotal:
      // One that a client who knows no total believes is no fault that it could tell.
      guard resource.framing == .length else { return nil }
      return partial(from: asked.lowerBound, total: length + chance.from(1...5))
    case .noRange: answer.head?.contentRange = nil
    case .multipart: answer.head?.contentType = "multipart/byteranges; boundary=x"
    case .oddLength206: answer.head?.contentLength = sent + 1
    case .coded206: answer.head?.contentEncoding = "gzip"
    case .openEnd206:
      answer.head?.contentRange = "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/*"
    case .partOfRange:
      guard asked.count > 1 else { return nil }
      let count = chance.from(1...Int64(asked.count) - 1)
      answer.cut(to: count)
      if answer.head?.contentLength != nil { answer.head?.contentLength = count }
      answer.head?.contentRange =
        "bytes \(asked.lowerBound)-\(asked.lowerBound + count - 1)/\(length)"
    case .short206:
      answer.head?.contentLength = nil
      answer.head?.isChunked = true
      answer.cut(to: chance.below(sent))
    default: return nil
    }
    return answer
  }

  private func body(_ fault: Fault) -> Answer? {
    var answer = healthy()
    switch fault {
    case .tooLong:
      guard answer.head?.status == 200, answer.head?.contentLength != nil else { return nil }
      answer.body.append(.init(version: -1, start: 0, length: 10))
    case .badLength:
      guard answer.head?.status == 200 else { return nil }
      answer.head?.hasBadContentLength = true
    case .wrongBytes:
      guard resource.isChecked, answer.length > 0 else { return nil }
      let end = answer.length
      answer.cut(to: chance.below(end))
      answer.body.append(.init(version: -1, start: 0, length: end - answer.length))
    default: return nil
    }
    return answer
  }
}

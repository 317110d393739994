import TransferCore

@testable import TransferIO

extension FuzzTarget {
  /// What servers send.
  static let fields: [FuzzTarget] = [
    FuzzTarget(name: "head", check: head, mutants: 2_000),
    FuzzTarget(name: "content-range", check: contentRange),
    FuzzTarget(name: "retry-after", check: retryAfter),
    FuzzTarget(name: "http-date", check: httpDate),
    FuzzTarget(name: "address", check: address),
    FuzzTarget(name: "digest-field", check: digestField),
  ]

  private static func request(_ condition: RequestCondition, _ sink: ResponseSink)
    -> TransferRequest
  {
    TransferRequest(
      task: 0, session: 0, url: "http://h/", shownURL: "http://h/", method: "GET",
      headerLines: [], body: .none, condition: condition, sink: sink, decodes: false,
      expect: Expectation(), jobAskedPartial: false, allowsUnframed: false,
      timeoutForRequest: .seconds(1), minimumSpeed: nil, maxBytes: 1 << 40,
      followsRedirects: false)
  }

  /// A head, and what each kind of request makes of it.
  private static func head(_ bytes: [UInt8]) -> String? {
    guard let head = ResponseHead(parsing: bytes) else { return nil }
    if !(100...999).contains(head.status) { return "status \(head.status)" }
    if let length = head.contentLength, length < 0 { return "length \(length)" }
    _ = (head.fields, head.mediaType, head.validator.hasStrongDate, head.isCloseDelimited)
    let known = Validator(etag: "\"v1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    let conditions: [RequestCondition] = [
      .none, .refresh(known), .resume(from: 5, validator: known, total: 10),
      .resume(from: 5, validator: nil, total: nil),
    ]
    for condition in conditions {
      let verdict = HeadDecision.decide(request(condition, .part), head)
      if let wrong = fault(verdict, condition, head) { return "\(condition): \(wrong)" }
    }
    _ = HeadDecision.decide(request(.none, .memory(limit: 10)), head)
    return nil
  }

  /// Bytes may go to a part file only behind those that are there.
  private static func fault(
    _ verdict: HeadVerdict, _ condition: RequestCondition, _ head: ResponseHead
  ) -> String? {
    switch verdict {
    case .store(let from, let total):
      if let total, total < from { return "stored from \(from) of \(total)" }
      if from == 0 { return nil }
      guard case .resume(let wanted, _, _) = condition, wanted == from, head.status == 206 else {
        return "stored from \(from), which was not asked for"
      }
      return nil
    case .notModified:
      if case .refresh = condition, head.status == 304 { return nil }
      return "not modified, which was not asked"
    case .rangeComplete(let total):
      return total == 5 ? nil : "\(total) bytes taken for the 5 that are here"
    case .keep, .redirect, .restart, .insist, .challenged, .fail: return nil
    }
  }

  private static func digestField(_ bytes: [UInt8]) -> String? {
    guard let proof = DigestField.proof(in: text(bytes)) else { return nil }
    let isHex = proof.hex.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isHex && proof.hex.utf8.count == 2 * proof.algorithm.byteCount ? nil : "\(proof)"
  }

  private static func contentRange(_ bytes: [UInt8]) -> String? {
    switch ContentRange(parsing: text(bytes)) {
    case .satisfied(let first, let last, let total):
      let makesSense = first >= 0 && first <= last && total.map { last < $0 } ?? true
      return makesSense ? nil : "\(first)-\(last)/\(String(describing: total))"
    case .unsatisfied(let total): return total >= 0 ? nil : "*/\(total)"
    case nil: return nil
    }
  }

  private static func retryAfter(_ bytes: [UInt8]) -> String? {
    for now in [0, 1_800_000_000, Int64.max / 2_000_000] {
      if let wait = RetryAfter.parse(text(bytes), now: now), wait < .zero { return "\(wait)" }
    }
    return nil
  }

  private static func httpDate(_ bytes: [UInt8]) -> String? {
    guard let seconds = HTTPDate.seconds(text(bytes), now: 1_800_000_000) else { return nil }
    // Four digits of a year hold no more.
    return (-62_167_219_200...253_402_300_860).contains(seconds) ? nil : "\(seconds)"
  }

  /// A Location against an address, and what is told of it.
  private static func address(_ bytes: [UInt8]) -> String? {
    let base = "https://user:password@h.example:8443/a/b?c#d"
    _ = ShownAddress.withoutUserInfo(text(bytes))
    _ = ShownAddress.maskingUserInfo(text(bytes))
    guard let url = Address.resolve(text(bytes), against: base) else { return nil }
    if let origin = Origin(url: url), !(0...65_535).contains(origin.port) { return "\(origin)" }
    let shown = ShownAddress.withoutUserInfo(url)
    if shown.contains("password") && !text(bytes).contains("password") { return shown }
    return nil
  }
}

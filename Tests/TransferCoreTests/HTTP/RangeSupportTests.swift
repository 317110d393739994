import Testing
import TransferCore

/// Origins that answer a resume with the whole file.
@Suite struct RangeSupportTests {
  private let strong = Validator(etag: "\"v1\"")

  private func request(
    _ condition: RequestCondition, change: (inout TransferRequest) -> Void = { _ in }
  ) -> TransferRequest {
    var request = TransferRequest(
      task: 0, session: 0, url: "http://a/x", shownURL: "http://a/x", method: "GET",
      headerLines: [], body: .none, condition: condition, sink: .part, decodes: false,
      expect: Expectation(), jobAskedPartial: false, allowsUnframed: false,
      timeoutForRequest: .seconds(60), minimumSpeed: nil, maxBytes: nil, followsRedirects: true)
    change(&request)
    return request
  }

  private func whole(_ fields: String...) -> ResponseHead {
    let lines = ["HTTP/1.1 200 OK", "Content-Length: 10"] + fields + ["", ""]
    guard let head = ResponseHead(parsing: Array(lines.joined(separator: "\r\n").utf8)) else {
      preconditionFailure("the test's own head is wrong: \(lines)")
    }
    return head
  }

  @Test func theSameFileInsteadOfItsRestIsWorthOneRequestMore() {
    let resume = request(.resume(from: 5, validator: strong, total: 10))
    let same = whole("ETag: \"v1\"", "Accept-Ranges: bytes")
    #expect(HeadDecision.decide(resume, same) == .insist)
    let shown = request(resume.condition) { $0.isKnownForRanges = true }
    #expect(HeadDecision.decide(shown, whole("ETag: \"v1\"")) == .insist)
  }

  @Test(arguments: [
    ["ETag: \"v1\""], ["ETag: \"v1\"", "Accept-Ranges: none"],
    ["ETag: \"v2\"", "Accept-Ranges: bytes"], ["Accept-Ranges: bytes"],
    ["ETag: W/\"v1\"", "Accept-Ranges: bytes"],
    ["ETag: \"v1\"", "Accept-Ranges: bytes", "Content-Encoding: gzip"],
  ])
  func otherwiseTheWholeFileIsTaken(_ fields: [String]) {
    let resume = request(.resume(from: 5, validator: strong, total: 10))
    var head = whole()
    head =
      ResponseHead(
        parsing: Array(
          (["HTTP/1.1 200 OK", "Content-Length: 10"] + fields + ["", ""])
            .joined(separator: "\r\n").utf8)) ?? head
    #expect(HeadDecision.decide(resume, head) == .store(from: 0, total: 10))
  }

  @Test func onceIsEnough() {
    let again = request(.resume(from: 5, validator: strong, total: 10)) { $0.insists = true }
    let same = whole("ETag: \"v1\"", "Accept-Ranges: bytes")
    #expect(HeadDecision.decide(again, same) == .store(from: 0, total: 10))
    let failed = ResponseHead(status: 412, contentLength: 0, validator: Validator())
    guard case .restart = HeadDecision.decide(again, failed) else {
      Issue.record("412 to our own If-Match starts anew")
      return
    }
    guard case .fail = HeadDecision.decide(request(.none), failed) else {
      Issue.record("412 to anything else is an answer like others")
      return
    }
  }

  @Test func whatAnAnswerShowsOfAnOrigin() {
    let resume = RequestCondition.resume(from: 5, validator: strong, total: 10)
    func shown(_ head: ResponseHead, _ verdict: HeadVerdict) -> RangeSupport? {
      RangeSupport.shown(by: head, to: resume, verdict)
    }
    let part = ResponseHead(status: 206, contentLength: 5, validator: strong)
    #expect(shown(part, .store(from: 5, total: 10)) == .serves)
    let same = whole("ETag: \"v1\"")
    #expect(shown(same, .store(from: 0, total: 10)) == .ignores)
    #expect(shown(same, .insist) == nil)
    #expect(shown(whole("ETag: \"v2\""), .store(from: 0, total: 10)) == nil)
    #expect(shown(whole(), .store(from: 0, total: 10)) == nil)
    #expect(RangeSupport.shown(by: same, to: .none, .store(from: 0, total: 10)) == nil)
  }

  @Test func noServerIsWaitedForForMoreThanAYear() {
    let year = Duration.seconds(366 * 86_400)
    #expect(RetryAfter.parse("99999999999999999999", now: 0) == year)
    #expect(RetryAfter.parse("Fri, 31 Dec 9999 23:59:59 GMT", now: 1_700_000_000) == year)
  }
}

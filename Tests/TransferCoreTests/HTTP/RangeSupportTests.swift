import Testing
import TransferCore

/// Origins that answer a resume with the whole file.
@Suite struct RangeSupportTests {
  private let strong = Validator(etag: "\"v1\"")

  private func whole(_ fields: String...) -> ResponseHead { whole(fields) }

  private func whole(_ fields: [String]) -> ResponseHead {
    SampleExchange.head(["HTTP/1.1 200 OK", "Content-Length: 10"] + fields)
  }

  @Test func theSameFileInsteadOfItsRestIsWorthOneRequestMore() {
    let resume = SampleExchange.request(.resume(from: 5, validator: strong, total: 10))
    let same = whole("ETag: \"v1\"", "Accept-Ranges: bytes")
    #expect(HeadDecision.decide(resume, same) == .insist)
    let shown = SampleExchange.request(resume.condition) { $0.isKnownForRanges = true }
    #expect(HeadDecision.decide(shown, whole("ETag: \"v1\"")) == .insist)
  }

  @Test(arguments: [
    ["ETag: \"v1\""], ["ETag: \"v1\"", "Accept-Ranges: none"],
    ["ETag: \"v2\"", "Accept-Ranges: bytes"], ["Accept-Ranges: bytes"],
    ["ETag: W/\"v1\"", "Accept-Ranges: bytes"],
    ["ETag: \"v1\"", "Accept-Ranges: bytes", "Content-Encoding: gzip"],
  ])
  func otherwiseTheWholeFileIsTaken(_ fields: [String]) {
    let resume = SampleExchange.request(.resume(from: 5, validator: strong, total: 10))
    #expect(HeadDecision.decide(resume, whole(fields)) == .store(from: 0, total: 10))
  }

  @Test func onceIsEnough() {
    let again = SampleExchange.request(.resume(from: 5, validator: strong, total: 10)) {
      $0.insists = true
    }
    let same = whole("ETag: \"v1\"", "Accept-Ranges: bytes")
    #expect(HeadDecision.decide(again, same) == .store(from: 0, total: 10))
    let failed = ResponseHead(status: 412, contentLength: 0, validator: Validator())
    guard case .restart = HeadDecision.decide(again, failed) else {
      Issue.record("412 to our own If-Match starts anew")
      return
    }
    guard case .fail = HeadDecision.decide(SampleExchange.request(), failed) else {
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

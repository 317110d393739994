import Testing
import TransferCore

@Suite struct HeadDecisionTests {
  private let strong = Validator(etag: "\"v1\"")

  private func head(_ lines: String...) -> ResponseHead { SampleExchange.head(lines) }

  private func request(
    _ condition: RequestCondition = .none, change: (TransferRequest) -> Void = { _ in }
  ) -> TransferRequest { SampleExchange.request(condition, change: change) }

  private func kind(_ verdict: HeadVerdict) -> TransferFailure.Kind? {
    if case .fail(let failure) = verdict { failure.kind } else { nil }
  }

  private func restarts(_ verdict: HeadVerdict) -> Bool {
    if case .restart = verdict { true } else { false }
  }

  @Test func aWholeAnswerIsStoredFromTheStart() {
    let whole = head("HTTP/1.1 200 OK", "Content-Length: 10")
    #expect(HeadDecision.decide(request(), whole) == .store(from: 0, total: 10))
    // To a resume it says: the file is another one now.
    let resume = request(.resume(from: 5, validator: strong, total: 20))
    #expect(HeadDecision.decide(resume, whole) == .store(from: 0, total: 10))
  }

  @Test func aPartialAnswerMustBeWhatWasAsked() {
    let resume = request(.resume(from: 5, validator: strong, total: 10))
    func answer(_ lines: String...) -> HeadVerdict {
      HeadDecision.decide(
        resume,
        head(
          (["HTTP/1.1 206 Partial Content"] + lines).joined(
            separator: "\r\n")))
    }
    #expect(
      answer("Content-Range: bytes 5-9/10", "Content-Length: 5", "ETag: \"v1\"")
        == .store(from: 5, total: 10))
    #expect(restarts(answer("Content-Range: bytes 5-9/10", "Content-Length: 5")))
    #expect(answer("Content-Range: bytes 5-9/10", "ETag: \"v1\"") == .store(from: 5, total: 10))
    #expect(restarts(answer("Content-Length: 5")))
    #expect(restarts(answer("Content-Range: bytes 4-9/10")))
    #expect(restarts(answer("Content-Range: bytes 6-9/10")))
    #expect(restarts(answer("Content-Range: bytes 5-8/10")))
    #expect(restarts(answer("Content-Range: bytes 5-9/*")))
    #expect(restarts(answer("Content-Range: bytes 5-10/11")))
    #expect(restarts(answer("Content-Range: bytes 5-9/10", "Content-Length: 9")))
    #expect(restarts(answer("Content-Range: bytes 5-9/10", "ETag: \"v2\"")))
    #expect(restarts(answer("Content-Range: bytes 5-9/10", "Content-Encoding: gzip")))
    #expect(
      restarts(
        answer(
          "Content-Range: bytes 5-9/10", "Content-Type: multipart/byteranges; boundary=x")))
  }

  @Test func aPartialAnswerThatWasNotAskedForIsRefused() {
    let answer = head("HTTP/1.1 206 Partial Content", "Content-Range: bytes 0-4/10")
    #expect(kind(HeadDecision.decide(request(), answer)) == .unexpectedContent)
    let own = request { $0.jobAskedPartial = true }
    #expect(
      kind(
        HeadDecision.decide(
          own,
          head(
            "HTTP/1.1 206 Partial Content", "Content-Length: 5"))) == nil)
  }

  @Test func notModifiedOnlyToACondition() {
    let answer = head("HTTP/1.1 304 Not Modified")
    #expect(HeadDecision.decide(request(.refresh(strong)), answer) == .notModified)
    #expect(kind(HeadDecision.decide(request(), answer)) == .unexpectedContent)
  }

  @Test func outOfRangeIsCompleteOnlyAtTheServersLength() {
    let resume = request(.resume(from: 10, validator: strong, total: 10))
    func answer(_ range: String) -> HeadVerdict {
      HeadDecision.decide(resume, head("HTTP/1.1 416 No", "Content-Range: \(range)"))
    }
    #expect(answer("bytes */10") == .rangeComplete(total: 10))
    #expect(restarts(answer("bytes */11")))
    #expect(restarts(answer("nonsense")))
  }

  /// A server that doesn't look at If-Range says 416 of a new version too, and that one may be just
  /// as long as the part file.
  @Test func outOfRangeCompletesOnlyTheVersionThatItIsOf() {
    func answer(_ validator: Validator?, total: Int64?, _ more: String...) -> HeadVerdict {
      let lines = ["HTTP/1.1 416 No", "Content-Range: bytes */10"] + more
      return HeadDecision.decide(
        request(.resume(from: 10, validator: validator, total: total)),
        head(lines.joined(separator: "\r\n")))
    }
    #expect(restarts(answer(strong, total: 20)))
    #expect(restarts(answer(strong, total: 10, "ETag: \"v2\"")))
    #expect(restarts(answer(strong, total: nil)))
    #expect(answer(strong, total: nil, "ETag: \"v1\"") == .rangeComplete(total: 10))
    // Without a validator a checksum decides.
    #expect(answer(nil, total: nil) == .rangeComplete(total: 10))
    let dated = Validator(lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")
    #expect(restarts(answer(dated, total: nil)))
    #expect(
      answer(dated, total: nil, "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT")
        == .rangeComplete(total: 10))
    #expect(
      restarts(answer(dated, total: 10, "Last-Modified: Mon, 01 Jan 2024 00:00:01 GMT")))
  }

  /// The ETag speaks first; where the answer has none, its date does.
  @Test func aPartialAnswerOfAnotherDateStartsAnew() {
    let known = Validator(etag: "\"v1\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")
    func answer(_ more: String...) -> HeadVerdict {
      let lines = ["HTTP/1.1 206 Partial", "Content-Range: bytes 5-9/10"] + more
      return HeadDecision.decide(
        request(.resume(from: 5, validator: known, total: 10)),
        head(lines.joined(separator: "\r\n")))
    }
    let later = "Last-Modified: Mon, 01 Jan 2024 00:00:01 GMT"
    #expect(restarts(answer(later)))
    #expect(answer("ETag: \"v1\"", later) == .store(from: 5, total: 10))
    #expect(answer("Last-Modified: \(known.lastModified ?? "")") == .store(from: 5, total: 10))
    #expect(restarts(answer()))
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func redirectsAreFollowed(_ status: Int) {
    let answer = head("HTTP/1.1 \(status) Moved", "Location: /y", "Content-Length: 0")
    #expect(HeadDecision.decide(request(), answer) == .redirect(location: "/y"))
    let bare = head("HTTP/1.1 \(status) Moved", "Content-Length: 0")
    #expect(kind(HeadDecision.decide(request(), bare)) == .status)
  }

  @Test(arguments: [300, 305, 306]) func otherThreeHundredsAreFinal(_ status: Int) {
    let answer = head("HTTP/1.1 \(status) X", "Location: /y", "Content-Length: 0")
    #expect(kind(HeadDecision.decide(request(), answer)) == .status)
  }

  @Test(arguments: [204, 205]) func noContentMakesNoFile(_ status: Int) {
    let answer = head("HTTP/1.1 \(status) X", "Content-Length: 0")
    #expect(kind(HeadDecision.decide(request(), answer)) == .unexpectedContent)
    let data = request { $0.sink = .memory(limit: 9) }
    #expect(HeadDecision.decide(data, answer) == .keep(limit: 9))
  }

  @Test func aCloseDelimitedBodyNeedsProof() {
    let answer = head("HTTP/1.1 200 OK")
    #expect(kind(HeadDecision.decide(request(), answer)) == .unexpectedContent)
    #expect(
      HeadDecision.decide(request { $0.allowsUnframed = true }, answer)
        == .store(from: 0, total: nil))
    #expect(HeadDecision.decide(request(), head("HTTP/2 200")) == .store(from: 0, total: nil))
    #expect(
      HeadDecision.decide(
        request(),
        head(
          "HTTP/1.1 200 OK", "Transfer-Encoding: chunked")) == .store(from: 0, total: nil))
  }

  @Test func statusAndTypeAndSizeAreJudgedBeforeTheBody() {
    #expect(kind(HeadDecision.decide(request(), head("HTTP/1.1 500 X"))) == .status)
    #expect(kind(HeadDecision.decide(request(), head("HTTP/1.1 401 X"))) == .auth)
    let typed = request { $0.expect.contentType = "application/json" }
    #expect(
      kind(
        HeadDecision.decide(
          typed,
          head(
            "HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Length: 1")))
        == .unexpectedContent)
    #expect(
      kind(
        HeadDecision.decide(
          typed,
          head(
            "HTTP/1.1 200 OK", "Content-Type: Application/JSON; charset=utf-8",
            "Content-Length: 1"))) == nil)
    let sized = request { $0.expect.size = 5 }
    #expect(
      kind(
        HeadDecision.decide(
          sized,
          head(
            "HTTP/1.1 200 OK", "Content-Length: 6"))) == .unexpectedContent)
    let small = request { $0.maxBytes = 5 }
    #expect(
      kind(
        HeadDecision.decide(
          small,
          head(
            "HTTP/1.1 200 OK", "Content-Length: 6"))) == .tooLarge)
  }

  @Test(arguments: ["-1", "abc", "1 2", "", "99999999999999999999"])
  func aContentLengthThatIsNoNumberIsRefused(_ value: String) {
    let answer = head("HTTP/1.1 200 OK", "Content-Length: \(value)")
    #expect(kind(HeadDecision.decide(request(), answer)) == .protocol)
  }

  @Test func twoContentLengthsThatDifferAreRefused() {
    let answer = head("HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2")
    #expect(kind(HeadDecision.decide(request(), answer)) == .protocol)
  }
}

import Testing
import TransferCore

@testable import TransferIO

/// What becomes of the part file when an answer is not a plain 200.
@Suite struct VerdictTests {
  private let strong = Validator(etag: "\"v1\"")

  private func resumed(
    _ answer: [OriginStep], part text: String = "hel", total: Int64 = 5
  ) throws -> (TransferReport, [UInt8]?, SeenRequest) {
    let origin = try Origin { _ in answer }
    let bench = try EngineBench()
    try bench.file("part", text.utf8)
    let request = TransferRequest.download(origin.url())
    request.condition = .resume(from: 3, validator: strong, total: total)
    let report = try bench.fetch(request, part: try bench.part(), hashing: [.sha256])
    return (report, bench.contents("part"), try #require(origin.seen.first))
  }

  @Test func aFittingRangeIsAppended() throws {
    let (report, contents, seen) = try resumed(
      .answer(206, ["Content-Range: bytes 3-4/5", "ETag: \"v1\""], body: "lo"))
    #expect(report.failure == nil)
    #expect(report.verdict == .store(from: 3, total: 5))
    #expect(report.bodyBytes == 2)
    #expect(report.partSize == 5)
    #expect(contents == Array("hello".utf8))
    #expect(report.digests.isEmpty)
    #expect(seen["Range"] == "bytes=3-")
    #expect(seen["If-Range"] == "\"v1\"")
  }

  // sha-256 of "hello" and of "lo".
  private let hello = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"
  private let helloHex = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func aDeclaredReprDigestIsMadeAsTheBytesPass() throws {
    let origin = try Origin { [hello] _ in
      .answer(200, ["Repr-Digest: \(hello)", "Content-Digest: \(hello)"], body: "hello")
    }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure == nil)
    #expect(report.digests.map(\.hex) == [helloHex])
    #expect(report.head?.reprProof?.hex == helloHex)
  }

  /// Content-Digest (RFC 9530, section 2) is of this answer's bytes alone.
  @Test func aContentDigestIsHeldToInRangesAndInMemory() throws {
    let (wrong, _, _) = try resumed(
      .answer(
        206, ["Content-Range: bytes 3-4/5", "ETag: \"v1\"", "Content-Digest: \(hello)"],
        body: "lo"))
    #expect(wrong.failure?.kind == .digestMismatch)
    let origin = try Origin { [hello] _ in
      .answer(200, ["Content-Digest: \(hello)"], body: "hullo")
    }
    let report = try EngineBench().fetch(.test(origin.url()))
    #expect(report.failure?.kind == .digestMismatch)
    #expect(report.failure?.detail.contains("its Content-Digest is \(helloHex)") == true)
  }

  /// Whoever keeps claims of the file must drop those of bytes that are about to be replaced.
  @Test(arguments: [(206, Int64(3)), (200, 0)])
  func theFileIsOpenedWithWhereItIsWrittenFrom(status: Int, from: Int64) throws {
    let origin = try Origin { _ in
      .answer(status, ["Content-Range: bytes 3-4/5", "ETag: \"v1\""], body: "lo")
    }
    let bench = try EngineBench()
    try bench.file("part", "hel".utf8)
    let part = try bench.part()
    let request = TransferRequest.download(origin.url())
    request.condition = .resume(from: 3, validator: strong, total: 5)
    var told: [Int64] = []
    bench.engine.start(
      request,
      part: { from in
        told.append(from)
        return part
      })
    _ = try bench.run()
    #expect(told == [from])
  }

  /// An error's own ETag is not the file's.
  @Test func onlyAnAcceptedBodyIsBeingStored() throws {
    let gate = OriginGate()
    let origins = try ["200 OK", "503 Busy"].map { status in
      try Origin { _ in
        .raw("HTTP/1.1 \(status)\r\nETag: \"e\"\r\nContent-Length: 10\r\n\r\nhello")
          + [.wait(gate), .reset]
      }
    }
    let bench = try EngineBench()
    let part = try bench.part()
    bench.engine.start(.download(origins[0].url(), task: 0), part: { _ in part })
    bench.engine.start(.download(origins[1].url(), task: 1), part: { _ in part })
    let started = Clock.monotonic()
    var storing: [Int32]?
    _ = try bench.run { bench in
      let transfers = bench.engine.progress()
      guard storing == nil, transfers.count == 2, transfers.allSatisfy({ $0.lastMoved > started })
      else { return }
      storing = [0, 1].filter { bench.engine.storing($0) != nil }
      for _ in origins { gate.open() }
    }
    #expect(storing == [0])
  }

  @Test func bytesPastTheFlushedOnesAreCutFirst() throws {
    let (report, contents, _) = try resumed(
      .answer(206, ["Content-Range: bytes 3-4/5", "ETag: \"v1\""], body: "lo"), part: "helXXXX")
    #expect(report.failure == nil)
    #expect(contents == Array("hello".utf8))
  }

  @Test func aPartFileThatBecameShorterIsNotFilledUp() throws {
    let (report, contents, _) = try resumed(
      .answer(206, ["Content-Range: bytes 3-4/5", "ETag: \"v1\""], body: "lo"), part: "he")
    #expect(report.failure?.kind == .localFile)
    #expect(contents == Array("he".utf8))
  }

  @Test func aWholeAnswerStartsTheFileAnew() throws {
    let (report, contents, _) = try resumed(.answer(200, ["ETag: \"v2\""], body: "HELLO!"))
    #expect(report.verdict == .store(from: 0, total: 6))
    #expect(contents == Array("HELLO!".utf8))
    #expect(report.digests.count == 1)
  }

  @Test(arguments: [
    "Content-Range: bytes 2-4/5", "Content-Range: bytes 3-4/6", "X-None: 1",
    "Content-Range: bytes 3-4/5\r\nETag: \"v2\"",
  ])
  func aRangeThatDoesNotFitTouchesNothing(fields: String) throws {
    let (report, contents, _) = try resumed(.answer(206, [fields], body: "lo"))
    guard case .restart = report.verdict else {
      Issue.record("\(String(describing: report.verdict))")
      return
    }
    #expect(report.failure == nil)
    #expect(contents == Array("hel".utf8))
  }

  @Test func a416WithTheFullLengthIsComplete() throws {
    let (report, contents, _) = try resumed(
      .answer(416, ["Content-Range: bytes */3"], body: "no such range"), total: 3)
    #expect(report.verdict == .rangeComplete(total: 3))
    #expect(contents == Array("hel".utf8))
    #expect(report.body == Array("no such range".utf8))
  }

  @Test func aRangeThatEndsEarlyIsTruncatedAndKept() throws {
    let (report, contents, _) = try resumed(
      .raw("HTTP/1.1 206 OK\r\nContent-Range: bytes 3-4/5\r\nETag: \"v1\"\r\n")
        + .raw("Transfer-Encoding: chunked\r\n\r\n")
        + .raw("1\r\nl\r\n0\r\n\r\n"))
    #expect(report.failure?.kind == .truncated)
    #expect(contents == Array("hell".utf8))
  }

  @Test func aRangeThatGoesOnTooLongIsRefused() throws {
    let (report, contents, _) = try resumed(
      .raw("HTTP/1.1 206 OK\r\nContent-Range: bytes 3-4/5\r\nETag: \"v1\"\r\n")
        + .raw("Transfer-Encoding: chunked\r\n\r\n")
        + .raw("3\r\nlo!\r\n0\r\n\r\n"))
    #expect(report.failure?.kind == .protocol)
    #expect(contents == Array("hel".utf8))
  }

  @Test func refreshSendsBothConditionsAndTakes304() throws {
    let origin = try Origin { _ in .raw("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n") }
    let bench = try EngineBench()
    let request = TransferRequest.download(origin.url())
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    request.condition = .refresh(Validator(etag: "W/\"v1\"", lastModified: date))
    let report = try bench.fetch(request, part: try bench.part())
    #expect(report.verdict == .notModified)
    #expect(report.failure == nil)
    #expect(origin.seen.first?["If-None-Match"] == "W/\"v1\"")
    #expect(origin.seen.first?["If-Modified-Since"] == date)
  }

  @Test func aRedirectIsNotFollowedButTold() throws {
    let origin = try Origin { _ in .answer(302, ["Location: /next"], body: "moved") }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.verdict == .redirect(location: "/next"))
    #expect(report.failure == nil)
    #expect(bench.contents("part") == [])
    #expect(origin.seen.count == 1)
  }

  @Test func anErrorPageIsKeptForTheMessageAndNotInTheFile() throws {
    let origin = try Origin { _ in .answer(404, body: "nothing here") }
    let bench = try EngineBench()
    try bench.file("part", "old".utf8)
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    guard case .fail(let failure) = report.verdict else {
      Issue.record("\(String(describing: report.verdict))")
      return
    }
    #expect(failure.status == 404)
    #expect(report.failure == nil)
    #expect(report.body == Array("nothing here".utf8))
    #expect(bench.contents("part") == Array("old".utf8))
  }

  @Test func anEndlessErrorPageIsCutAndIsNoOtherFailure() throws {
    let page = [UInt8](repeating: 0x61, count: 300_000)
    let origin = try Origin { _ in
      [.send("HTTP/1.1 500 Oops\r\nContent-Length: 9000000\r\n\r\n"), .send(page), .hold]
    }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure == nil)
    #expect(report.head?.status == 500)
    #expect(report.body.count == 65_536)
  }

  @Test func aCloseDelimitedBodyCountsOnlyWhereItIsAllowed() throws {
    let origin = try Origin { _ in .raw("HTTP/1.1 200 OK\r\n\r\nhello") + [.close] }
    let bench = try EngineBench()
    let request = TransferRequest.download(origin.url())
    let refused = try bench.fetch(request, part: try bench.part())
    guard case .fail = refused.verdict else {
      Issue.record("\(String(describing: refused.verdict))")
      return
    }
    request.allowsUnframed = true
    let report = try bench.fetch(request, part: try bench.part())
    #expect(report.failure == nil)
    #expect(bench.contents("part") == Array("hello".utf8))
  }
}

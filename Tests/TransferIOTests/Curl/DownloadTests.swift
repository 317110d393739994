import Testing
import TransferCore

@testable import TransferIO

@Suite struct DownloadTests {
  private let sha256OfHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func aBodyGoesToThePartFileWithItsDigest() throws {
    let origin = try Origin { _ in .answer(200, ["ETag: \"v1\""], body: "hello") }
    let bench = try EngineBench()
    let part = try bench.part()
    let report = try bench.fetch(
      .download(origin.url("/file")), part: part, hashing: [.sha256, .md5])
    #expect(report.failure == nil)
    #expect(report.verdict == .store(from: 0, total: 5))
    #expect(report.bodyBytes == 5)
    #expect(report.partSize == 5)
    #expect(bench.contents("part") == Array("hello".utf8))
    #expect(report.digests.map(\.hex) == [sha256OfHello, "5d41402abc4b2a76b9719d911017c592"])
    #expect(report.head?.validator.etag == "\"v1\"")
    #expect(report.transaction.status == 200)
    #expect(report.transaction.networkProtocolName == "http/1.1")
    #expect(report.transaction.remoteAddress == "127.0.0.1")
    #expect(report.transaction.remotePort == Int(origin.port))
    #expect(report.transaction.isReusedConnection == false)
  }

  @Test func aChunkedBodyIsWholeAndItsTrailersAreNoHead() throws {
    let origin = try Origin { _ in
      .raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nhel\r\n2\r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n")
    }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure == nil)
    #expect(report.verdict == .store(from: 0, total: nil))
    #expect(bench.contents("part") == Array("hello".utf8))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
  ])
  func aBodyThatEndsEarlyIsTruncated(answer: String) throws {
    let origin = try Origin { _ in .raw(answer) + [.close] }
    let bench = try EngineBench()
    let report = try bench.fetch(
      .download(origin.url()), part: try bench.part(), hashing: [.sha256])
    #expect(report.failure?.kind == .truncated)
    #expect(report.partSize == 5)
    #expect(report.digests.isEmpty)
  }

  @Test func aResetWithinTheBodyIsTruncated() throws {
    let gate = OriginGate()
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello") + [.wait(gate), .reset]
    }
    let bench = try EngineBench()
    let part = try bench.part()
    bench.engine.start(.download(origin.url()), part: { _ in part })
    var opened = false
    let reports = try bench.run { bench in
      if !opened, bench.engine.progress().first?.received == 5 {
        opened = true
        gate.open()
      }
    }
    #expect(reports.first?.failure?.kind == .truncated)
    #expect(reports.first?.partSize == 5)
  }

  @Test func noAnswerIsAConnectFailure() throws {
    let origin = try Origin { _ in [.close] }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure?.kind == .connect)
    #expect(report.failure?.curlCode == 52)
    #expect(report.head == nil)
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"])
  func anEndWithinTheHeadIsAFailure(answer: String) throws {
    let origin = try Origin { _ in .raw(answer) + [.close] }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure?.kind == .truncated)
    #expect(report.verdict == nil)
  }

  @Test func nothingListensIsAConnectFailure() throws {
    let origin = try Origin { _ in [] }
    origin.stop()
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure?.kind == .connect)
    #expect(report.failure?.curlCode == 7)
  }

  @Test func aConnectionIsReusedAndSaysSo() throws {
    let origin = try Origin { _ in .answer(200, body: "x") }
    let bench = try EngineBench()
    let first = try bench.fetch(.test(origin.url("/1")))
    let second = try bench.fetch(.test(origin.url("/2")))
    #expect(!first.transaction.isReusedConnection)
    #expect(first.transaction.connectStart != nil)
    #expect(second.transaction.isReusedConnection)
    #expect(second.transaction.connectStart == nil)
    #expect(second.transaction.domainLookupStart == nil)
    #expect(origin.connections == 1)
  }

  @Test func sessionsKeepTheirConnectionsApart() throws {
    let origin = try Origin { _ in .answer(200, body: "x") }
    let bench = try EngineBench([SessionPlan(name: "one"), SessionPlan(name: "two")])
    let request = TransferRequest.test(origin.url())
    _ = try bench.fetch(request)
    request.session = 1
    _ = try bench.fetch(request)
    _ = try bench.fetch(request)
    #expect(origin.connections == 2)
  }

  @Test func interimAnswersAreCollected() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        + .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    let bench = try EngineBench()
    let report = try bench.fetch(.test(origin.url()))
    #expect(report.failure == nil)
    #expect(report.interim.map(\.status) == [103])
    #expect(report.head?.status == 200)
    #expect(report.body == Array("ok".utf8))
  }

  @Test func anUnaskedSwitchOfProtocolsIsAFailure() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello") + [.close]
    }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure?.kind == .protocol)
    #expect(bench.contents("part") == [])
  }
}

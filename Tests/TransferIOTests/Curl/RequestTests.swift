import Glibc
import Testing
import TransferCore

@testable import TransferIO

@Suite struct RequestTests {
  private func ok() throws -> Origin { try Origin { _ in .answer(200, body: "ok") } }

  @Test func headLinesAreSentAsTheyAre() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url("/a?b=c"))
    request.headerLines = ["User-Agent: jobrun/1", "X-Two: a", "X-Two: b", "X-Bare;", "Accept:"]
    let report = try bench.fetch(request)
    #expect(report.failure == nil)
    let seen = try #require(origin.seen.first)
    #expect(seen.target == "/a?b=c")
    #expect(seen["User-Agent"] == "jobrun/1")
    #expect(seen.fields.filter { $0.name == "X-Two" }.map(\.value) == ["a", "b"])
    #expect(seen["X-Bare"] == "")
    #expect(seen["Accept"] == nil)
    #expect(seen["Accept-Encoding"] == nil)
    #expect(report.transaction.requestHeaderBytes > 60)
  }

  @Test(arguments: ["X: a\r\nEvil: b", "X: a\nb", "X: \u{0}"])
  func aHeaderWithABreakIsRefused(line: String) throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.headerLines = [line]
    let report = try bench.fetch(request)
    #expect(report.failure?.kind == .secret)
    #expect(report.failure?.detail.contains("Evil") == false)
    #expect(origin.seen.isEmpty)
  }

  @Test func headGetsNoBodyAndLeavesTheConnectionUsable() throws {
    let origin = try Origin { request in
      request.method == "HEAD"
        ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") : .answer(200, body: "x")
    }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "HEAD"
    let report = try bench.fetch(request)
    #expect(report.failure == nil)
    #expect(report.head?.contentLength == 1000)
    #expect(report.body.isEmpty)
    let next = try bench.fetch(.test(origin.url()))
    #expect(next.body == Array("x".utf8))
    #expect(origin.seen.map(\.method) == ["HEAD", "GET"])
    #expect(origin.connections == 1)
  }

  @Test func aFileIsPutAsItIs() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
    let request = TransferRequest.test(origin.url("/up"))
    request.method = "PUT"
    request.body = .file(path: try bench.file("up", bytes), size: 3_000_000)
    let report = try bench.fetch(request)
    #expect(report.failure == nil)
    let seen = try #require(origin.seen.first)
    #expect(seen.method == "PUT")
    #expect(seen["Content-Length"] == "3000000")
    #expect(seen.body == bytes)
    #expect(report.bodyBytesSent == 3_000_000)
    #expect(report.interim.map(\.status) == [100])
    let record = report.transaction
    #expect(record.requestBodyBytes == 3_000_000)
    #expect(try #require(record.requestEnd) >= record.requestStart!)
    #expect(record.requestEnd! <= record.responseEnd!)
  }

  @Test func anEmptyFileIsPut() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.body = .file(path: try bench.file("up", []), size: 0)
    #expect(try bench.fetch(request).failure == nil)
    #expect(origin.seen.first?["Content-Length"] == "0")
  }

  @Test func aFileOfAnotherSizeIsNotSent() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.body = .file(path: try bench.file("up", [1, 2, 3]), size: 4)
    let report = try bench.fetch(request)
    #expect(report.failure?.kind == .localFile)
    #expect(report.failure?.detail.contains("changed") == true)
    #expect(origin.seen.isEmpty)
  }

  /// Grown, shrunk or rewritten while the server has had only its start.
  @Test(arguments: [4_000_000, 1_000_000, 3_000_000])
  func aFileThatChangesOnTheWayIsNeverSentWhole(newSize: Int) throws {
    let bench = try EngineBench()
    let path = try bench.file("up", [UInt8](repeating: 1, count: 3_000_000))
    // The origin asks for the body only after the file was changed, when libcurl has opened it.
    let origin = try Origin(
      beforeBody: { _ in
        let file = fopen(path, "r+")
        ftruncate(fileno(file), newSize)
        fputc(7, file)
        fclose(file)
        return .raw("HTTP/1.1 100 Continue\r\n\r\n")
      },
      { _ in .answer(200) })
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.body = .file(path: path, size: 3_000_000)
    let report = try bench.fetch(request)
    #expect(report.failure?.kind == .localFile)
    #expect(report.failure?.detail.contains("changed") == true)
    #expect(origin.seen.allSatisfy { !$0.isWhole })
  }

  @Test func bytesArePostedWithoutAMadeUpType() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    request.body = .bytes(Array("a=1".utf8))
    #expect(try bench.fetch(request).failure == nil)
    request.headerLines = ["Content-Type: application/json"]
    #expect(try bench.fetch(request).bodyBytesSent == 3)
    let seen = origin.seen
    #expect(seen.map(\.text) == ["a=1", "a=1"])
    #expect(seen.map { $0["Content-Type"] } == [nil, "application/json"])
    #expect(seen.map { $0["Content-Length"] } == ["3", "3"])
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func methodsThatExpectABodySayWhenItIsEmpty(method: String) throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = method
    #expect(try bench.fetch(request).failure == nil)
    let seen = try #require(origin.seen.first)
    #expect(seen.method == method)
    #expect(seen["Content-Length"] == "0")
    #expect(seen["Content-Type"] == nil)
  }

  @Test(arguments: ["DELETE", "OPTIONS", "PROPFIND"])
  func otherMethodsGoAsTheyAre(method: String) throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = method
    #expect(try bench.fetch(request).failure == nil)
    #expect(origin.seen.first?.method == method)
    #expect(origin.seen.first?["Content-Length"] == nil)
    // The handle is as new afterwards.
    #expect(try bench.fetch(.test(origin.url())).failure == nil)
    #expect(origin.seen.last?.method == "GET")
  }

  @Test func aFormHasItsPartsInOrder() throws {
    let origin = try ok()
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    request.body = .form([
      ResolvedFormPart(name: "title", content: .value("Grüße"), contentType: nil),
      ResolvedFormPart(
        name: "data", content: .file(path: try bench.file("x.csv", "1;2".utf8), filename: nil),
        contentType: "text/csv"),
    ])
    #expect(try bench.fetch(request).failure == nil)
    let seen = try #require(origin.seen.first)
    #expect(seen["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    let text = seen.text
    #expect(text.contains("name=\"title\"\r\n\r\nGrüße\r\n"))
    #expect(text.contains("name=\"data\"; filename=\"x.csv\"\r\nContent-Type: text/csv\r\n\r\n1;2"))
  }

  @Test func aPostIsNotSilentlyRepeatedOnADeadConnection() throws {
    let origin = try Origin { request in
      request.number == 0 ? .answer(200, body: "x") : [.reset]
    }
    let bench = try EngineBench()
    _ = try bench.fetch(.test(origin.url()))
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    request.body = .bytes(Array("pay".utf8))
    let report = try bench.fetch(request)
    #expect(report.failure?.kind == .connect)
    #expect(report.bodyBytesSent == 3)
    #expect(origin.seen.filter { $0.method == "POST" }.count == 1)
  }

  @Test func expectationFailedIsRepeatedOnceWithoutIt() throws {
    let origin = try Origin(
      beforeBody: { request in
        request.number == 0 ? .answer(417, body: "no") + [.skipBody] : []
      }, { _ in .answer(201, body: "done") })
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.headerLines = ["Expect: 100-continue"]
    request.body = .file(path: try bench.file("up", [1, 2, 3]), size: 3)
    let report = try bench.fetch(request)
    #expect(report.failure == nil)
    #expect(report.head?.status == 201)
    #expect(report.body == Array("done".utf8))
    #expect(origin.seen.last?.body == [1, 2, 3])
  }
}

/// What is asked before a request goes out that must not be made twice.
@Suite struct BeforeSendingTests {
  private final class Asked {
    var tasks: [Int32] = []
    var seenThen: [Int] = []
  }

  private func engine(
    _ origin: Origin, _ asked: Asked, refusing failure: TransferFailure? = nil
  ) throws -> TransferEngine {
    var options = TransferEngine.Options()
    options.beforeSendingOnce = { task in
      asked.tasks.append(task)
      asked.seenThen.append(origin.seen.count)
      return failure
    }
    return try TransferEngine(sessions: [SessionPlan(name: "test")], options: options)
  }

  private func fetch(_ engine: TransferEngine, _ request: TransferRequest) throws -> TransferReport
  {
    engine.start(request)
    var reports: [TransferReport] = []
    while engine.activeCount > 0 {
      try engine.step { reports.append($0) }
      if engine.activeCount > 0 { _ = try engine.wait(upTo: .seconds(10)) }
    }
    return try #require(reports.first)
  }

  @Test(arguments: ["POST", "PATCH", "LOCK"])
  func itIsAskedBeforeAnythingIsSent(method: String) throws {
    let origin = try Origin { _ in .answer(200, body: "ok") }
    let asked = Asked()
    let engine = try engine(origin, asked)
    let request = TransferRequest.test(origin.url())
    request.method = method
    request.body = .bytes(Array("hello".utf8))
    for count in 1...2 {
      #expect(try fetch(engine, request).failure == nil)
      #expect(asked.tasks.count == count && asked.seenThen.last == count - 1)
    }
    #expect(origin.seen.map(\.text) == ["hello", "hello"])
  }

  @Test(arguments: ["GET", "PUT", "DELETE"])
  func whatMayBeRepeatedIsNotAskedFor(method: String) throws {
    let origin = try Origin { _ in .answer(200, body: "ok") }
    let asked = Asked()
    let engine = try engine(origin, asked)
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    #expect(try fetch(engine, request).failure == nil)
    request.method = method
    #expect(try fetch(engine, request).failure == nil)
    #expect(asked.tasks.count == 1)
  }

  @Test func aFailureKeepsItFromBeingSent() throws {
    let origin = try Origin { _ in .answer(200, body: "ok") }
    let asked = Asked()
    let engine = try engine(origin, asked, refusing: TransferFailure(.disk, "no room"))
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    request.body = .bytes(Array("hello".utf8))
    let report = try fetch(engine, request)
    #expect(report.failure == TransferFailure(.disk, "no room"))
    #expect(origin.seen.isEmpty && report.bodyBytesSent == 0)
  }

  @Test func aConnectionThatDoesNotComeAboutAsksNothing() throws {
    let origin = try Origin { _ in .answer(200, body: "ok") }
    let asked = Asked()
    let engine = try engine(origin, asked)
    origin.stop()
    let request = TransferRequest.test(origin.url())
    request.method = "POST"
    #expect(try fetch(engine, request).failure?.kind == .connect)
    #expect(asked.tasks.isEmpty)
  }
}

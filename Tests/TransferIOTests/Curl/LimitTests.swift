import Testing
import TransferCore

@testable import TransferIO

@Suite struct LimitTests {
  @Test func silenceBeforeTheAnswerIsATimeout() throws {
    let origin = try Origin { _ in [.hold] }
    let bench = try EngineBench()
    let request = TransferRequest.download(origin.url())
    request.timeoutForRequest = .milliseconds(150)
    let report = try bench.fetch(request, part: try bench.part())
    #expect(report.failure?.kind == .timeout)
    #expect(report.failure?.detail == "no byte moved for 150 ms")
    #expect(report.head == nil)
  }

  @Test func silenceWithinTheBodyKeepsWhatCame() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello") + [.hold]
    }
    let bench = try EngineBench()
    let request = TransferRequest.download(origin.url())
    request.timeoutForRequest = .milliseconds(150)
    let report = try bench.fetch(request, part: try bench.part())
    #expect(report.failure?.kind == .timeout)
    #expect(report.partSize == 5)
    #expect(report.verdict == .store(from: 0, total: 10))
  }

  @Test func bytesThatKeepComingPutTheTimeoutOff() throws {
    let drips = (0..<8).flatMap { _ in [OriginStep.pause(milliseconds: 100), .send("x")] }
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n") + drips
    }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.timeoutForRequest = .milliseconds(600)
    #expect(try bench.fetch(request).failure == nil)
  }

  @Test func anUploadThatNobodyReadsIsATimeout() throws {
    let gate = OriginGate()
    let origin = try Origin(beforeBody: { _ in [.wait(gate)] }, { _ in .answer(200) })
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.headerLines = ["Expect:"]
    request.timeoutForRequest = .milliseconds(200)
    let path = try bench.file("up", [UInt8](repeating: 0, count: 32_000_000))
    request.body = .file(path: path, size: 32_000_000)
    let report = try bench.fetch(request)
    gate.open()
    #expect(report.failure?.kind == .timeout)
    #expect(report.bodyBytesSent > 0)
  }

  @Test func tooSlowForThePeriodIsATimeout() throws {
    let drips = (0..<200).flatMap { _ in [OriginStep.pause(milliseconds: 20), .send("x")] }
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n") + drips
    }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.minimumSpeed = MinimumSpeed(bytesPerSecond: 10_000, period: .milliseconds(300))
    let report = try bench.fetch(request)
    #expect(report.failure?.kind == .timeout)
    #expect(report.failure?.detail.hasPrefix("slower than 10000 bytes/s") == true)
  }

  @Test func cancellingTellsWhatHadCome() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello") + [.hold]
    }
    let bench = try EngineBench()
    let part = try bench.part()
    bench.engine.start(.download(origin.url(), task: 7), part: { _ in part })
    var cancelled: TransferReport?
    let reports = try bench.run { bench in
      if bench.engine.progress().first?.received == 5 { cancelled = bench.engine.cancel(7) }
    }
    #expect(reports.isEmpty)
    #expect(cancelled?.failure?.kind == .cancelled)
    #expect(cancelled?.partSize == 5)
    #expect(cancelled?.task == 7)
    #expect(bench.engine.cancel(7) == nil)
  }

  @Test func progressKnowsTheTotal() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello") + [.hold]
    }
    let bench = try EngineBench()
    let part = try bench.part()
    bench.engine.start(.download(origin.url(), task: 3), part: { _ in part })
    var last: TransferEngine.Progress?
    _ = try bench.run { bench in
      guard let now = bench.engine.progress().first, now.received == 5 else { return }
      last = now
      bench.engine.cancel(3)
    }
    #expect(last?.task == 3)
    #expect(last?.total == 10)
  }

  @Test func moreThanMaxBytesIsRefusedByDeclarationAndByCount() throws {
    let declared = try Origin { _ in .answer(200, body: "0123456789") }
    let counted = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n")
    }
    let bench = try EngineBench()
    let request = TransferRequest.download(declared.url())
    request.maxBytes = 9
    let early = try bench.fetch(request, part: try bench.part())
    guard case .fail(let failure) = early.verdict else {
      Issue.record("\(String(describing: early.verdict))")
      return
    }
    #expect(failure.kind == .tooLarge)
    request.url = counted.url()
    #expect(try bench.fetch(request, part: try bench.part()).failure?.kind == .tooLarge)
    request.maxBytes = 10
    #expect(try bench.fetch(request, part: try bench.part()).failure == nil)
  }

  @Test func memoryHasABound() throws {
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n")
    }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.sink = .memory(limit: 9)
    #expect(try bench.fetch(request).failure?.kind == .tooLarge)
  }

  @Test func aHeadWithoutEndIsRefused() throws {
    let line = "X-Filler: " + String(repeating: "a", count: 8_000) + "\r\n"
    let origin = try Origin { _ in
      .raw("HTTP/1.1 200 OK\r\n") + [OriginStep](repeating: .send(line), count: 200) + [.hold]
    }
    let bench = try EngineBench()
    #expect(try bench.fetch(.test(origin.url())).failure?.kind == .protocol)
  }

  @Test func aWakeUpEndsTheWait() throws {
    let bench = try EngineBench()
    let bell = bench.engine.wakeUp
    OriginThread.run { bell.ring() }
    let start = Clock.monotonic()
    #expect(try bench.engine.wait(upTo: .seconds(30)) == [])
    #expect(Clock.monotonic() - start < .seconds(20))
  }

  @Test func theWaitTellsWhichDescriptorCanBeRead() throws {
    let bench = try EngineBench()
    let (quiet, loud) = (try WakeUp(), try WakeUp())
    loud.ring()
    let readable = try bench.engine.wait(
      upTo: .seconds(30), also: [quiet.descriptor, loud.descriptor])
    #expect(readable == [loud.descriptor])
  }
}

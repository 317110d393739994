import Testing
import TransferCore

@Suite struct SegmentDecisionTests {
  /// Bytes 100 to 199 of 1000, of version "v1".
  private func verdict(_ lines: [String]) -> HeadVerdict {
    let request = SampleExchange.request(
      .resume(from: 100, validator: Validator(etag: "\"v1\""), total: 1000)
    ) {
      $0.allowsUnframed = true
      $0.segment = 1
      $0.upTo = 200
    }
    return HeadDecision.decide(
      request, SampleExchange.head(["HTTP/1.1 " + lines[0]] + lines.dropFirst()))
  }

  private let right = "Content-Range: bytes 100-199/1000"

  @Test func theRangeThatWasAskedIsTaken() {
    let stored = HeadVerdict.store(from: 100, total: 1000)
    #expect(verdict(["206 P", right, "ETag: \"v1\"", "Content-Length: 100"]) == stored)
    #expect(verdict(["206 P", right, "ETag: \"v1\"", "Transfer-Encoding: chunked"]) == stored)
  }

  @Test(arguments: [
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v2\""],
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: W/\"v1\""],
    ["206 P", "Content-Range: bytes 100-199/1001", "ETag: \"v1\""],
    ["200 OK", "Content-Length: 1000", "ETag: \"v2\""],
    ["412 Precondition Failed", "Content-Length: 0"],
    ["416 Range Not Satisfiable", "Content-Range: bytes */50"],
  ])
  func anotherVersionIsTold(_ lines: [String]) {
    guard case .restart = verdict(lines) else {
      Issue.record("\(verdict(lines))")
      return
    }
  }

  @Test(arguments: [
    ["200 OK", "Content-Length: 1000", "ETag: \"v1\""],
    ["200 OK", "Content-Length: 1000"],
    ["206 P", "ETag: \"v1\"", "Content-Length: 100"],
    ["206 P", "Content-Range: bytes 100-199/*", "ETag: \"v1\""],
    ["206 P", "Content-Range: bytes 100-199/1000"],
    ["206 P", "Content-Range: bytes 100-999/1000", "ETag: \"v1\""],
    ["206 P", "Content-Range: bytes 99-199/1000", "ETag: \"v1\""],
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Content-Length: 90"],
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Content-Encoding: gzip"],
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Transfer-Encoding: gzip"],
    ["206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Content-Length: -1"],
    [
      "206 P", "Content-Range: bytes 100-199/1000", "ETag: \"v1\"",
      "Content-Type: multipart/byteranges; boundary=x",
    ],
    ["204 No Content", "ETag: \"v1\""],
    ["302 Found", "Location: /elsewhere"],
    ["304 Not Modified", "ETag: \"v1\""],
    ["429 Too Many Requests", "Content-Length: 0"],
    ["503 Service Unavailable", "Content-Length: 0"],
  ])
  func nothingElseIsTaken(_ lines: [String]) {
    guard case .fail = verdict(lines) else {
      Issue.record("\(verdict(lines))")
      return
    }
  }
}

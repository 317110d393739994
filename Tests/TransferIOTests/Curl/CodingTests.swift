import Testing
import TransferCore

@testable import TransferIO

@Suite struct CodingTests {
  /// `hello`, as gzip has it.
  private let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07,
    0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
  ]

  private func fetched(
    _ coding: String, _ body: [UInt8], limit: Int64 = 1_000
  ) throws -> (TransferReport, SeenRequest) {
    let origin = try Origin { _ in .answer(200, ["Content-Encoding: \(coding)"], body: body) }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.decodes = true
    request.sink = .memory(limit: limit)
    return (try bench.fetch(request), try #require(origin.seen.first))
  }

  @Test func aKnownCodingIsAskedForAndUndone() throws {
    let (report, seen) = try fetched("gzip", gzip)
    #expect(report.failure == nil)
    #expect(report.body == Array("hello".utf8))
    #expect(report.bodyBytes == 5)
    #expect(report.transaction.responseBodyBytes == Int64(gzip.count))
    #expect(seen["Accept-Encoding"] == "gzip, deflate")
  }

  @Test func aCodingThatEndsEarlyIsTruncated() throws {
    for count in 1..<gzip.count {
      let (report, _) = try fetched("gzip", Array(gzip[..<count]))
      #expect(report.failure?.kind == .truncated, "\(count) bytes")
    }
  }

  @Test func membersFollowOneAnother() throws {
    let (report, _) = try fetched("gzip", gzip + gzip + [0, 0, 0])
    #expect(report.failure == nil)
    #expect(report.body == Array("hellohello".utf8))
    let (torn, _) = try fetched("gzip", gzip + Array("rest".utf8))
    #expect(torn.failure?.kind == .unexpectedContent)
  }

  /// zlib's frame, as RFC 9110 has it, and none, as some servers do.
  @Test(arguments: [
    [0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x06, 0x2c, 0x02, 0x15],
    [0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
  ])
  func deflateWithAndWithoutItsFrame(_ body: [UInt8]) throws {
    let (report, _) = try fetched("deflate", body)
    #expect(report.failure == nil)
    #expect(report.body == Array("hello".utf8))
    #expect(try fetched("deflate", Array(body.dropLast())).0.failure?.kind == .truncated)
  }

  @Test(arguments: ["rot13", "gzip, rot13", "rot13, gzip"])
  func anUnknownCodingPassesThroughAsItCame(coding: String) throws {
    let (report, _) = try fetched(coding, gzip)
    #expect(report.failure == nil)
    #expect(report.body == gzip)
  }

  @Test func aHandleDecodesAgainAfterAnUnknownCoding() throws {
    let (gzip, text) = (gzip, Array("hello".utf8))
    let origin = try Origin { request in
      .answer(200, ["Content-Encoding: \(request.target.dropFirst())"], body: gzip)
    }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url("/x"))
    request.decodes = true
    #expect(try bench.fetch(request).body == gzip)
    request.url = origin.url("/gzip")
    #expect(try bench.fetch(request).body == text)
    request.decodes = false
    #expect(try bench.fetch(request).body == gzip)
  }

  @Test func aDamagedBodyIsAFailure() throws {
    var damaged = gzip
    damaged[12] ^= 0xFF
    let (report, _) = try fetched("gzip", damaged)
    #expect(report.failure?.kind == .unexpectedContent)
    #expect(report.failure?.curlCode == nil)
  }

  @Test func theBoundIsOfTheDecodedBody() throws {
    let (report, _) = try fetched("gzip", gzip, limit: 4)
    #expect(report.failure?.kind == .tooLarge)
  }

  @Test func aDownloadAsksForNoCodingAndStoresWhatCame() throws {
    let gzip = gzip
    let origin = try Origin { _ in .answer(200, ["Content-Encoding: gzip"], body: gzip) }
    let bench = try EngineBench()
    let report = try bench.fetch(.download(origin.url()), part: try bench.part())
    #expect(report.failure == nil)
    #expect(bench.contents("part") == gzip)
    #expect(origin.seen.first?["Accept-Encoding"] == nil)
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP , br", true), ("x-gzip", true), ("zstd", true), ("compress", false),
    ("gzip,aes128gcm", false),
  ])
  func knownCodings(field: String, isKnown: Bool) {
    #expect(ContentCoding.isKnown(field) == isKnown)
  }
}

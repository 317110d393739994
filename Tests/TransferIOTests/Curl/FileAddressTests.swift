import Glibc
import Testing
import TransferCore

@testable import TransferIO

@Suite struct FileAddressTests {
  @Test func aFileIsCopiedWithItsValidators() throws {
    let bench = try EngineBench()
    let path = try bench.file("source file", "hello".utf8)
    var times = [timespec](repeating: timespec(tv_sec: 784_111_777, tv_nsec: 5), count: 2)
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    let url = "file://" + bench.path("source%20file")
    let report = try bench.fetch(
      .download(url), part: try bench.part(), hashing: [.sha1])
    #expect(report.failure == nil)
    #expect(report.verdict == .store(from: 0, total: 5))
    #expect(bench.contents("part") == Array("hello".utf8))
    #expect(report.digests.map(\.hex) == ["aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"])
    let validator = try #require(report.head?.validator)
    #expect(validator.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(validator.strongETag == nil)
    #expect(report.transaction.networkProtocolName == "file")
    #expect(report.transaction.status == nil)

    let again = TransferRequest.download(url)
    again.condition = .refresh(validator)
    #expect(try bench.fetch(again, part: try bench.part("two")).verdict == .notModified)
    try bench.file("source file", "hello, world".utf8)
    let changed = try bench.fetch(again, part: try bench.part("two"))
    #expect(changed.verdict == .store(from: 0, total: 12))
  }

  @Test func anEmptyFileIsWhole() throws {
    let bench = try EngineBench()
    try bench.file("empty", [])
    let report = try bench.fetch(
      .download("file://" + bench.path("empty")), part: try bench.part())
    #expect(report.failure == nil)
    #expect(report.partSize == 0)
  }

  @Test func aFolderIsNoFile() throws {
    let bench = try EngineBench()
    let report = try bench.fetch(.download("file://" + bench.folder), part: try bench.part())
    #expect(report.failure?.kind == .localFile)
    #expect(report.failure?.detail.contains("not a regular file") == true)
  }

  @Test func aMissingFileSaysWhich() throws {
    let bench = try EngineBench()
    let report = try bench.fetch(.download("file://" + bench.path("none")))
    #expect(report.failure?.kind == .localFile)
    #expect(report.failure?.detail == "can't open \(bench.path("none")): No such file or directory")
  }

  @Test func aFileGoesToMemoryWithinItsBound() throws {
    let bench = try EngineBench()
    let request = TransferRequest.test("file://" + (try bench.file("f", "hello".utf8)))
    #expect(try bench.fetch(request).body == Array("hello".utf8))
    request.sink = .memory(limit: 4)
    #expect(try bench.fetch(request).failure?.kind == .tooLarge)
  }

  @Test func nothingIsWrittenToAFileAddress() throws {
    let bench = try EngineBench()
    let request = TransferRequest.test("file://" + bench.path("new"))
    request.method = "PUT"
    request.body = .bytes([1])
    #expect(try bench.fetch(request).failure?.kind == .unsupportedScheme)
    #expect(bench.contents("new") == nil)
  }

  @Test func otherSchemesAreRefused() throws {
    let bench = try EngineBench()
    let report = try bench.fetch(.test("gopher://127.0.0.1/"))
    #expect(report.failure?.kind == .unsupportedScheme)
  }

  @Test func anHTTPAddressNeverReadsAFileAfterOneThatDid() throws {
    let origin = try Origin { _ in .answer(200, body: "web") }
    let bench = try EngineBench()
    _ = try bench.fetch(.test("file://" + (try bench.file("f", "hello".utf8))))
    let report = try bench.fetch(.test(origin.url()))
    #expect(report.body == Array("web".utf8))
    #expect(report.head?.status == 200)
  }
}

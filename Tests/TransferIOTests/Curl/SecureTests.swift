import Glibc
import Testing
import TransferCore

@testable import TransferIO

@Suite struct SecureTests {
  /// A bench whose session trusts only the identity made with it.
  private func secured(
    _ change: (inout SessionPlan) -> Void = { _ in }
  ) throws -> (EngineBench, OriginIdentity) {
    let folder = try EngineBench.freshFolder()
    let identity = try OriginIdentity(in: folder)
    var plan = SessionPlan(name: "secure")
    plan.caFile = identity.certificate
    change(&plan)
    let bench = try EngineBench([plan])
    bench.alsoRemove = folder
    return (bench, identity)
  }

  @Test func theRecordKnowsVersionCipherAndTimes() throws {
    let (bench, identity) = try secured()
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") }
    let first = try bench.fetch(.test(origin.url())).transaction
    #expect(first.tlsProtocolVersion == "TLSv1.3")
    #expect(first.tlsCipherSuite == "TLS_AES_256_GCM_SHA384")
    let steps = [
      first.fetchStart, first.domainLookupStart, first.domainLookupEnd, first.connectStart,
      first.secureConnectionStart, first.secureConnectionEnd, first.requestStart,
      first.requestEnd, first.responseStart, first.responseEnd,
    ].compactMap(\.self)
    #expect(steps.count == 10)
    #expect(steps == steps.sorted())
    #expect(first.connectEnd == first.secureConnectionEnd)
    let second = try bench.fetch(.test(origin.url())).transaction
    #expect(second.isReusedConnection)
    #expect(second.secureConnectionStart == nil)
    #expect(second.tlsProtocolVersion == "TLSv1.3")
  }

  @Test func theHighestVersionIsKept() throws {
    let (bench, identity) = try secured { $0.tlsMaximum = .oneTwo }
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") }
    let record = try bench.fetch(.test(origin.url())).transaction
    #expect(record.tlsProtocolVersion == "TLSv1.2")
  }

  @Test func aStrangersCertificateIsRefused() throws {
    let (bench, _) = try secured()
    let (keeper, identity) = try secured()
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") }
    let report = try bench.fetch(.test(origin.url()))
    #expect(report.failure?.kind == .tls)
    #expect(report.failure?.curlCode == 60)
    #expect(report.failure?.detail.contains("certificate") == true)
    #expect(origin.seen.isEmpty)
    withExtendedLifetime(keeper) {}
  }

  @Test func aCertificateForAnotherNameIsRefused() throws {
    let (keeper, identity) = try secured()
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") }
    var plan = SessionPlan(name: "named")
    plan.caFile = identity.certificate
    plan.resolve = ["other.example:\(origin.port):127.0.0.1"]
    let report = try EngineBench([plan]).fetch(.test("https://other.example:\(origin.port)/"))
    #expect(report.failure?.kind == .tls)
    #expect(report.failure?.detail.contains("other.example") == true)
    withExtendedLifetime(keeper) {}
  }

  @Test func insecureTakesAnyCertificate() throws {
    let (keeper, identity) = try secured()
    let (bench, _) = try secured { $0.insecure = true }
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") }
    #expect(try bench.fetch(.test(origin.url())).failure == nil)
    withExtendedLifetime(keeper) {}
  }

  @Test func aCutWithoutCloseNotifyIsTruncated() throws {
    let (bench, identity) = try secured()
    let origin = try Origin(identity: identity) { request in
      .raw("HTTP/1.1 200 OK\r\n\r\nhello") + [request.target == "/cut" ? .cut : .close]
    }
    let request = TransferRequest.download(origin.url("/cut"))
    request.allowsUnframed = true
    let cut = try bench.fetch(request, part: try bench.part())
    #expect(cut.failure?.kind == .truncated)
    #expect(cut.partSize == 5)
    request.url = origin.url("/whole")
    #expect(try bench.fetch(request, part: try bench.part()).failure == nil)
  }

  @Test func aHeadHasNoBodyThatCouldBeCut() throws {
    let (bench, identity) = try secured()
    let origin = try Origin(identity: identity) { _ in .raw("HTTP/1.1 200 OK\r\n\r\n") }
    let request = TransferRequest.test(origin.url())
    request.method = "HEAD"
    #expect(try bench.fetch(request).failure == nil)
  }

  @Test func aWholeBodyIsWholeWhateverTheCloseIsLike() throws {
    let (bench, identity) = try secured()
    let origin = try Origin(identity: identity) { _ in .answer(200, body: "x") + [.cut] }
    #expect(try bench.fetch(.test(origin.url())).failure == nil)
    #expect(try bench.fetch(.test(origin.url())).failure == nil)
  }

  @Test func nginxSpeaksHTTP2AndSeveralStreamsShareAConnection() throws {
    let (bench, identity) = try secured { $0.multiplexes = true }
    let server = try NginxOrigin(identity)
    try server.file("a", [UInt8](repeating: 7, count: 200_000))
    let parts = try (0..<8).map { try bench.part("p\($0)") }
    for (index, part) in parts.enumerated() {
      bench.engine.start(
        .download(server.url("/a"), task: Int32(index)), part: { _ in part }, hashing: [.sha256])
    }
    let reports = try bench.run()
    #expect(reports.count == 8)
    #expect(reports.allSatisfy { $0.failure == nil && $0.partSize == 200_000 })
    #expect(Set(reports.map { $0.digests.first?.hex }).count == 1)
    #expect(reports.allSatisfy { $0.transaction.networkProtocolName == "h2" })
    #expect(reports.filter { !$0.transaction.isReusedConnection }.count == 1)
    #expect(Set(reports.map(\.transaction.localPort)).count == 1)
  }

  @Test func nginxSendsTheRestOfAFile() throws {
    let (bench, identity) = try secured()
    let server = try NginxOrigin(identity)
    try server.file("a", Array("hello, world".utf8))
    let whole = try bench.fetch(.download(server.url("/a")), part: try bench.part())
    let validator = try #require(whole.head?.validator)
    #expect(validator.strongETag != nil)
    try bench.file("part", "hello".utf8)
    let request = TransferRequest.download(server.url("/a"))
    request.condition = .resume(from: 5, validator: validator, total: 12)
    let report = try bench.fetch(request, part: try bench.part())
    #expect(report.verdict == .store(from: 5, total: 12))
    #expect(bench.contents("part") == Array("hello, world".utf8))
    request.condition = .refresh(validator)
    #expect(try bench.fetch(request, part: try bench.part()).verdict == .notModified)
  }
}

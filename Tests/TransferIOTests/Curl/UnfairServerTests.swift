import Synchronization
import Testing
import TransferCore

@testable import TransferIO

/// Servers that end an exchange before its time, or never.
@Suite struct UnfairServerTests {
  /// What is there afterwards can't be what was sent.
  @Test func anAnswerBeforeTheWholeBodyIsNoSuccess() throws {
    let origin = try Origin(
      beforeBody: { _ in .answer(200, ["Connection: close"], body: "ok") + [.close] },
      { _ in .answer(500) })
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.body = .bytes([UInt8](repeating: 7, count: 50_000_000))
    let report = try EngineBench().fetch(request)
    #expect([.truncated, .connect].contains(report.failure?.kind))
  }

  @Test func aHandshakeWithoutEndIsEnded() throws {
    let asked = Atomic(0)
    let proxy = try Origin { _ in
      let number = asked.add(1, ordering: .relaxed).newValue
      let challenge = "Digest realm=\"r\", nonce=\"n\(number)\", stale=true, algorithm=MD5"
      return .answer(407, ["Proxy-Authenticate: \(challenge)"])
    }
    var own = ProxyPlan()
    own.all = PlanText(proxy.url(""))
    (own.user, own.password) = (PlanText("u"), PlanText("p"))
    own.authentication = .digest
    var plan = SessionPlan(name: "s")
    plan.proxy = .own(own)
    let report = try EngineBench([plan]).fetch(.test("http://somewhere.example/a"))
    #expect(report.failure?.kind == .auth)
    #expect(proxy.seen.count < 12)
  }

  /// They would be the same with what is no UTF-8 replaced.
  @Test func twoETagsThatDifferInOneByteAreTwo() throws {
    func head(_ byte: UInt8) -> ResponseHead? {
      let tag = [UInt8]("ETag: \"v".utf8) + [byte] + [UInt8]("\"\r\n\r\n".utf8)
      return ResponseHead(parsing: [UInt8]("HTTP/1.1 200 OK\r\n".utf8) + tag)
    }
    #expect(head(0xE8)?.validator.etag == nil)
    #expect(head(0x65)?.validator.etag == "\"ve\"")
  }
}

import Testing
import TransferCore

@testable import TransferIO

/// Cookies with `Secure` need TLS for both ways.
@Suite struct SecureCookieTests {
  private let host = "www.shop.example"

  private func cookies(_ origin: Origin) -> [String] {
    origin.seen.map { $0["cookie"] ?? "" }
  }

  @Test func aSecureCookieGoesOverTLSAlone() throws {
    let folder = try EngineBench.freshFolder()
    let identity = try OriginIdentity(in: folder)
    let tls = try Origin(identity: identity) { _ in
      .answer(200, ["Set-Cookie: __Host-a=1; Secure; Path=/"], body: "x")
    }
    let plain = try Origin { _ in .answer(200, body: "x") }
    var plan = SessionPlan(name: "s")
    plan.insecure = true
    plan.resolve = [tls.port, plain.port].map { "\(host):\($0):127.0.0.1" }
    let bench = try EngineBench([plan])
    bench.alsoRemove = folder
    for _ in 0..<2 {
      #expect(try bench.fetch(.test("https://\(host):\(tls.port)/")).failure == nil)
      #expect(try bench.fetch(.test("http://\(host):\(plain.port)/")).failure == nil)
    }
    #expect(cookies(tls) == ["", "__Host-a=1"])
    #expect(cookies(plain) == ["", ""])
  }
}

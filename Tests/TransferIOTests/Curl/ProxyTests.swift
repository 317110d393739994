import Testing
import TransferCore

@testable import TransferIO

@Suite struct ProxyTests {
  private func fetched(
    _ url: String, _ plan: SessionPlan = SessionPlan(name: "s"), proxy: Origin
  ) throws -> TransferReport {
    let environment = ["http_proxy": proxy.url(""), "no_proxy": "direct.example"]
    return try EngineBench([plan], environment: environment).fetch(.test(url))
  }

  @Test func theEnvironmentsProxyIsUsedAndSaidToBe() throws {
    let proxy = try Origin { _ in .answer(200, body: "by proxy") }
    let report = try fetched("http://somewhere.example/a", proxy: proxy)
    #expect(report.body == Array("by proxy".utf8))
    #expect(report.transaction.isProxyConnection)
    #expect(proxy.seen.first?.target == "http://somewhere.example/a")
  }

  @Test func anExemptHostAndASessionWithoutProxyGoStraight() throws {
    let proxy = try Origin { _ in .answer(200, body: "by proxy") }
    let origin = try Origin { _ in .answer(200, body: "straight") }
    var plan = SessionPlan(name: "s")
    plan.resolve = ["direct.example:\(origin.port):127.0.0.1"]
    let exempt = try fetched("http://direct.example:\(origin.port)/", plan, proxy: proxy)
    #expect(exempt.body == Array("straight".utf8))
    #expect(!exempt.transaction.isProxyConnection)
    plan.proxy = .none
    let none = try fetched(origin.url(), plan, proxy: proxy)
    #expect(none.body == Array("straight".utf8))
    #expect(proxy.seen.isEmpty)
  }

  @Test func aProxysOwnHeadersGoToItAlone() throws {
    let proxy = try Origin { _ in .answer(200, body: "by proxy") }
    var own = ProxyPlan()
    own.http = PlanText(proxy.url(""))
    own.headers = [HeaderField(name: "X-Desk", value: PlanText("night"), scope: .origin)]
    var plan = SessionPlan(name: "s")
    plan.proxy = .own(own)
    let report = try EngineBench([plan]).fetch(.test("http://somewhere.example/a"))
    #expect(report.body == Array("by proxy".utf8))
    #expect(proxy.seen.first?["X-Desk"] == "night")
    own.tunnels = true
    plan.proxy = .own(own)
    _ = try EngineBench([plan]).fetch(.test("http://somewhere.example/a"))
    let seen = proxy.seen.dropFirst()
    #expect(seen.first?.target == "somewhere.example:80")
    #expect(seen.first?["X-Desk"] == "night")
    #expect(seen.dropFirst().allSatisfy { $0["X-Desk"] == nil })
  }

  @Test func aDigestIsMadeForTheProxysChallenge() throws {
    let proxy = try Origin { seen in
      guard seen["Proxy-Authorization"]?.hasPrefix("Digest username=\"u\"") == true else {
        return .answer(
          407, ["Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\", algorithm=MD5"])
      }
      return .answer(200, body: "by proxy")
    }
    var own = ProxyPlan()
    own.all = PlanText(proxy.url(""))
    (own.user, own.password) = (PlanText("u"), PlanText("p"))
    for method in [ProxyPlan.Authentication.digest, .any] {
      own.authentication = method
      var plan = SessionPlan(name: "s")
      plan.proxy = .own(own)
      let report = try EngineBench([plan]).fetch(.test("http://somewhere.example/a"))
      #expect(report.body == Array("by proxy".utf8), "\(method)")
    }
    own.authentication = .basic
    var plan = SessionPlan(name: "s")
    plan.proxy = .own(own)
    let report = try EngineBench([plan]).fetch(.test("http://somewhere.example/a"))
    #expect(report.head?.status == 407)
  }
}

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
}

import Testing

@testable import TransferCore

/// Which of a session's own proxies an address takes.
@Suite struct ProxyPlanTests {
  private func choice(
    _ url: String, _ set: (inout ProxyPlan) -> Void
  ) -> (proxy: String?, reason: String) {
    var plan = ProxyPlan()
    set(&plan)
    let (proxy, reason) = plan.choice(for: url)
    return (proxy?.shown, reason)
  }

  @Test func aSchemesOwnProxyComesFirst() {
    let set = { (plan: inout ProxyPlan) in
      plan.http = PlanText("http://a:1")
      plan.all = PlanText("http://b:1")
    }
    #expect(choice("http://h/", set) == ("http://a:1", "the session's proxy.http"))
    #expect(choice("https://h/", set) == ("http://b:1", "the session's proxy.all"))
    #expect(choice("ftp://h/", set) == ("http://b:1", "the session's proxy.all"))
    #expect(choice("file:///h", set) == (nil, "files need none"))
    let none = choice("https://h/") { $0.http = PlanText("http://a:1") }
    #expect(none == (nil, "the session has no proxy for https"))
  }

  @Test(arguments: [
    ("h.example", "h.example", true), ("a.h.example", "h.example", true),
    ("a.h.example", ".h.example", true), ("ah.example", "h.example", false),
    ("H.EXAMPLE", "h.example", true), ("10.1.2.3", "10.0.0.0/8", true),
    ("11.1.2.3", "10.0.0.0/8", false), ("10.1.2.3", "10.1.2.3", true),
    ("1.2.3.4", "0.0.0.0/0", true),
    ("[::1]", "0.0.0.0/0", false), ("[::1]", "::/0", true), ("[::1]", "::1", true),
    ("[0:0::1]", "::1", true), ("[fe80::1:2]", "fe80::/10", true),
    ("[fec0::1]", "fe80::/10", false),
    ("[2001:db8::7]", "2001:db8::/32", true), ("[::ffff:10.0.0.1]", "::ffff:10.0.0.0/104", true),
    ("any.example", "*", true),
  ])
  func aHostIsExempt(host: String, entry: String, isExempt: Bool) {
    let (proxy, reason) = choice("https://\(host)/") { plan in
      plan.all = PlanText("http://p:1")
      plan.noProxy = ["other.example", entry]
    }
    #expect((proxy == nil) == isExempt)
    #expect(
      reason == (isExempt ? "the session's no_proxy has \(entry)" : "the session's proxy.all"))
  }

  @Test(arguments: [
    ("10.0.0.0/8", true), ("::/0", true), ("fd00::/128", true), ("10.0.0.0/33", false),
    ("fd00::/129", false), ("10.0.0/8", false), ("1:2:3:4:5:6:7:8/64", true),
    ("1:2:3:4:5:6:7/64", false), ("1::2::3/64", false), ("12345::/16", false), ("g::/16", false),
    ("10.0.0.0", false), ("10.0.0.0/", false),
  ])
  func blocksAreAddressAndBits(text: String, isBlock: Bool) {
    #expect(NoProxyList.isBlock(text) == isBlock)
  }
}

import Testing

@testable import TransferCore

/// The proxy that libcurl takes from the environment. JobrunTests hold the same rules to the real
/// curl.
@Suite struct ProxyEnvironmentTests {
  private func choice(_ url: String, _ environment: [String: String]) -> ProxyEnvironment.Choice {
    ProxyEnvironment.choice(for: url) { environment[$0] }
  }

  @Test func theSchemesOwnVariableComesFirst() {
    let all = ["http_proxy": "http://a:1", "https_proxy": "b:2", "all_proxy": "socks5h://c:3"]
    #expect(choice("http://h/", all) == .init(proxy: "http://a:1", reason: "http_proxy"))
    #expect(choice("HTTPS://h/", all) == .init(proxy: "b:2", reason: "https_proxy"))
    #expect(choice("ftp://h/", all) == .init(proxy: "socks5h://c:3", reason: "all_proxy"))
    #expect(choice("file:///etc/hosts", all) == .init(proxy: nil, reason: nil))
    #expect(choice("http://h/", [:]) == .init(proxy: nil, reason: nil))
  }

  @Test func upperCaseCountsForAllButHTTP() {
    #expect(choice("http://h/", ["HTTP_PROXY": "a:1"]).proxy == nil)
    #expect(choice("https://h/", ["HTTPS_PROXY": "a:1"]).reason == "HTTPS_PROXY")
    #expect(choice("http://h/", ["ALL_PROXY": "a:1"]).reason == "ALL_PROXY")
    let both = ["https_proxy": "low:1", "HTTPS_PROXY": "up:1"]
    #expect(choice("https://h/", both).proxy == "low:1")
  }

  @Test func anEmptyVariableCountsAsUnset() {
    let environment = ["http_proxy": "", "all_proxy": "a:1"]
    #expect(choice("http://h/", environment).reason == "all_proxy")
    #expect(
      choice("http://h/", ["http_proxy": "a:1", "no_proxy": "", "NO_PROXY": "h"]).proxy == nil)
  }

  @Test(arguments: [
    ("http://user:pw@proxy:3128", "http://***@proxy:3128"),
    ("user:p@w@proxy:3128/", "***@proxy:3128/"),
    ("socks5h://u@[::1]:1080", "socks5h://***@[::1]:1080"),
    ("proxy/@x", "proxy/@x"),
  ])
  func userInfoIsMasked(_ value: String, _ shown: String) {
    let found = choice("http://h/", ["http_proxy": value])
    #expect(found.proxy == value)
    #expect(found.shown == shown)
  }

  @Test func userInfoOfAddresses() {
    #expect(ShownAddress.withoutUserInfo("https://u:p@h/x@y") == "https://h/x@y")
    #expect(ShownAddress.withoutUserInfo("https://h/x@y") == "https://h/x@y")
    #expect(ShownAddress.withoutUserInfo("https://@h") == "https://h")
  }

  static let covered: [(host: String, list: String, entry: String?)] = [
    ("example.org", "example.org", "example.org"),
    ("www.example.org", "example.org", "example.org"),
    ("www.example.org", ".example.org", ".example.org"),
    ("example.org", ".example.org", ".example.org"),
    ("notexample.org", "example.org", nil),
    ("EXAMPLE.org", "Example.ORG", "Example.ORG"),
    ("example.org.", "example.org", "example.org"),
    ("example.org", "example.org.", "example.org."),
    ("example.org", "a.b, example.org", "example.org"),
    ("example.org", "a.b example.org", "example.org"),
    ("example.org", "a.b,,example.org", "example.org"),
    ("example.org", "*", "*"),
    ("example.org", "a,*", nil),
    ("example.org", "*.example.org", nil),
    ("192.168.1.7", "192.168.0.0/16", "192.168.0.0/16"),
    ("192.169.1.7", "192.168.0.0/16", nil),
    ("192.168.1.7", "192.168.1.7", "192.168.1.7"),
    ("192.168.1.7", "192.168.1.0/29", "192.168.1.0/29"),
    ("192.168.1.8", "192.168.1.0/29", nil),
    ("192.168.1.7", "192.168.1.0/33", nil),
    ("192.168.1.7", "0.0.0.0/0", nil),
    ("192.168.1.7", "168.1.7", nil),
    ("[::1]", "::1", "::1"),
    ("[FE80::1]", "fe80::1", "fe80::1"),
    ("[fe80::1:2]", "fe80::/10", nil),
    ("[::1]", "localhost", nil),
  ]

  @Test(arguments: covered.indices)
  func noProxyCoversNamesAndBlocks(_ index: Int) {
    let row = Self.covered[index]
    let environment = ["http_proxy": "p:1", "no_proxy": row.list, "NO_PROXY": "*"]
    let found = choice("http://\(row.host):8080/x?y", environment)
    #expect(found.proxy == (row.entry == nil ? "p:1" : nil))
    #expect(found.reason == (row.entry.map { "no_proxy has \($0)" } ?? "http_proxy"))
  }
}

import Glibc
import Testing
import TransferCore

/// What the plan says of proxies, held to the curl that is installed: its trace names the variable
/// that it takes. The proxy is a closed port of loopback, so that nothing leaves the machine.
@Suite struct ProxyAsCurlTests {
  static let hosts = [
    "example.invalid", "www.example.invalid", "notexample.invalid", "EXAMPLE.invalid.",
    "127.0.0.9", "127.1.0.9", "[::1]", "[fe80::1]",
  ]
  static let lists = [
    "example.invalid", ".example.invalid", "example.invalid.", "x,example.invalid",
    "x example.invalid", "x, ,example.invalid", "*", "x,*", "*.invalid", "invalid", ".",
    "127.0.0.0/16", "127.0.0.9", "127.0.0.8/31", "127.0.0.0/0", "127.0.0.0/40", "0.9", "::1",
    "::/8", "fe80::/10", "fe80:0::0:1", "::1/128", "127.0.0.0/",
  ]

  @Test(arguments: hosts)
  func noProxyIsReadAsCurlReadsIt(_ host: String) throws {
    for list in Self.lists {
      let variables = ["http_proxy": "http://127.0.0.1:1", "no_proxy": list]
      try expectSame("http://\(host):1/", variables)
    }
  }

  @Test(arguments: ["http", "https", "ftp"])
  func variablesAreReadAsCurlReadsThem(_ scheme: String) throws {
    let url = "\(scheme)://example.invalid:1/"
    for name in [
      "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy",
      "ALL_PROXY", "FTP_PROXY",
    ] {
      try expectSame(url, [name: "http://127.0.0.1:1"])
      if name != "ALL_PROXY" {
        try expectSame(url, [name: "", "ALL_PROXY": "http://127.0.0.1:1"])
      }
    }
  }

  private func expectSame(_ url: String, _ variables: [String: String]) throws {
    let host = url.split(separator: "/")[1].dropLast(2)
    // Without a proxy, names lead to a closed port of loopback too.
    let ended = try ChildProcess(
      "/usr/bin/curl", ["-sv", "--connect-to", "\(host):1:127.0.0.1:2", url],
      environment: variables.map { "\($0)=\($1)" }
    ).wait()
    let choice = ProxyEnvironment.choice(for: url) { variables[$0] }
    let took = ended.err.split(separator: "\n")
      .first { $0.hasPrefix("* Uses proxy env variable ") && !$0.lowercased().contains("no_proxy") }
    let name = took.map { $0.dropFirst("* Uses proxy env variable ".count).prefix { $0 != " " } }
    #expect(
      choice.proxy == nil ? name == nil : choice.reason == name.map(String.init),
      "\(url) \(variables)\n\(ended.err)")
  }
}

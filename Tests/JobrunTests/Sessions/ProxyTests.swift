import Testing

/// A session's own proxies, with real ones.
@Suite struct ProxyTests {
  private let folder: TemporaryFolder
  private let origin: RealOrigin

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("www/a", "by whatever way")
    origin = try RealOrigin(serving: folder.path + "/www")
  }

  private func tinyproxy() throws -> PeerServer {
    let folder = folder
    return try PeerServer("/usr/bin/tinyproxy", folder: folder.path) { port in
      try folder.write(
        "tinyproxy.conf",
        """
        Port \(port)
        Listen 127.0.0.1
        LogFile "\(folder.path)/proxy.log"
        LogLevel Connect
        BasicAuth nightly open-sesame
        """)
      return ["-d", "-c", "tinyproxy.conf"]
    }
  }

  private func run(_ proxy: String, _ more: [String] = []) throws -> ChildProcess.Ended {
    try folder.write(
      "job.yaml",
      """
      version: 1
      state: state
      secrets: { word: { env: PROXY_WORD } }
      sessions: { s: { proxy: { \(proxy) }, tls: { ca_file: "\(origin.ca)" } } }
      defaults: { session: s, retry: { attempts: 1 } }
      tasks:
        - { id: plain, download: "\(origin.http)/a", to: plain }
        - { id: secure, download: "\(origin.https)/a", to: secure }
      """)
    return try Jobrun.run(
      more + ["job.yaml"], environment: ["PROXY_WORD=open-sesame"], folder: folder.path)
  }

  private static let word = "password: '${secrets.word}'"

  @Test func anAuthenticatingProxyIsUsedForBothSchemes() throws {
    let proxy = try tinyproxy()
    let address = "http://127.0.0.1:\(proxy.port)"
    let ended = try run("all: '\(address)', user: nightly, \(Self.word)", ["run", "-vv", "--json"])
    #expect(ended.code == 0, "\(ended.err)")
    #expect(folder.read("plain") == "by whatever way" && folder.read("secure") == "by whatever way")
    let log = folder.read("state/completion.jsonl") ?? ""
    #expect(log.ranges(of: "\"is_proxy_connection\":true").count == 2)
    let seen = folder.read("proxy.log") ?? ""
    #expect(seen.contains("GET \(origin.http)/a") && seen.contains("CONNECT localhost"))
    // Neither the word nor what goes over the line in its place.
    for text in [ended.out, ended.err, log] {
      #expect(!text.contains("open-sesame") && !text.contains("bmlnaHRseTpvcGVuLXNlc2FtZQ"))
    }
  }

  @Test func aProxyThatWantsAnotherPasswordIsNamed() throws {
    let proxy = try tinyproxy()
    let ended = try run("all: 'http://127.0.0.1:\(proxy.port)', user: nightly, password: wrong")
    #expect(ended.code == 1)
    let log = folder.read("state/completion.jsonl") ?? ""
    #expect(log.ranges(of: "\"code\":\"auth\"").count == 2, "\(ended.err)\(log)")
    #expect(ended.err.contains("proxy"), "\(ended.err)")
    #expect(folder.read("plain") == nil && folder.read("secure") == nil)
  }

  @Test(arguments: ["socks5", "socks5h"])
  func aSocksProxyIsUsed(scheme: String) throws {
    let proxy = try PeerServer("/usr/bin/microsocks", folder: folder.path) { port in
      ["-i", "127.0.0.1", "-p", String(port), "-u", "nightly", "-P", "open-sesame"]
    }
    let address = "\(scheme)://127.0.0.1:\(proxy.port)"
    let ended = try run("all: '\(address)', user: nightly, \(Self.word)")
    #expect(ended.code == 0, "\(ended.err)")
    let log = folder.read("state/completion.jsonl") ?? ""
    #expect(log.ranges(of: "\"is_proxy_connection\":true").count == 2)
    let refused = try run("all: '\(address)', user: nightly, password: wrong", ["--fresh"])
    #expect(refused.code == 1, "\(refused.err)")
  }

  @Test func anExemptHostIsReachedDirectly() throws {
    let ended = try run("all: 'http://127.0.0.1:1', no_proxy: [127.0.0.0/8, localhost]")
    #expect(ended.code == 0, "\(ended.err)")
    let through = try run("all: 'http://u:p@127.0.0.1:1', no_proxy: [10.0.0.0/8]", ["--fresh"])
    #expect(through.code == 1)
    let told = through.err.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(told.contains("no connection to the proxy http://***@127.0.0.1:1"), "\(through.err)")
  }

  @Test func thePlanSaysWhichProxyAndWhyAndNoPassword() throws {
    let proxies =
      "http: 'http://nightly:${secrets.word}@p.example:3128', https: 'https://q.example:3129',"
      + " no_proxy: [h.example], \(Self.word)"
    let text = try run(proxies, ["plan"])
    #expect(text.out.contains("proxy http://***@p.example:3128 (the session's proxy.http)"))
    #expect(text.out.contains("proxy https://q.example:3129 (the session's proxy.https)"))
    let json = try run(proxies, ["plan", "--format", "json"])
    #expect(json.out.contains("\"proxy\": \"http://***@p.example:3128\""), "\(json.out)")
    #expect(json.out.contains("\"proxy_reason\": \"the session's proxy.http\""))
    #expect(!(text.out + json.out).contains("open-sesame"))
  }
}

import FaultOrigin
import Testing

/// Fields of a session that say how connections are made, by the real binary.
@Suite struct SessionFieldTests {
  private let scene: AuthScene

  init() throws { scene = try AuthScene() }

  private func run(_ session: String, _ url: String) throws -> AuthScene.Outcome {
    try scene.run(
      "sessions: { s: { retry: { attempts: 1 }, \(session) } }\n"
        + "tasks: [{ id: a, session: s, data: '\(url)' }]\n")
  }

  @Test func resolveNamesTheAddress() throws {
    let origin = try ScriptedOrigin { .answer(200, body: $0["Host"] ?? "") }
    let url = "http://name.example:\(origin.port)/"
    let outcome = try run("resolve: { 'name.example:\(origin.port)': 127.0.0.1 }", url)
    #expect(outcome.task("a")?["body"]?.text == "name.example:\(origin.port)")
  }

  @Test func connectToLeavesTheRequestAsItIs() throws {
    let origin = try ScriptedOrigin { .answer(200, body: $0["Host"] ?? "") }
    let there = "connect_to: { 'name.example:80': '127.0.0.1:\(origin.port)' }"
    let outcome = try run(there, "http://name.example/")
    #expect(outcome.task("a")?["body"]?.text == "name.example")
  }

  @Test func ipVersionLeavesOutTheOther() throws {
    let origin = try ScriptedOrigin { _ in .answer(200) }
    let resolved = "resolve: { 'name.example:\(origin.port)': 127.0.0.1 }"
    let url = "http://name.example:\(origin.port)/"
    #expect(try run("ip_version: 4, " + resolved, url).ended.code == 0)
    let six = try run("ip_version: 6, " + resolved, url)
    #expect(six.ended.code == 1)
    #expect(origin.seen.count == 1)
  }

  @Test(arguments: [("auto", "h2"), ("'1.1'", "http/1.1"), ("'2'", "h2")])
  func httpVersionIsWhatIsSpoken(version: String, wanted: String) throws {
    let authority = try Authority()
    let nginx = try SecureServer(try authority.identity("server"), http2: true)
    let outcome = try run(
      "http_version: \(version), tls: { ca_file: \(authority.certificate) }", nginx.url)
    let record = outcome.task("a")?["transactions"]?.elements.first
    #expect(record?["network_protocol_name"]?.text == wanted, "\(outcome.ended.out)")
    withExtendedLifetime(authority) {}
  }

  /// The server takes the connection, and says nothing of TLS.
  @Test func connectTimeoutCountsTheHandshake() throws {
    let origin = try ScriptedOrigin(beforeBody: nil) { _ in [.hold] }
    let url = "https://127.0.0.1:\(origin.port)/"
    let outcome = try run("connect_timeout: 50ms, timeout_for_request: 60s", url)
    #expect(outcome.code("a") == "timeout")
    #expect(outcome.message("a").contains("connect_timeout"))
  }

  /// What could be resumed is kept, and of an ephemeral session nothing is.
  @Test(arguments: ["default", "ephemeral"])
  func anEphemeralSessionKeepsNoPartFile(type: String) throws {
    let origin = try ScriptedOrigin { _ in
      .raw("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 200000\r\n\r\n")
        + .raw(String(repeating: "x", count: 100_000)) + [.close]
    }
    let outcome = try scene.run(
      "sessions: { s: { type: \(type), retry: { attempts: 1 } } }\n"
        + "tasks: [{ id: a, session: s, download: '\(origin.url())', to: out }]\n")
    #expect(outcome.code("a") == "truncated")
    let parts = try Clone.files(below: scene.folder.path).filter { $0.hasSuffix(".part") }
    #expect(parts.count == (type == "default" ? 1 : 0))
  }
}

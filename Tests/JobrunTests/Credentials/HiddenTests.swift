import FaultOrigin
import Glibc
import Testing

/// What proves who we are is in no output, log, state or command line, in none of its forms.
@Suite struct HiddenTests {
  private let scene: AuthScene

  init() throws { scene = try AuthScene() }

  private static let user = "a user@host"
  private static let password = "p/ss w%rd+é"

  /// The password as it may turn up.
  private static var forms: [String] {
    [
      password, "p%2Fss%20w%25rd%2B%C3%A9", "p%2fss%20w%25rd%2b%c3%a9", "p%2Fss+w%25rd%2B%C3%A9",
      AuthText.base64(password), AuthText.base64("\(user):\(password)"),
      AuthText.base64("x\(password)x"),
    ]
  }

  /// Everything below the folder, and what the run said.
  private func traces(_ said: ChildProcess.Ended) throws -> [(place: String, text: String)] {
    let files = try Clone.files(below: scene.folder.path + "/state")
    #expect(files.contains { $0.hasSuffix("completion.jsonl") })
    #expect(files.contains { $0.contains("state.db") })
    return [("stdout", said.out), ("stderr", said.err)]
      + files.map { ($0, TemporaryFolder.text(of: $0) ?? "") }
  }

  @Test(arguments: ["env", "file", "command", "credential"])
  func aSecretIsNowhere(source: String) throws {
    try scene.folder.write("kept/secret", Self.password + "\n")
    chmod(scene.folder.path + "/kept/secret", 0o600)
    scene.environment = [
      "PASSWORD=\(Self.password)", "CREDENTIALS_DIRECTORY=\(scene.folder.path)/kept",
    ]
    let entry = [
      "env": "{ env: PASSWORD }", "file": "{ file: kept/secret }",
      "command": "{ command: [cat, kept/secret] }", "credential": "{ credential: secret }",
    ][source, default: ""]
    let gate = OriginGate()
    // The server sends back what it got, in each way.
    let forms = Self.forms.joined(separator: " ; ")
    let origin = try ScriptedOrigin { request in
      if request.target == "/wait" { return [.wait(gate)] + .answer(200) }
      if request.basic != "\(Self.user):\(Self.password)" {
        return .answer(401, ["WWW-Authenticate: Basic realm=\"r\""])
      }
      let head = ["X-Echo: \(forms)", "X-Auth: \(request["Authorization"] ?? "")"]
      return request.target == "/bad"
        ? .answer(500, head, body: forms)
        : .answer(200, head, body: forms)
    }
    let space = "{ host: 127.0.0.1, port: \(origin.port), protocol: http }"
    try scene.write(
      """
      secrets: { p: \(entry) }
      sessions:
        default:
          retry: { attempts: 1 }
          credentials: [{ for: \(space), user: '\(Self.user)', password: "${secrets.p}" }]
      tasks:
      - { id: a, data: '\(origin.url("/a"))' }
      - { id: bad, data: '\(origin.url("/bad"))', after: [a], optional: true }
      - { id: wait, data: '\(origin.url("/wait"))', after: [bad] }
      """)
    let child = try scene.start(["-vv", "--json", "job.yaml"])
    // It is under way, with all values resolved.
    #expect(child.waitForError(containing: "> GET /wait"))
    let line = TemporaryFolder.text(of: "/proc/\(child.id)/cmdline") ?? ""
    gate.open()
    let ended = child.wait()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(origin.seen.filter { $0.basic == "\(Self.user):\(Self.password)" }.count >= 2)
    #expect(line.contains("job.yaml"))
    for (place, text) in try traces(ended) + [("cmdline", line)] {
      for form in Self.forms where text.contains(form) {
        Issue.record("\(form) stands in \(place)")
      }
    }
    #expect(ended.err.contains("> Authorization: Basic ***"))
  }

  @Test func whatIsNoSecretIsHiddenInTheTraceTooWhenItProvesWhoWeAre() throws {
    let origin = try ScriptedOrigin { request in
      request["Authorization"] == nil
        ? .answer(401, ["WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        : .answer(200)
    }
    let space = "{ host: 127.0.0.1, port: \(origin.port), protocol: http }"
    try scene.write(
      """
      sessions:
        default: { credentials: [{ for: \(space), user: me, password: written-here }] }
      tasks:
      - { id: a, data: '\(origin.url("/a"))' }
      - { id: b, data: '\(origin.url("/b"))', headers: { Authorization: Own by-hand } }
      """)
    let ended = try scene.start(["-vv", "--json", "job.yaml"]).wait()
    #expect(ended.code == 0, "\(ended.err)")
    let field = origin.seen.compactMap { $0["Authorization"] }.first { $0.hasPrefix("Digest") }
    let response = try #require(field?.split(separator: "response=\"").last?.prefix(32))
    for (place, text) in try traces(ended) {
      for hidden in ["written-here", String(response)] where text.contains(hidden) {
        Issue.record("\(hidden) stands in \(place)")
      }
    }
    #expect(ended.err.contains("> Authorization: Digest ***"))
    #expect(ended.err.contains("> Authorization: Own ***"))
  }

  /// One whose space no request comes to is never asked for.
  @Test func aSecretIsResolvedOnlyWhenItIsSent() throws {
    let origin = try ScriptedOrigin { request in
      request.target == "/leads" ? .answer(302, ["Location: /end"]) : .answer(200)
    }
    func space(_ port: UInt16) -> String { "{ host: 127.0.0.1, port: \(port), protocol: http }" }
    func job(_ port: UInt16) -> String {
      """
      secrets: { p: { command: [sh, -c, 'echo x >> ran; echo secret'] } }
      sessions:
        default:
          credentials:
          - { for: \(space(port)), method: basic, user: me, password: "${secrets.p}" }
      tasks: [{ id: a, data: '\(origin.url("/leads"))' }]
      """
    }
    #expect(try scene.run(job(1)).ended.code == 0)
    #expect(scene.folder.read("ran") == nil)
    #expect(try scene.run(job(origin.port)).ended.code == 0)
    #expect(scene.folder.read("ran") == "x\n")
  }

  @Test(arguments: ["\"${secrets.p}\"", "\"a\\nb\""])
  func aValueWithALineBreakIsRefused(password: String) throws {
    scene.environment = ["P=tok\r\nX-Evil: 1"]
    try expectNothingSent(password: password)
  }

  @Test func aSecretThatCantBeHadFailsItsTaskAndSendsNothing() throws {
    try expectNothingSent(password: "\"${secrets.p}\"")
  }

  /// A token that can't be sent fails its task as `secret`.
  private func expectNothingSent(password: String) throws {
    let origin = try ScriptedOrigin { _ in .answer(200) }
    let outcome = try scene.run(
      """
      secrets: { p: { env: P } }
      tasks:
      - id: a
        data: '\(origin.url())'
        credentials:
        - for: { host: 127.0.0.1, port: \(origin.port), protocol: http }
          method: bearer
          password: \(password)
      """)
    #expect(outcome.code("a") == "secret")
    #expect(origin.seen.isEmpty)
  }
}

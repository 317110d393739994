import FaultOrigin
import Glibc
import Testing
import TransferCore

/// `credentials_storage`: which netrc file is read, and for whom its entries are.
@Suite struct NetrcRunTests {
  private let scene: AuthScene
  private let origin: ScriptedOrigin

  init() throws {
    scene = try AuthScene()
    origin = try ScriptedOrigin { request in
      request.basic == nil
        ? .answer(401, ["WWW-Authenticate: Basic realm=\"r\""]) : .answer(200)
    }
  }

  private var task: String { "tasks: [{ id: a, session: s, data: '\(origin.url("/a"))' }]\n" }

  private func netrc(_ text: String, at name: String = "home/.netrc", mode: mode_t = 0o600) throws {
    chmod(try scene.folder.write(name, text), mode)
  }

  private var logins: [String?] { origin.seen.map(\.basic) }

  @Test func theUsersNetrcIsReadUnlessAnotherIsNamed() throws {
    try netrc("machine 127.0.0.1 login home password 1")
    try netrc("machine 127.0.0.1 login named password 2", at: "other")
    try netrc("machine 127.0.0.1 login own password 3", at: "own")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    #expect(try scene.run("sessions: { s: {} }\n" + task).ended.code == 0)
    scene.environment.append("NETRC=\(scene.folder.path)/other")
    #expect(try scene.run("sessions: { s: {} }\n" + task).ended.code == 0)
    let own = "sessions: { s: { credentials_storage: own } }\n" + task
    #expect(try scene.run(own).ended.code == 0)
    #expect(logins == [nil, "home:1", nil, "named:2", nil, "own:3"])
  }

  @Test(arguments: ["credentials_storage: none", "type: ephemeral"])
  func noneReadsNone(field: String) throws {
    try netrc("machine 127.0.0.1 login home password 1")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let outcome = try scene.run("sessions: { s: { \(field) } }\n" + task)
    #expect(outcome.code("a") == "auth")
    #expect(logins == [nil])
  }

  @Test func anEphemeralSessionReadsTheOneThatItNames() throws {
    try netrc("machine 127.0.0.1 login own password 3", at: "own")
    let job = "sessions: { s: { type: ephemeral, credentials_storage: own } }\n" + task
    #expect(try scene.run(job).ended.code == 0)
  }

  @Test func theJobsCredentialsWin() throws {
    try netrc("machine 127.0.0.1 login home password 1")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let credential =
      "{ for: { host: 127.0.0.1, port: \(origin.port), protocol: http }, user: job, password: j }"
    let job = "sessions: { s: { credentials: [\(credential)] } }\n" + task
    #expect(try scene.run(job).ended.code == 0)
    #expect(logins == [nil, "job:j"])
  }

  @Test func aRedirectTakesNoEntryAlongNorTheDefaultOne() throws {
    try netrc("default login d password e")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let port = origin.port
    let leading = try ScriptedOrigin { request in
      request.basic == nil
        ? .answer(401, ["WWW-Authenticate: Basic realm=\"r\""])
        : .answer(302, ["Location: http://127.0.0.1:\(port)/x"])
    }
    let job = "tasks: [{ id: a, data: '\(leading.url("/a"))' }]\n"
    #expect(try scene.run(job).code("a") == "auth")
    #expect(leading.seen.map(\.basic) == [nil, "d:e"])
    #expect(logins == [nil])
    // One that has an entry gets that.
    try netrc("default login d password e machine 127.0.0.1 login me password p")
    #expect(try scene.run(job).ended.code == 0)
    #expect(logins == [nil, nil, "me:p"])
  }

  @Test func oneThatOthersCanReadIsWarnedOf() throws {
    try netrc("machine 127.0.0.1 login home password 1", mode: 0o644)
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let outcome = try scene.run("sessions: { s: {} }\n" + task)
    let warnings = outcome.ended.err.split(separator: "\n").filter { $0.contains("warning") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("chmod 600 \(scene.folder.path)/home/.netrc") == true)
  }

  @Test func oneThatIsNamedMustBeThere() throws {
    let outcome = try scene.run("sessions: { s: { credentials_storage: nowhere } }\n" + task)
    #expect(outcome.code("a") == "secret")
    #expect(outcome.message("a").contains("\(scene.folder.path)/nowhere"))
    #expect(origin.seen.isEmpty)
  }

  /// Nobody has asked for the user's own.
  @Test func theUsersOwnThatCantBeReadIsWarnedOfAndNotUsed() throws {
    try scene.folder.write("home/.netrc/file", "")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let open = try ScriptedOrigin { _ in .answer(200) }
    let outcome = try scene.run(
      """
      tasks:
      - { id: a, data: '\(open.url())' }
      - { id: b, data: '\(open.url())' }
      """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    let warnings = outcome.ended.err.split(separator: "\n").filter { $0.contains("warning") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("\(scene.folder.path)/home/.netrc") == true)
  }

  // MARK: plan

  @Test func aPlanSaysWhereCredentialsAreFromAndReadsNone() throws {
    try netrc("machine 127.0.0.1 login hidden-login password hidden-password")
    scene.environment = ["HOME=\(scene.folder.path)/home"]
    let space = "host: 127.0.0.1, port: \(origin.port), protocol: http"
    try scene.write(
      """
      secrets: { s: { command: [touch, ran] } }
      sessions:
        s:
          credentials:
          - { for: { \(space), realm: Files }, user: me, password: "${secrets.s}" }
          - { for: { \(space) }, method: digest, user: hidden-user, password: hidden-literal }
      tasks:
      - { id: a, session: s, data: '\(origin.url())' }
      - { id: b, data: '\(origin.url())' }
      - { id: c, session: s, data: 'https://else.example/' }
      - { id: d, data: '\(origin.url())', headers: { Authorization: x } }
      - { id: e, data: '\(origin.url())',
          credentials: [{ for: { \(space) }, method: bearer, password: "${secrets.s}" }] }
      """)
    let json = try scene.start(["plan", "--format", "json", "job.yaml"]).wait().out
    let file = scene.folder.path + "/home/.netrc"
    #expect(try uses(json, "a") == ["session s any Files", "session s digest "])
    #expect(try uses(json, "b") == ["netrc \(file) any "])
    #expect(try uses(json, "c") == [])
    #expect(try uses(json, "d") == [])
    #expect(try uses(json, "e") == ["task e bearer "])
    let text = try scene.start(["plan", "job.yaml"]).wait().out
    #expect(
      text.contains("as session s says (any) for realm \"Files\", or session s says (digest)"))
    #expect(text.contains("as netrc \(file) says (any)"))
    #expect(!(json + text).contains("hidden"))
    #expect(scene.folder.read("ran") == nil)
    #expect(origin.seen.isEmpty)
  }

  private func uses(_ json: String, _ id: String) throws -> [String] {
    let document = try #require(JSONNode(json.utf8))
    let task = document["tasks"]?.elements.first { $0["id"]?.text == id }
    return (task?["credentials"]?.elements ?? []).map { use in
      [use["source"], use["method"], use["realm"]].map { $0?.text ?? "" }.joined(separator: " ")
    }
  }
}

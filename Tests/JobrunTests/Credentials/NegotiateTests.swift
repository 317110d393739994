import Glibc
import Testing

/// Negotiate (RFC 4559), to a real Apache in a real Kerberos realm.
@Suite struct NegotiateTests {
  private let scene: AuthScene
  private let realm: KerberosRealm

  init() throws {
    scene = try AuthScene()
    realm = try KerberosRealm()
    scene.environment = realm.environment
    // Apache serves as another user.
    chmod(realm.folder.path + "/keytab", 0o644)
    chmod(realm.folder.path, 0o755)
  }

  private func apache(_ more: String = "") throws -> ApacheServer {
    try ApacheServer(
      in: try TemporaryFolder(), modules: ["auth_gssapi"],
      """
      AuthType GSSAPI
      AuthName "Realm of tickets"
      GssapiCredStore keytab:\(realm.folder.path)/keytab
      \(more)
      """, environment: realm.environment)
  }

  private func job(_ apache: ApacheServer, _ more: String, tasks: String? = nil) -> String {
    """
    sessions:
      default:
        credentials: [{ for: { host: localhost, port: \(apache.port), protocol: http }, \(more) }]
    tasks:
    - \(tasks ?? "{ id: a, download: '\(apache.url)/a', to: got }")

    """
  }

  @Test func aTicketSaysWhoWeAre() throws {
    let apache = try apache()
    try realm.logIn()
    let outcome = try scene.run(job(apache, "method: negotiate"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(scene.folder.read("got") == "whole\n")
    #expect(outcome.statuses("a") == [200])
    #expect(apache.requests.map(\.user) == ["me@JOBRUN.TEST"])
  }

  @Test func anyTakesItBeforeAPassword() throws {
    let apache = try apache("GssapiBasicAuth On")
    try realm.logIn()
    let outcome = try scene.run(job(apache, "user: me, password: wrong"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(outcome.statuses("a") == [401, 200])
  }

  @Test func withoutATicketTheMessageSaysHowToGetOne() throws {
    let apache = try apache()
    let outcome = try scene.run(job(apache, "method: negotiate"))
    #expect(apache.requests.map(\.status) == [401])
    #expect(outcome.code("a") == "auth")
    #expect(outcome.message("a").contains("kinit"), "\(outcome.message("a"))")
  }

  /// No ticket, and a password isn't sent in clear beside Negotiate.
  @Test func withoutATicketAnyDoesNotFallBackInClear() throws {
    let apache = try apache("GssapiBasicAuth On")
    let outcome = try scene.run(job(apache, "user: me, password: pass"))
    #expect(outcome.code("a") == "auth")
    #expect(outcome.statuses("a") == [401, 401])
  }

  @Test func anUploadGoesWithATicket() throws {
    let apache = try apache()
    try realm.logIn()
    let body = String(repeating: "0123456789", count: 20_000)
    try scene.folder.write("file", body)
    let task = "{ id: a, upload: file, to: '\(apache.url)/up' }"
    let outcome = try scene.run(job(apache, "method: negotiate", tasks: task))
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(try TemporaryFolder.text(of: #require(apache.file("up"))) == body)
  }

  /// libcurl would lend the connection that a ticket authenticated to whoever comes next.
  @Test func anAuthenticatedConnectionIsNotLentToOthers() throws {
    let apache = try apache("GssapiConnectionBound On")
    try realm.logIn()
    let own = "credentials: [], expect: { status: 401 }"
    let outcome = try scene.run(
      job(apache, "method: negotiate")
        + "- { id: b, data: '\(apache.url)/a', after: [a], \(own) }\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)\(outcome.ended.err)")
    #expect(apache.requests.last?.user == "-")
  }
}

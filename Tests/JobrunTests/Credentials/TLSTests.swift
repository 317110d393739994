import FaultOrigin
import Glibc
import Testing

/// `tls` of a session, by the real binary to a real nginx: who is trusted, who we are, which
/// versions.
@Suite struct TLSTests {
  private let scene: AuthScene
  private let authority: Authority
  private let server: Authority.Identity
  private let client: Authority.Identity

  init() throws {
    scene = try AuthScene()
    authority = try Authority()
    server = try authority.identity("server")
    client = try authority.identity("client")
  }

  private var verified: String {
    "ssl_client_certificate \(authority.certificate); ssl_verify_client on;"
  }

  private func job(_ tls: String, _ url: String) -> String {
    """
    sessions:
      s: { tls: { ca_file: \(authority.certificate)\(tls) }, retry: { attempts: 1 } }
    tasks: [{ id: a, session: s, data: '\(url)' }]

    """
  }

  private func identity(_ identity: Authority.Identity) -> String {
    ", client_certificate: \(identity.certificate), client_key: \(identity.key)"
  }

  // MARK: Who we are

  @Test func aClientCertificateIsShown() throws {
    let nginx = try SecureServer(server, verified)
    let outcome = try scene.run(job(identity(client), nginx.url))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    let body = outcome.task("a")?["body"]?.text ?? ""
    #expect(body.hasPrefix("SUCCESS CN=client"), "\(body)")
    let without = try scene.run(job("", nginx.url))
    #expect(without.task("a")?["status"]?.integer == 400)
  }

  @Test func oneFileMayHoldCertificateAndKey() throws {
    let nginx = try SecureServer(server, verified)
    let both = try scene.folder.write(
      "both.pem",
      (TemporaryFolder.text(of: client.certificate) ?? "")
        + (TemporaryFolder.text(of: client.key) ?? ""))
    chmod(both, 0o600)
    #expect(try scene.run(job(", client_certificate: both.pem", nginx.url)).ended.code == 0)
  }

  /// nginx asks everybody, and takes note of who shows nothing.
  @Test(arguments: [true, false])
  func aClientCertificateStaysBehindWhenARedirectLeavesItsOrigin(isSamePort: Bool) throws {
    let asking = "ssl_client_certificate \(authority.certificate); ssl_verify_client optional;"
    let other = try SecureServer(server, asking)
    let there = isSamePort ? "/end" : other.url
    let nginx = try SecureServer(server, asking + " rewrite ^/lead$ \(there) redirect;")
    let outcome = try scene.run(job(identity(client), nginx.url + "/lead"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    let body = outcome.task("a")?["body"]?.text ?? ""
    #expect(body.hasPrefix(isSamePort ? "SUCCESS CN=client" : "NONE"), "\(body)")
  }

  /// A connection that was authenticated for one task is no other's.
  @Test func aConnectionThatACertificateOpenedIsNotLentToARedirect() throws {
    let asking = "ssl_client_certificate \(authority.certificate); ssl_verify_client optional;"
    let other = try SecureServer(server, asking)
    let nginx = try SecureServer(server, "rewrite ^/lead$ \(other.url)/end redirect;")
    let outcome = try scene.run(
      """
      sessions:
        s:
          tls: { ca_file: \(authority.certificate)\(identity(client)) }
      tasks:
      - { id: named, session: s, data: '\(other.url)' }
      - { id: led, session: s, data: '\(nginx.url)/lead', after: [named] }
      - { id: again, session: s, data: '\(other.url)', after: [led] }
      """)
    let bodies = ["named", "led", "again"].map {
      outcome.task($0)?["body"]?.text?.split(separator: " ").first
    }
    #expect(bodies == ["SUCCESS", "NONE", "SUCCESS"])
  }

  @Test func oneThatCantBeUsedIsNamed() throws {
    let nginx = try SecureServer(server, verified)
    let missing = try scene.run(job(", client_certificate: nowhere.pem", nginx.url))
    #expect(missing.code("a") == "tls")
    #expect(missing.message("a").contains("\(scene.folder.path)/nowhere.pem"))
    let other = Authority.Identity(certificate: client.certificate, key: server.key)
    let mixed = try scene.run(job(identity(other), nginx.url))
    #expect(mixed.code("a") == "tls")
    #expect(mixed.message("a").contains(server.key), "\(mixed.message("a"))")
  }

  /// OpenSSL's own server ends the handshake where nginx answers with a page.
  @Test func aServerThatRefusesTheHandshakeIsUnderstood() throws {
    let strict = try StrictServer(server, authority: authority)
    let without = try scene.run(job("", strict.url))
    #expect(without.code("a") == "tls", "\(without.ended.out)")
    #expect(without.message("a").contains("tls.client_certificate"), "\(without.message("a"))")
    let others = try Authority("stranger")
    let stranger = try others.identity("client")
    let wrong = try scene.run(job(identity(stranger), strict.url))
    #expect(wrong.code("a") == "tls", "\(wrong.ended.out)")
    #expect(wrong.message("a").contains("client certificate is \(stranger.certificate)"))
    #expect(wrong.message("a").contains("alert unknown ca"), "\(wrong.message("a"))")
  }

  @Test func aKeyThatOthersCanReadIsWarnedOfOnce() throws {
    let nginx = try SecureServer(server, verified)
    let key = try scene.folder.write("key.pem", TemporaryFolder.text(of: client.key) ?? "")
    func warnings(_ mode: mode_t) throws -> Int {
      chmod(key, mode)
      let own = Authority.Identity(certificate: client.certificate, key: key)
      let tasks = "- { id: b, session: s, data: '\(nginx.url)' }\n"
      let job =
        job(identity(own), nginx.url).replacing("tasks: [", with: "tasks:\n- ")
        .replacing("}]\n", with: "}\n") + tasks
      let outcome = try scene.run(job)
      #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
      return outcome.ended.err.split(separator: "\n").filter { $0.contains("chmod 600 \(key)") }
        .count
    }
    #expect(try warnings(0o640) == 1)
    #expect(try warnings(0o600) == 0)
  }

  // MARK: Whom we trust

  @Test func aStrangersServerIsTrustedByItsAuthorityAlone() throws {
    let stranger = try Authority("stranger")
    let nginx = try SecureServer(try stranger.identity("server"))
    let refused = try scene.run(job("", nginx.url))
    #expect(refused.code("a") == "tls")
    let trusting = job("", nginx.url).replacing(authority.certificate, with: stranger.certificate)
    #expect(try scene.run(trusting).ended.code == 0)
    withExtendedLifetime(stranger) {}
  }

  @Test func insecureIsWarnedOfInEveryRun() throws {
    let stranger = try Authority("stranger")
    let nginx = try SecureServer(try stranger.identity("server"))
    for _ in 0..<2 {
      let outcome = try scene.run(job(", insecure: true", nginx.url))
      #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
      #expect(outcome.ended.err.contains("insecure"), "\(outcome.ended.err)")
    }
  }

  @Test func aPinnedKeyIsTheOnlyOneThatIsTrusted() throws {
    let nginx = try SecureServer(server)
    let pin = try Authority.pin(server, in: scene.folder)
    let other = try Authority.pin(client, in: scene.folder)
    for value in [pin, "\(other);\(pin)"] {
      let outcome = try scene.run(job(", pinned_public_key: '\(value)'", nginx.url))
      #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    }
    let refused = try scene.run(job(", pinned_public_key: '\(other)'", nginx.url))
    #expect(refused.code("a") == "tls")
    #expect(refused.message("a").contains("its key is \(pin)"), "\(refused.message("a"))")
    #expect(refused.message("a").contains("tls.pinned_public_key is \(other)"))
    // It holds also where no certificate is checked.
    let insecure = job(", insecure: true, pinned_public_key: '\(other)'", nginx.url)
    #expect(try scene.run(insecure).code("a") == "tls")
  }

  @Test func aPinMayBeAFileBesideTheJob() throws {
    let nginx = try SecureServer(server)
    _ = try Authority.pin(client, in: scene.folder)
    let field = ", pinned_public_key: public.pem"
    #expect(try scene.run(job(field, nginx.url)).code("a") == "tls")
    _ = try Authority.pin(server, in: scene.folder)
    let outcome = try scene.run(job(field, nginx.url))
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
  }

  // MARK: Versions

  @Test(arguments: [
    ("TLSv1.2", "", "TLSv1.2"), ("TLSv1.3", "", "TLSv1.3"),
    ("TLSv1; ssl_ciphers DEFAULT@SECLEVEL=0", ", minimum: '1.0'", "TLSv1"),
    ("TLSv1; ssl_ciphers DEFAULT@SECLEVEL=0", "", nil),
    ("TLSv1.2", ", minimum: '1.3'", nil), ("TLSv1.3", ", maximum: '1.2'", nil),
    ("TLSv1.2 TLSv1.3", ", maximum: '1.2'", "TLSv1.2"),
    ("TLSv1.2 TLSv1.3", ", minimum: '1.3'", "TLSv1.3"),
  ])
  func versionsAreKept(spoken: String, field: String, wanted: String?) throws {
    let nginx = try SecureServer(server, "ssl_protocols \(spoken);")
    let outcome = try scene.run(job(field, nginx.url))
    let record = outcome.task("a")?["transactions"]?.elements.first
    #expect(record?["tls_protocol_version"]?.text == wanted, "\(outcome.ended.out)")
    #expect(outcome.code("a") == (wanted == nil ? "tls" : nil))
  }
}

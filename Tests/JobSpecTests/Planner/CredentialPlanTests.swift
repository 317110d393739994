import JobSpec
import Testing
import TransferCore

@Suite struct CredentialPlanTests {
  private func space(
    _ host: String, port: Int = 443, scheme: String = "https", realm: String? = nil
  ) -> ProtectionSpace {
    ProtectionSpace(origin: Origin(scheme: scheme, host: host, port: port), realm: realm)
  }

  @Test func everyFieldArrives() throws {
    let plan = try JobCase.job(
      """
      secrets: { key: { env: KEY } }
      sessions:
        s:
          credentials:
          - { for: { host: A.Example, realm: Files }, user: me, password: "${secrets.key}" }
          - for: { host: '::1', port: 8080, protocol: HTTP }
            method: digest
            user: 7
            password: p
          - { for: { host: s3.example }, method: aws_sigv4, user: ID, password: K, region: eu,
              service: execute-api }
          - { for: { host: b.example }, method: negotiate }
      tasks:
      - { id: t, session: s, data: 'https://h/' }
      """
    ).plan()
    let credentials = plan.sessions[0].credentials
    #expect(
      credentials.map(\.space) == [
        space("a.example", realm: "Files"), space("[::1]", port: 8080, scheme: "http"),
        space("s3.example"), space("b.example"),
      ])
    #expect(credentials.map(\.method) == [.any, .digest, .awsSigV4, .negotiate])
    #expect(credentials.map(\.service) == ["s3", "s3", "execute-api", "s3"])
    #expect(credentials.map(\.region) == [nil, nil, "eu", nil])
    #expect(credentials[0].password?.secretNames == ["key"])
    #expect(credentials[0].user?.literal == "me")
    #expect(credentials[1].user?.literal == "7")
    #expect(plan.tasks[0].credentials == nil)
  }

  @Test func aTaskHasItsOwnOrNoneOrItsSessions() throws {
    let plan = try JobCase.job(
      """
      defaults: { credentials: [{ for: { host: d }, method: bearer, password: t }] }
      tasks:
      - { id: a, data: 'https://h/' }
      - { id: b, data: 'https://h/', credentials: [] }
      - { id: c, data: 'https://h/',
          credentials: [{ for: { host: c }, method: bearer, password: t }] }
      """
    ).plan()
    #expect(plan.tasks.map { $0.credentials?.map(\.space.origin.host) } == [["d"], [], ["c"]])
  }

  @Test func anExtendingSessionsListReplacesItsBases() throws {
    let plan = try JobCase.job(
      """
      sessions:
        a: { credentials: [{ for: { host: a }, method: negotiate }], credentials_storage: none }
        b: { extends: a }
        c: { extends: a, credentials: [{ for: { host: c }, method: negotiate }] }
      tasks:
      - { id: b, session: b, data: 'https://h/' }
      - { id: c, session: c, data: 'https://h/' }
      """
    ).plan()
    #expect(
      plan.sessions.prefix(3).map { $0.credentials.map(\.space.origin.host) }
        == [["a"], ["a"], ["c"]])
    #expect(plan.sessions[1].credentialStorage == .none)
  }

  @Test(arguments: [
    ("optional: true", CredentialStorage.shared), ("credentials_storage: shared", .shared),
    ("credentials_storage: none", .none), ("credentials_storage: .netrc", .file("/jobs/.netrc")),
    ("credentials_storage: ~/n", .file("/home/me/n")), ("type: ephemeral", .none),
    ("type: ephemeral, credentials_storage: shared", .shared),
  ])
  func theStorageIsTheUsersUnlessEphemeral(fields: String, wanted: CredentialStorage) throws {
    let fields = fields == "optional: true" ? "ip_version: auto" : fields
    #expect(try JobCase.session(fields).plan().sessions[0].credentialStorage == wanted)
  }

  @Test func tlsFilesStartFromTheJobsFolder() throws {
    let session = try JobCase.session(
      "tls: { client_certificate: me.pem, client_key: keys/me.key, pinned_public_key: pin.pem }"
    ).plan().sessions[0]
    #expect(session.clientCertificate == "/jobs/me.pem")
    #expect(session.clientKey == "/jobs/keys/me.key")
    #expect(session.pinnedPublicKey == "/jobs/pin.pem")
    let digest = "sha256//" + String(repeating: "A", count: 43) + "="
    let pinned = try JobCase.session("tls: { pinned_public_key: '\(digest);\(digest)' }").plan()
    #expect(pinned.sessions[0].pinnedPublicKey == "\(digest);\(digest)")
  }

  @Test(arguments: [
    ("⟪{ for: { host: h } }⟫", DiagnosticID.missingKey, "user` and `password"),
    ("⟪{ for: { host: h }, user: me, method: basic }⟫", .missingKey, "password"),
    ("⟪{ for: { host: h }, method: bearer }⟫", .missingKey, "password"),
    ("⟪{ for: { host: h }, method: aws_sigv4, user: a, password: b }⟫", .missingKey, "region"),
    ("{ for: { host: h }, method: bearer, ⟪user⟫: a, password: b }", .conflict, "user"),
    ("{ for: { host: h }, method: negotiate, ⟪password⟫: b }", .conflict, "password"),
    ("{ for: { host: h }, user: a, password: b, ⟪region⟫: x }", .conflict, "region"),
    ("{ for: { host: h }, user: a, password: b, ⟪service⟫: x }", .conflict, "service"),
    (
      "{ for: { host: h, ⟪realm⟫: r }, method: ntlm, user: a, password: b }", .conflict,
      "realm"
    ),
    ("{ for: { ⟪hots⟫: h }, method: negotiate }", .unknownKey, "hots"),
    ("{ for: { host: h }, ⟪methud⟫: basic }", .unknownKey, "methud"),
    ("{ for: { host: h }, method: ⟪kerberos⟫ }", .badValue, "kerberos"),
    ("{ for: { host: h, port: ⟪0⟫ }, method: negotiate }", .outOfRange, "0"),
  ])
  func aCredentialIsChecked(written: String, id: DiagnosticID, says: String) {
    JobCase.session("credentials: [\(written)]").finds(id, says: says)
    JobCase.download("credentials: [\(written)]").finds(id, says: says)
  }

  @Test func aPasswordInClearIsWarnedOfButNotOnThisMachine() {
    func field(_ host: String) -> String {
      "credentials: [{ for: { host: \(host), protocol: http }, ⟪method⟫: basic, user: a, "
        + "password: b }]"
    }
    JobCase.session(field("h.example")).finds(.clearPassword, .warning, hint: "https")
    #expect(JobCase.session(field("127.0.0.1")).planned.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("tls: { ⟪client_key⟫: k }", DiagnosticID.missingKey),
    ("tls: { pinned_public_key: ⟪sha256//AAAA⟫ }", .badValue),
    ("tls: { pinned_public_key: ⟪'sha256:aa'⟫ }", .badValue),
  ])
  func tlsIsChecked(fields: String, id: DiagnosticID) {
    JobCase.session(fields).finds(id)
  }
}

import FaultOrigin
import Testing

/// `credentials`: sent to their protection space and nowhere else, by the real binary to a server
/// that says what it saw.
@Suite struct CredentialTests {
  private let scene: AuthScene

  init() throws { scene = try AuthScene() }

  /// Wants `user:password` by Basic for its realm.
  private static func guarded(
    _ request: SeenRequest, _ wanted: String, realm: String = "Files"
  ) -> [OriginStep] {
    if request.basic == wanted { return .answer(200, body: "for \(wanted)") }
    return .answer(401, ["WWW-Authenticate: Basic realm=\"\(realm)\""], body: "no")
  }

  private func credential(_ origin: ScriptedOrigin, _ more: String, space: String = "") -> String {
    "{ for: { host: 127.0.0.1, port: \(origin.port), protocol: http\(space) }, \(more) }"
  }

  private func data(_ origin: ScriptedOrigin, _ more: String = "", path: String = "/a") -> String {
    "tasks:\n- { id: a, data: '\(origin.url(path))'\(more) }\n"
  }

  private func session(_ credentials: String...) -> String {
    "sessions: { default: { credentials: [\(credentials.joined(separator: ", "))] } }\n"
  }

  // MARK: Schemes

  @Test func basicIsSentAtOnce() throws {
    let origin = try ScriptedOrigin { Self.guarded($0, "me:pw:x") }
    let outcome = try scene.run(
      session(credential(origin, "method: basic, user: me, password: 'pw:x'")) + data(origin))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(outcome.statuses("a") == [200])
    // What comes back is masked too.
    #expect(outcome.task("a")?["body"]?.text == "for ***")
  }

  @Test func anyWaitsForTheChallengeAndIsRememberedFromThereDown() throws {
    let origin = try ScriptedOrigin { Self.guarded($0, "me:pw") }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw"))
        + """
        tasks:
        - { id: a, data: '\(origin.url("/x/1"))' }
        - { id: b, data: '\(origin.url("/x/y/2"))', after: [a] }
        - { id: c, data: '\(origin.url("/3"))', after: [b] }
        """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(outcome.statuses("a") == [401, 200])
    #expect(outcome.statuses("b") == [200])
    #expect(outcome.statuses("c") == [401, 200])
    #expect(outcome.task("a")?["attempts"]?.integer == 1)
  }

  @Test func bearerSendsItsToken() throws {
    let origin = try ScriptedOrigin { request in
      request["Authorization"] == "Bearer t0k/en" ? .answer(200) : .answer(401)
    }
    let outcome = try scene.run(
      data(
        origin, ", credentials: [\(credential(origin, "method: bearer, password: t0k/en"))]"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(origin.seen.count == 1)
  }

  // MARK: Protection spaces

  @Test(arguments: [
    "host: localhost, port: PORT, protocol: http", "host: 127.0.0.1, protocol: http",
    "host: 127.0.0.1, port: PORT", "host: 127.0.0.1, port: PORT, protocol: http, realm: files",
  ])
  func anotherSpaceGetsNothing(space: String) throws {
    let origin = try ScriptedOrigin { Self.guarded($0, "me:pw") }
    let space = space.replacing("PORT", with: String(origin.port))
    let outcome = try scene.run(
      session("{ for: { \(space) }, user: me, password: pw, method: basic }") + data(origin))
    #expect(outcome.code("a") == "auth")
    #expect(origin.seen.map(\.basic) == [nil])
  }

  @Test func eachRealmGetsItsOwn() throws {
    let origin = try ScriptedOrigin { request in
      request.target == "/files/1"
        ? Self.guarded(request, "f:1") : Self.guarded(request, "m:2", realm: "Mail")
    }
    let outcome = try scene.run(
      session(
        credential(origin, "user: f, password: 1", space: ", realm: Files"),
        credential(origin, "user: m, password: 2", space: ", realm: Mail"))
          + """
          tasks:
          - { id: a, data: '\(origin.url("/files/1"))' }
          - { id: b, data: '\(origin.url("/mail/2"))' }
          """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(origin.seen.filter { $0.target == "/files/1" }.map(\.basic) == [nil, "f:1"])
    #expect(origin.seen.filter { $0.target == "/mail/2" }.map(\.basic) == [nil, "m:2"])
  }

  @Test func aTasksOwnReplaceItsSessions() throws {
    let origin = try ScriptedOrigin { _ in .answer(200) }
    let own = credential(origin, "method: basic, user: task, password: p")
    let outcome = try scene.run(
      session(credential(origin, "method: basic, user: session, password: p"))
        + """
        tasks:
        - { id: a, data: '\(origin.url())' }
        - { id: b, after: [a], data: '\(origin.url())', credentials: [\(own)] }
        - { id: c, after: [b], data: '\(origin.url())', credentials: [] }
        """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(origin.seen.map(\.basic) == ["session:p", "task:p", nil])
  }

  // MARK: Redirects

  @Test func aRedirectTakesNoCredentialAlongAndFindsItsOwn() throws {
    let stranger = try ScriptedOrigin { _ in .answer(200, body: "open") }
    let friend = try ScriptedOrigin { Self.guarded($0, "two:2") }
    let origin = try ScriptedOrigin { request in
      if request.basic != "one:1" { return .answer(401) }
      let place = request.target == "/a" ? stranger.url("/s") : friend.url("/f")
      return .answer(302, ["Location: \(place)"])
    }
    let outcome = try scene.run(
      session(
        credential(origin, "method: basic, user: one, password: 1"),
        credential(friend, "method: basic, user: two, password: 2"))
          + """
          tasks:
          - { id: a, data: '\(origin.url("/a"))' }
          - { id: b, data: '\(origin.url("/b"))' }
          """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(stranger.seen.map { $0["Authorization"] } == [nil])
    #expect(friend.seen.map(\.basic) == ["two:2"])
  }

  @Test func aRedirectBackIsAnsweredAnew() throws {
    let origin = try ScriptedOrigin { request in
      if request.basic != "me:pw" {
        return .answer(401, ["WWW-Authenticate: Basic realm=\"r\""])
      }
      return request.target == "/a"
        ? .answer(307, ["Location: /b/c"]) : .answer(200, body: request.text)
    }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw"))
        + data(origin, ", method: PUT, body: hello"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(outcome.task("a")?["body"]?.text == "hello")
    #expect(outcome.statuses("a") == [401, 307, 200])
  }

  // MARK: Refusals

  @Test func wrongCredentialsAreAskedOnceAndToldWithSpaceRealmAndSchemes() throws {
    let origin = try ScriptedOrigin { Self.guarded($0, "me:right") }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: wrong")) + data(origin))
    #expect(outcome.ended.code == 1)
    #expect(outcome.code("a") == "auth")
    #expect(outcome.statuses("a") == [401, 401])
    let message = outcome.message("a")
    for word in [
      "401", "http://127.0.0.1:\(origin.port)", "refused", "\"Files\"", "basic",
      "user and password",
    ] {
      #expect(message.contains(word), "\(message)")
    }
    #expect(!outcome.ended.out.contains("wrong"))
  }

  @Test func withoutCredentialsTheMessageSaysWhatToWrite() throws {
    let origin = try ScriptedOrigin { _ in
      .answer(
        401, ["WWW-Authenticate: Digest realm=\"R S\", nonce=\"n\"", "WWW-Authenticate: NTLM"])
    }
    let outcome = try scene.run(data(origin))
    #expect(outcome.code("a") == "auth")
    let message = outcome.message("a")
    #expect(message.contains("realm \"R S\" and takes digest, ntlm"), "\(message)")
    #expect(
      message.contains(
        "credentials: [{ for: { host: 127.0.0.1, port: \(origin.port), protocol: http, "
          + "realm: \"R S\" }, user: …, password: … }]"), "\(message)")
  }

  @Test func basicIsNotSentInClearBesideSomethingBetter() throws {
    let origin = try ScriptedOrigin { _ in
      .answer(401, ["WWW-Authenticate: Negotiate, Basic realm=\"r\""])
    }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw")) + data(origin))
    #expect(outcome.code("a") == "auth")
    #expect(origin.seen.allSatisfy { $0.basic == nil })
  }

  @Test func aHeaderOfTheJobsOwnIsLeftAlone() throws {
    let origin = try ScriptedOrigin { .answer(200, body: $0["Authorization"] ?? "none") }
    let outcome = try scene.run(
      session(credential(origin, "method: basic, user: me, password: pw"))
        + data(origin, ", headers: { Authorization: Own x }"))
    #expect(outcome.task("a")?["body"]?.text == "Own x")
    #expect(origin.seen[0].fields.filter { $0.name == "Authorization" }.count == 1)
  }

  // MARK: Bodies

  /// libcurl itself expects 100 Continue for files, and for no texts and forms of this size.
  @Test(arguments: ["body: { file: big }", "body: BIG"])
  func aBodyIsNotSentBeforeTheChallengeIsAnswered(body: String) throws {
    let big = String(repeating: "x", count: 300_000)
    try scene.folder.write("big", big)
    let origin = try ScriptedOrigin(
      beforeBody: { request in
        request.basic == nil
          ? .answer(401, ["WWW-Authenticate: Basic realm=\"r\"", "Connection: close"]) + [.close]
          : nil
      },
      { .answer(201, body: String($0.body.count)) })
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw"))
        + data(origin, ", method: POST, " + body.replacing("BIG", with: big)))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(outcome.task("a")?["body"]?.text == "300000")
    #expect(outcome.task("a")?["bytes_sent"]?.integer == 300_000)
  }

  @Test func aPOSTIsRepeatedFromItsStartAfterTheChallenge() throws {
    let origin = try ScriptedOrigin { request in
      request.basic == nil
        ? .answer(401, ["WWW-Authenticate: Basic realm=\"r\""]) : .answer(200, body: request.text)
    }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw"))
        + data(origin, ", method: POST, body: once"))
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(outcome.task("a")?["body"]?.text == "once")
    #expect(origin.seen.map(\.text) == ["once", "once"])
  }

  @Test func aDownloadIsResumedWithItsCredential() throws {
    let whole = String(repeating: "0123456789", count: 1000)
    let origin = try ScriptedOrigin { request in
      guard request.basic == "me:pw" else {
        return .answer(401, ["WWW-Authenticate: Basic realm=\"r\""], body: "no")
      }
      guard request["Range"] != nil else {
        return .raw(
          "HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 10000\r\n\r\n" + whole.prefix(4000))
          + [.close]
      }
      return .answer(
        206, ["ETag: \"e\"", "Content-Range: bytes 4000-9999/10000"],
        body: String(whole.dropFirst(4000)))
    }
    let outcome = try scene.run(
      session(credential(origin, "user: me, password: pw"))
        + "tasks: [{ id: a, download: '\(origin.url("/f"))', to: out, retry: { backoff: 0 } }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(scene.folder.read("out") == whole)
  }

  @Test func aChecksumListIsFetchedAsItsSessionIs() throws {
    let origin = try ScriptedOrigin { request in
      guard request.basic == "session:p" || request.target == "/f" && request.basic == "task:p"
      else { return .answer(401) }
      let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
      return .answer(200, body: request.target == "/f" ? "hello" : "\(sum)  f\n")
    }
    let own = credential(origin, "method: basic, user: task, password: p")
    let outcome = try scene.run(
      session(credential(origin, "method: basic, user: session, password: p"))
        + """
        tasks:
        - id: a
          download: '\(origin.url("/f"))'
          to: f
          checksum: { file: '\(origin.url("/sums"))' }
          credentials: [\(own)]
        """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.err)")
    #expect(origin.seen.map(\.basic) == ["session:p", "task:p"])
  }
}

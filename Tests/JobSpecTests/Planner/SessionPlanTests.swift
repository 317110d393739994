import JobSpec
import Testing
import TransferCore

@Suite struct SessionPlanTests {
  @Test func everyFieldArrives() throws {
    let plan = try JobCase.session(
      """
      type: ephemeral, connect_timeout: 5s, ip_version: 6, http_version: "1.1",
      should_use_pipelining: true, max_connections_per_host: 2,
      tls: { minimum: "1.2", maximum: "1.3", ca_file: ca.pem }, protocols: [HTTPS],
      proxy: none, resolve: { "h.example:443": "127.0.0.1" },
      connect_to: { "h.example:443": "other:8443" }, timeout_for_request: 7,
      timeout_for_resource: 1d,
      minimum_speed: { rate: 1 KiB/s, for: 30s }, cache: { policy: reload_revalidating_cache_data },
      redirects: { follow: same_host, max: 3, allow_downgrade: true, protocols: [https] },
      retry: { attempts: unlimited, backoff: 2s, max_backoff: 9s, also: [404], unsafe: true }
      """
    ).plan()
    var session = SessionPlan(name: "s")
    session.kind = .ephemeral
    session.cookies.storage = .memory
    session.connectTimeout = .seconds(5)
    session.ipVersion = .six
    session.httpVersion = .one
    session.multiplexes = true
    session.maxConnectionsPerHost = 2
    session.tlsMaximum = .oneThree
    session.caFile = "/jobs/ca.pem"
    session.credentialStorage = .none
    session.protocols = ["https"]
    session.proxy = .none
    session.resolve = ["h.example:443:127.0.0.1"]
    session.connectTo = ["h.example:443:other:8443"]
    #expect(plan.sessions[0] == session)
    var policy = TransferPolicy()
    policy.timeoutForRequest = .seconds(7)
    policy.timeoutForResource = .seconds(86_400)
    policy.minimumSpeed = MinimumSpeed(bytesPerSecond: 1024, period: .seconds(30))
    policy.cachePolicy = .reloadRevalidatingCacheData
    policy.redirects.follow = .sameHost
    policy.redirects.max = 3
    policy.redirects.allowDowngrade = true
    policy.redirects.protocols = ["https"]
    policy.retry.attempts = nil
    policy.retry.backoff = .seconds(2)
    policy.retry.maxBackoff = .seconds(9)
    policy.retry.on.append(.status(404))
    policy.retry.unsafe = true
    #expect(plan.policies == [policy])
  }

  @Test func aSessionDefaultExistsWithoutBeingNamed() throws {
    let plan = try JobCase.download("optional: true").plan()
    #expect(plan.sessions == [SessionPlan(name: "default")])
    #expect(plan.policies == [TransferPolicy()])
  }

  @Test func extendsCopiesKeyByKey() throws {
    let plan = try JobCase.job(
      """
      sessions:
        b: { extends: a, tls: { insecure: true }, retry: { on: [timeout] }, headers: { x-one: 2 } }
        a:
          max_connections_per_host: 3
          tls: { maximum: "1.3" }
          retry: { attempts: 9 }
          headers: { X-One: 1, X-Two: 2 }
      tasks:
      - { id: t, session: b, data: 'https://h/' }
      """
    ).plan()
    #expect(plan.sessions[0].maxConnectionsPerHost == 3)
    #expect(plan.sessions[0].tlsMaximum == .oneThree)
    #expect(plan.sessions[0].insecure)
    #expect(!plan.sessions[1].insecure)
    #expect(plan.policies[0].retry.attempts == 9)
    #expect(plan.policies[0].retry.on == [.timeout])
    #expect(plan.tasks[0].request.headers.map(\.name) == ["User-Agent", "X-Two", "x-one"])
  }

  @Test func cookiesAreCopiedKeyByKey() throws {
    let plan = try JobCase.job(
      """
      sessions:
        a: { cookies: { accept_policy: always, storage: jar.txt, should_set: false } }
        b: { extends: a, cookies: { keep_session: true, storage: private } }
        c: { type: ephemeral }
        d: { type: ephemeral, cookies: { storage: none, accept_policy: never } }
      tasks: { t: { session: b, data: 'https://h/' } }
      """
    ).plan()
    var first = CookiePlan()
    first.acceptPolicy = .always
    first.storage = .file("/jobs/jar.txt")
    first.sendsStored = false
    var second = first
    second.storage = .private
    second.keepsSessionCookies = true
    #expect(plan.sessions[0].cookies == first)
    #expect(plan.sessions[1].cookies == second)
    #expect(plan.sessions[2].cookies.storage == .memory)
    #expect(plan.sessions[3].cookies.storage == .none)
    #expect(plan.sessions[3].cookies.acceptPolicy == .never)
    #expect(plan.sessions[4].cookies == CookiePlan())
  }

  @Test func anEphemeralSessionKeepsNoJarOnDisk() {
    for storage in ["shared", "private", "jar.txt"] {
      JobCase.session("type: ephemeral, cookies: { storage: ⟪\(storage)⟫ }")
        .finds(.ephemeralStorage, path: "sessions.s.cookies.storage")
    }
  }

  @Test func aBackgroundSessionIsReadWhole() throws {
    let plan = try JobCase.job(
      """
      sessions:
        b: { type: background, identifier: org.x, shared_container: ../pool }
      tasks:
      - { id: a, session: b, download: 'https://h/a', to: x/a }
      - { id: b, session: b, download: 'https://h/b', to: /abs/b }
      - { id: c, session: b, upload: up, to: 'https://h/c' }
      - { id: d, download: 'https://h/d', to: d }
      """
    ).plan()
    #expect(plan.sessions[0].kind == .background)
    #expect(plan.sessions[0].identifier == "org.x")
    #expect(plan.sessions[0].sharedContainer == "/pool")
    #expect(plan.tasks.map(\.path) == ["/pool/x/a", "/abs/b", nil, "/jobs/d"])
    #expect(plan.unavailable.isEmpty)
  }

  @Test func extendsIsChecked() {
    func sessions(_ text: String) -> JobCase {
      .job("sessions:\n\(text)tasks: []\nallow_empty: true\n")
    }
    sessions("  web: {}\n  b: { extends: ⟪wbe⟫ }\n").finds(.unknownSession, hint: "`web`")
    sessions("  a: { extends: b }\n  b: { extends: ⟪a⟫ }\n")
      .finds(.extendsCircle, says: "a -> b -> a")
    sessions("  a: { extends: ⟪a⟫ }\n").finds(.extendsCircle)
    sessions("  a: { type: background, identifier: x }\n  b: { extends: ⟪a⟫ }\n")
      .finds(.extendsBackground)
    sessions(
      "  a: { type: background, identifier: x }\n  b: { type: background, identifier: ⟪x⟫ }\n"
    ).finds(.duplicateIdentifier)
  }

  @Test(arguments: [
    ("⟪identifier⟫: x", DiagnosticID.backgroundOnly), ("⟪discretionary⟫: true", .backgroundOnly),
    ("⟪shared_container⟫: x", .backgroundOnly),
    ("⟪sends_launch_events⟫: false", .backgroundOnly),
    ("headers: { ⟪Host⟫: x }", .refusedHeader),
    ("headers: { ⟪content-length⟫: 1 }", .refusedHeader),
    ("headers: [[⟪Connection⟫, x]]", .refusedHeader), ("headers: { ⟪'A B'⟫: x }", .badName),
    ("headers: { A: ⟪\"x\\ny\"⟫ }", .badValue), ("headers: { A: 1, ⟪a⟫: 2 }", .duplicateHeader),
    ("headers: { A: { value: x, scope: ⟪all⟫ } }", .badValue),
    ("tls: { minimum: '1.3', maximum: ⟪'1.2'⟫ }", .tlsOrder),
    ("tls: { minimum: ⟪'1.4'⟫ }", .badValue), ("http_version: ⟪2.5⟫", .badValue),
    ("resolve: { ⟪'h'⟫: x }", .badName), ("connect_to: { 'h:1': ⟪x⟫ }", .badValue),
    ("protocols: [⟪gopher⟫]", .badValue), ("retry: { on: [⟪700⟫] }", .badValue),
    ("retry: { attempts: ⟪0⟫ }", .badValue),
    ("minimum_speed: { rate: ⟪1 KiB⟫, for: 1s }", .badValue),
    ("proxy: ⟪off⟫", .badValue), ("⟪proxy⟫: { no_proxy: [a.example] }", .missingKey),
    ("proxy: { all: ⟪'ftp://h:1'⟫ }", .badAddress), ("proxy: { all: ⟪'http://h:x'⟫ }", .badAddress),
    ("proxy: { http: ⟪'http://h:1/path'⟫ }", .badAddress),
    ("proxy: { https: ⟪'//'⟫ }", .badAddress),
    ("proxy: { all: 'h:1', no_proxy: [⟪'*.example.org'⟫] }", .badValue),
    ("proxy: { all: 'h:1', no_proxy: [a, ⟪'10.0.0.0/33'⟫] }", .badValue),
    ("proxy: { all: 'h:1', no_proxy: [⟪'a,b'⟫] }", .badValue),
    ("proxy: { all: 'h:1', no_proxy: [⟪'a:80'⟫] }", .badValue), ("type: ⟪emphemeral⟫", .badValue),
  ])
  func sessionsAreChecked(fields: String, id: DiagnosticID) {
    JobCase.session(fields).finds(id)
  }

  @Test(arguments: [
    ("headers: { ⟪Authorization⟫: x }", DiagnosticID.authorizationHeader),
    ("headers: { ⟪Accept⟫: }", .bareHeader), ("tls: { ⟪insecure⟫: true }", .insecure),
    ("tls: { ⟪minimum⟫: '1.1' }", .weakTLS),
  ])
  func riskySessionsAreWarnedOf(fields: String, id: DiagnosticID) {
    JobCase.session(fields).finds(id, .warning)
  }

  @Test func pipeliningSaysThatHTTP1HasNone() {
    JobCase.session("⟪should_use_pipelining⟫: true").finds(.pipelining, .note, says: "HTTP/1.1")
  }

  @Test func backgroundNeedsAnIdentifierAndFiles() {
    JobCase.session("type: background").finds(.missingKey, says: "identifier")
    let head = "sessions: { b: { type: background, identifier: x } }\ntasks:\n"
    JobCase.job(head + "- { id: a, session: b, ⟪data⟫: 'https://h/' }\n").finds(.backgroundTask)
    JobCase.job(head + "- { id: a, session: b, upload: ⟪{ body: x }⟫, to: 'https://h/' }\n")
      .finds(.backgroundTask)
  }

  @Test func unusedSessionsAndVarsAreWarnedOf() {
    let job = JobCase.job(
      "vars: { v: 1 }\nsessions: { s: {} }\ntasks: { a: { data: 'https://h/' } }\n")
    job.finds(.unusedSession, .warning, path: "sessions.s")
    job.finds(.unusedVariable, .warning, path: "vars.v")
    let used = JobCase.job(
      "sessions: { a: {}, b: { extends: a } }\ntasks: { a: { session: b, data: 'https://h/' } }\n")
    #expect(used.planned.diagnostics.isEmpty)
  }

  @Test func headersAreMergedByNameWithoutCase() throws {
    let plan = try JobCase.job(
      """
      sessions:
        s: { headers: { Accept: a, X-One: 1, X-Two: { value: 2, scope: any }, X-Gone: 3 } }
      defaults: { headers: { X-Default: d, X-ONE: d } }
      tasks:
      - { id: a, session: s, data: 'https://h/', headers: { x-one: 9, X-Gone: null, X-Empty: "" } }
      - { id: b, session: s, data: 'https://h/', headers: [[X-R, 1], [X-R, 2], [user-agent, me]] }
      """
    ).plan()
    let first = plan.tasks[0].request.headers
    #expect(
      first.map(\.name) == [
        "User-Agent", "Accept", "X-Two", "X-Default", "x-one", "X-Gone", "X-Empty",
      ])
    #expect(
      first.map { $0.value?.literal } == ["jobrun/1.2.3", "a", "2", "d", "9", nil, ""])
    #expect(first.map(\.scope) == [.any, .any, .any, .origin, .origin, .origin, .origin])
    let second = plan.tasks[1].request.headers
    #expect(
      second.map { "\($0.name)=\($0.value?.literal ?? "")" } == [
        "Accept=a", "X-Two=2", "X-Gone=3", "X-Default=d", "X-ONE=d", "X-R=1", "X-R=2",
        "user-agent=me",
      ])
    #expect(second.last?.scope == .any)
  }

  @Test func proxiesOfTheJobsOwnAreRead() throws {
    let plan = try JobCase.job(
      """
      secrets: { p: { env: P } }
      sessions:
        s:
          proxy: { http: "socks5h://[::1]:1080", all: "u:${secrets.p}@h:3128", user: u,
            auth: digest, no_proxy: [example.org, "fd00::/8", "::1", "*"],
            headers: { X-A: b }, tunnel: true }
      tasks: { a: { session: s, data: 'https://h/' } }
      """
    ).plan()
    var own = ProxyPlan()
    own.http = PlanText("socks5h://[::1]:1080")
    own.all = PlanText(
      pieces: [.literal("u:"), .secret(name: "p", encoding: nil), .literal("@h:3128")])
    own.user = PlanText("u")
    own.authentication = .digest
    own.noProxy = ["example.org", "fd00::/8", "::1", "*"]
    own.headers = [HeaderField(name: "X-A", value: PlanText("b"), scope: .origin)]
    own.tunnels = true
    #expect(plan.sessions[0].proxy == .own(own))
  }

  @Test func aFaultyProxyIsToldOnceThoughAnotherSessionExtendsIt() {
    let planned = JobCase.job(
      """
      sessions: { a: { proxy: { all: 'ftp://h:1' } }, b: { extends: a } }
      tasks: { t: { session: b, data: 'https://h/' } }
      """
    ).planned
    #expect(planned.diagnostics.filter { $0.id == "bad-address" }.count == 1)
  }

  @Test func ratesAndServiceTypesAreTheJobsTheSessionsAndTheTasks() throws {
    let plan = try JobCase.job(
      """
      rate_limit: { download: 10 MiB/s, upload: unlimited }
      sessions: { s: { rate_limit: { upload: 1 KB/s }, network_service_type: video } }
      tasks:
        a: { session: s, data: 'https://h/' }
        b: { session: s, data: 'https://h/', rate_limit: { download: 1 MB/s } }
        c: { session: s, data: 'https://h/', network_service_type: voice }
      """
    ).plan()
    #expect(plan.settings.rateLimit == RateLimit(download: 10 << 20))
    #expect(plan.sessions[0].rateLimit == RateLimit(upload: 1_000))
    let policies = plan.tasks.map { plan.policies[$0.policy] }
    #expect(policies.map(\.rateLimit) == [nil, RateLimit(download: 1_000_000), nil])
    #expect(policies.map(\.serviceType) == [.video, .video, .voice])
  }
}

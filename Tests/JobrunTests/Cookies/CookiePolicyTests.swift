import Testing

/// Whose cookies are taken, whether stored ones go out, and the job's own Cookie header.
@Suite struct CookiePolicyTests {
  private let scene: CookieScene

  init() throws { scene = try CookieScene(CookieScene.setting) }

  private func write(_ cookies: String, _ tasks: [String]) throws {
    try scene.write(sessions: [("s", "cookies: { \(cookies) }")], tasks: tasks)
  }

  /// A first address whose answer sets `a` and leads on to one that sets `b`; then both are asked.
  private func tasks(over host: String) -> [String] {
    [
      scene.get("www.shop.example", "/?c=a=1&to=\(scene.url(host, "/?c=b=2"))"),
      scene.get("www.shop.example", "/"), scene.get(host, "/"),
    ]
  }

  @Test(arguments: [
    ("other.example", "only_from_main_document_domain", ["", "", "a=1", ""]),
    ("other.example", "always", ["", "", "a=1", "b=2"]),
    ("other.example", "never", ["", "", "", ""]),
    ("api.shop.example", "only_from_main_document_domain", ["", "", "a=1", "b=2"]),
    ("api.shop.example", "never", ["", "", "", ""]),
    ("me.github.io", "only_from_main_document_domain", ["", "", "a=1", ""]),
  ])
  func whoseCookiesAreTaken(host: String, policy: String, sent: [String]) throws {
    try write("accept_policy: \(policy)", tasks(over: host))
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == sent)
  }

  @Test func theDefaultTakesThoseOfTheMainDocumentsDomain() throws {
    try scene.write(tasks: tasks(over: "other.example"))
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "", "a=1", ""])
  }

  /// Neighbours below one public suffix are not one party.
  @Test func aSuffixIsNoParty() throws {
    let there = scene.url("you.github.io", "/?c=b=2")
    try scene.write(tasks: [
      scene.get("me.github.io", "/?to=\(there)"), scene.get("you.github.io", "/"),
    ])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "", ""])
  }

  @Test func whatAHopSetsGoesWithTheNext() throws {
    let second = scene.url("www.shop.example", "/2")
    let first = scene.get("www.shop.example", "/1?c=a=1~Path=/&to=\(second)")
    try scene.write(tasks: [first])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "a=1"])
  }

  @Test func neverStillSendsWhatIsThere() throws {
    try scene.folder.write(
      "jar.txt",
      "www.shop.example\tFALSE\t/\tFALSE\t0\ta\t1\nwww.shop.example\tFALSE\t/x\tFALSE\t0\tb\t2\n"
        + "other.example\tFALSE\t/\tFALSE\t0\tc\t3\nwww.shop.example\tFALSE\t/\tFALSE\t9\td\t4\n")
    try write(
      "accept_policy: never, storage: jar.txt",
      [
        scene.get("www.shop.example", "/?c=a=9&c=n=9"),
        scene.get("www.shop.example", "/x", "headers: { Cookie: own=1 }"),
      ])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["a=1", "b=2; a=1; own=1"])
  }

  // MARK: should_set

  @Test func shouldSetFalseStoresAndDoesNotSend() throws {
    try write(
      "storage: jar.txt, keep_session: true, should_set: false",
      [
        scene.get("www.shop.example", "/?c=a=1&c=b=2"), scene.get("www.shop.example", "/?c=c=3"),
        scene.get("www.shop.example", "/?c=b=~Max-Age=0", "headers: { Cookie: own=1 }"),
      ])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == ["", "", "own=1"])
    let names = CookieScene.lines(scene.folder.read("jar.txt")).map { $0.split(separator: "\t")[5] }
    #expect(names == ["a", "c"])
  }

  @Test func storageNoneNeitherKeepsNorSends() throws {
    try write(
      "storage: none",
      [
        scene.get("www.shop.example", "/?c=a=1~Max-Age=60"),
        scene.get("www.shop.example", "/", "headers: { Cookie: own=1 }"),
      ])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "own=1"])
    #expect(scene.shared == nil)
  }

  // MARK: The job's own header

  @Test func theJobsCookieJoinsInOneLine() throws {
    let own = "headers: { Cookie: own=1 }"
    try scene.write(tasks: [
      scene.get("www.shop.example", "/?c=a=1", own), scene.get("www.shop.example", "/", own),
      scene.get("www.shop.example", "/"),
      scene.get("www.shop.example", "/", "headers: [[cookie, x=1], [Cookie, y=2]]"),
    ])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == ["own=1", "a=1; own=1", "a=1", "a=1; x=1; y=2"])
  }

  @Test func aCookieOfNullSendsNone() throws {
    try scene.write(tasks: [
      scene.get("www.shop.example", "/?c=a=1"),
      scene.get("www.shop.example", "/?c=b=2", "headers: { Cookie: null }"),
      scene.get("www.shop.example", "/"),
    ])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent[..<2] == ["", ""])
    #expect(Set(scene.sent[2].split(separator: "; ")) == ["a=1", "b=2"])
  }

  /// The header stays behind when the origin changes; what is stored for the other host goes.
  @Test(arguments: [
    ("other.example", ["", "own=1", "b=2"]), ("www.shop.example", ["", "own=1", "own=1"]),
  ])
  func theHeaderStaysBehind(host: String, sent: [String]) throws {
    let set = scene.get("other.example", "/?c=b=2")
    let hop = scene.get(
      "www.shop.example", "/?to=\(scene.url(host, "/"))", "headers: { Cookie: own=1 }")
    try scene.write(tasks: [set, hop])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == sent)
  }

  @Test func aHeaderForAnyOriginGoesAlong() throws {
    let hop = scene.get(
      "www.shop.example", "/?to=\(scene.url("other.example", "/"))",
      "headers: { Cookie: { value: own=1, scope: any } }")
    try scene.write(tasks: [hop])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["own=1", "own=1"])
  }
}

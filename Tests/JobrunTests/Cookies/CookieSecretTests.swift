import Testing

/// A cookie's value is a secret: it is in the jar and in the request, and nowhere else.
@Suite struct CookieSecretTests {
  private static let value = "s3cr3t-cookie-value"
  private let scene: CookieScene

  init() throws { scene = try CookieScene(CookieScene.setting) }

  private func files(below path: String) throws -> String {
    try ChildProcess(
      "/usr/bin/grep", ["-rl", Self.value, path], environment: ["PATH=/usr/bin:/bin"]
    ).wait().out
  }

  @Test func itIsInNoOutputAndInNoFileButTheJar() throws {
    let host = "www.shop.example"
    try scene.write(
      sessions: [("s", "http_version: \"1.1\"")],
      tasks: [
        scene.get(host, "/?to=\(scene.url(host, "/set"))").replacing(
          "/?to=", with: "/?c=sid=\(Self.value)~Max-Age=60~HttpOnly&to="),
        scene.get(host, "/", "headers: { Cookie: own=\(Self.value) }"),
      ])
    // The addresses hold it only because the test's server is told by them what to set.
    let job = scene.folder.read("job.yaml")?.replacing("c=sid=\(Self.value)~", with: "c=VALUE~")
    try scene.folder.write("job.yaml", try #require(job))
    let server = try CookieScene { request in
      CookieScene.setting(
        TinyServer.Request(
          line: request.line.replacing("c=VALUE~", with: "c=sid=\(Self.value)~"),
          head: request.head, body: ""))
    }
    let text = try #require(scene.folder.read("job.yaml"))
    try scene.folder.write(
      "job.yaml", text.replacing(":\(scene.server.port)", with: ":\(server.server.port)"))
    let ended = try scene.run("job", ["-vv", "--json"])
    #expect(ended.code == 0, "\(ended.err)")
    #expect(server.sent == ["", "sid=\(Self.value)", "sid=\(Self.value); own=\(Self.value)"])
    #expect(!ended.err.contains(Self.value), "\(ended.err)")
    #expect(!ended.out.contains(Self.value), "\(ended.out)")
    // What isn't secret is shown.
    #expect(ended.err.contains("< Set-Cookie: sid=***;Max-Age=60;HttpOnly"), "\(ended.err)")
    #expect(ended.err.contains("> Cookie: sid=***; own=***"))
    try scene.folder.write("job.yaml", "")
    let holders = try files(below: scene.folder.path)
    #expect(holders == "\(scene.folder.path)/data/jobrun/cookies.txt\n")
  }

  @Test func resultsShowNamesAndAttributes() throws {
    try scene.write(tasks: [
      scene.get("www.shop.example", "/?c=sid=\(Self.value)~Path=/~HttpOnly")
    ])
    let ended = try scene.run("job", ["--json"])
    #expect(ended.out.contains("sid=***;Path=/;HttpOnly"), "\(ended.out)")
  }

  // MARK: The plan

  @Test func thePlanNamesTheJarAndCountsItsCookies() throws {
    let line = "\tFALSE\t/\tFALSE\t4070908800\t"
    try scene.folder.write(
      "data/jobrun/cookies.txt",
      "www.shop.example\(line)a\t\(Self.value)\nother.example\(line)b\t\(Self.value)\n")
    try scene.write(
      sessions: [("s", ""), ("m", "cookies: { storage: memory }"), ("n", "type: ephemeral")],
      tasks: [
        scene.get("www.shop.example", "/"), scene.get("api.shop.example", "/"),
        scene.get("www.shop.example", "/").replacing("session: s", with: "session: m"),
        scene.get("www.shop.example", "/").replacing("session: s", with: "session: n"),
      ])
    let plan = try scene.run("job", ["plan", "--format", "json"])
    let jars = plan.out.split(separator: "\n").filter { $0.contains("\"jar\":") }
      .map { $0.filter { $0 != " " } }
    #expect(
      jars == [
        "\"jar\":\"shared\",", "\"jar\":\"shared\",", "\"jar\":\"memory\",", "\"jar\":\"memory\",",
      ])
    let counts = plan.out.split(separator: "\n").filter { $0.contains("\"count\":") }
      .map { $0.filter { $0.isNumber } }
    #expect(counts == ["1", "0", "0", "0"])
    let text = try scene.run("job", ["plan"])
    #expect(text.out.contains("2 cookies in the shared jar"), "\(text.out)")
    #expect(!plan.out.contains(Self.value) && !text.out.contains(Self.value))
    #expect(scene.sent.isEmpty)
  }
}

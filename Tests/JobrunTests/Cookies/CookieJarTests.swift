import Glibc
import Testing

/// Where cookies are kept: `cookies.storage` and `keep_session`.
@Suite struct CookieJarTests {
  private let scene: CookieScene
  private let host = "www.shop.example"

  init() throws { scene = try CookieScene(CookieScene.setting) }

  /// One job: its first task sets what `set` says, and a second run of the same job asks again.
  private func twice(_ cookies: String, set: String, job: String = "job") throws {
    let session = cookies.isEmpty ? "" : "cookies: { \(cookies) }"
    try scene.write(job, sessions: [("s", session)], tasks: [scene.get(host, "/?c=\(set)")])
    for _ in 0..<2 {
      let ended = try scene.run(job)
      #expect(ended.code == 0, "\(ended.err)")
    }
  }

  private func mode(_ path: String) -> UInt32? {
    var facts = stat()
    return stat(scene.folder.path + "/" + path, &facts) == 0 ? UInt32(facts.st_mode & 0o7777) : nil
  }

  private func values(_ jar: String?) -> [String] {
    CookieScene.lines(jar).map {
      $0.split(separator: "\t")[5...].joined(separator: "=")
    }
  }

  // MARK: Which jar

  @Test func theDefaultIsOneJarForAllJobsOfTheUser() throws {
    try twice("", set: "a=1~Max-Age=60")
    #expect(scene.sent == ["", "a=1"])
    try twice("storage: shared", set: "b=2~Max-Age=60", job: "another")
    #expect(scene.sent[2] == "a=1")
    #expect(values(scene.shared) == ["a=1", "b=2"])
    #expect(scene.shared?.hasPrefix("# Netscape HTTP Cookie File\n") == true)
    #expect(mode("data/jobrun") == 0o700)
    #expect(mode("data/jobrun/cookies.txt") == 0o600)
  }

  @Test func aPrivateJarIsTheSessionsOwn() throws {
    try scene.write(
      sessions: [("s", "cookies: { storage: private }"), ("u", "cookies: { storage: private }")],
      tasks: [
        scene.get(host, "/?c=a=1~Max-Age=60"),
        scene.get(host, "/").replacing("session: s", with: "session: u"),
      ])
    #expect(try scene.run().code == 0)
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "", "a=1", ""])
    #expect(scene.shared == nil)
    #expect(values(scene.folder.read("state/jobrun/job/cookies-s.txt")) == ["a=1"])
    #expect(mode("state/jobrun/job/cookies-s.txt") == 0o600)
  }

  @Test func memoryEndsWithTheRun() throws {
    try twice("storage: memory", set: "a=1~Max-Age=60")
    #expect(scene.sent == ["", ""])
    #expect(scene.shared == nil)
  }

  @Test func anEphemeralSessionKeepsThemInMemory() throws {
    try scene.write(
      sessions: [("s", "type: ephemeral")],
      tasks: [scene.get(host, "/?c=a=1~Max-Age=60"), scene.get(host, "/")])
    #expect(try scene.run().code == 0)
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "a=1", "", "a=1"])
    #expect(scene.shared == nil)
  }

  /// Read and written back, its session cookies, comments and mode kept.
  @Test func aNamedFileIsReadAndWrittenBack() throws {
    let comment = "# mine\n"
    let kept =
      "\(host)\tFALSE\t/\tFALSE\t0\tlogin\tx\n#HttpOnly_.other.example\tTRUE\t/\tTRUE\t0\to\ty\n"
    let path = try scene.folder.write("cookies/mine.txt", comment + kept)
    chmod(path, 0o640)
    symlink("cookies/mine.txt", scene.folder.path + "/link.txt")
    try twice("storage: link.txt", set: "a=1~Max-Age=60&c=s=2")
    #expect(scene.sent[0] == "login=x")
    #expect(scene.sent[1] == "login=x; a=1" || scene.sent[1] == "a=1; login=x")
    let text = try #require(scene.folder.read("cookies/mine.txt"))
    #expect(text.hasPrefix(comment + kept))
    #expect(values(text) == ["login=x", "o=y", "a=1"])
    #expect(mode("cookies/mine.txt") == 0o640)
    var facts = stat()
    #expect(lstat(scene.folder.path + "/link.txt", &facts) == 0)
    #expect(facts.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func aNamedFileThatIsNotThereIsMade() throws {
    try twice("storage: new.txt", set: "a=1~Max-Age=60")
    #expect(values(scene.folder.read("new.txt")) == ["a=1"])
    #expect(mode("new.txt") == 0o600)
  }

  @Test func aRunThatChangesNothingWritesNothing() throws {
    let text = "\(host)\tFALSE\t/\tFALSE\t0\ta\t1"
    try scene.folder.write("jar.txt", text)
    try twice("storage: jar.txt", set: "a=1")
    #expect(scene.folder.read("jar.txt") == text)
    #expect(access(scene.folder.path + "/.jar.txt.lock", F_OK) != 0)
  }

  // MARK: How long

  @Test func sessionCookiesEndWithTheRun() throws {
    try twice("", set: "a=1&c=b=2~Max-Age=60")
    #expect(scene.sent == ["", "b=2"])
    #expect(values(scene.shared) == ["b=2"])
  }

  @Test func keepSessionLetsThemLive() throws {
    try twice("keep_session: true", set: "a=1")
    #expect(scene.sent == ["", "a=1"])
    #expect(values(scene.shared) == ["a=1"])
  }

  /// A cookie that a session cookie replaces is gone, and so is one that has expired.
  @Test func whatIsReplacedOrExpiredGoes() throws {
    let stale = "\(host)\tFALSE\t/\tFALSE\t9\told\t1\n\(host)\tFALSE\t/\tFALSE\t4070908800\ta\t1\n"
    try scene.folder.write("jar.txt", stale)
    try twice("storage: jar.txt", set: "a=2")
    #expect(scene.sent == ["a=1", ""])
    #expect(values(scene.folder.read("jar.txt")) == [])
  }

  @Test func aDeletedCookieIsGoneFromTheJar() throws {
    try scene.folder.write("jar.txt", "\(host)\tFALSE\t/\tFALSE\t4070908800\ta\t1\n")
    try twice("storage: jar.txt", set: "a=~Max-Age=0")
    #expect(scene.sent == ["a=1", ""])
  }

  // MARK: Several

  @Test func sessionsOfOneJobShareTheSharedJar() throws {
    try scene.write(
      sessions: [("s", ""), ("u", ""), ("m", "cookies: { storage: memory }")],
      tasks: [
        scene.get(host, "/?c=a=1"),
        scene.get(host, "/?c=b=2&c=a=~Max-Age=0").replacing("session: s", with: "session: u"),
        scene.get(host, "/"),
        scene.get(host, "/").replacing("session: s", with: "session: m"),
      ])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == ["", "a=1", "b=2", ""])
  }

  /// Each run's own cookie is there at the end, whichever wrote last.
  @Test func runsAtOnceLoseNothing() throws {
    let jobs = (0..<8).map { "job\($0)" }
    for (index, job) in jobs.enumerated() {
      try scene.write(
        job, tasks: (0..<2).map { scene.get(host, "/?c=n\(index)x\($0)=1~Max-Age=60") })
    }
    let runs = try jobs.map {
      try Jobrun.start(["\($0).yaml"], environment: scene.environment(), folder: scene.folder.path)
    }
    for run in runs {
      let ended = run.wait()
      #expect(ended.code == 0, "\(ended.err)")
    }
    #expect(values(scene.shared).count == jobs.count * 2)
  }

  /// Another run's newer cookie outlives the end of a run that knew the old one.
  @Test func aRunChangesOnlyWhatItsServersChanged() throws {
    let path = "data/jobrun/cookies.txt"
    let line = "\(host)\tFALSE\t/\tFALSE\t4070908800\t"
    try scene.folder.write(path, line + "a\t1\n")
    let jar = scene.folder.path + "/" + path
    let second = try CookieScene { request in
      // While this run is under way another one writes.
      if let file = fopen(jar, "we") {
        fputs(line + "a\t2\n" + line + "b\t3\n", file)
        fclose(file)
      }
      return CookieScene.setting(request)
    }
    try second.write(tasks: [second.get(host, "/?c=c=4~Max-Age=60")])
    let ended = try Jobrun.run(
      ["job.yaml"], environment: scene.environment(), folder: second.folder.path)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(second.sent == ["a=1"])
    #expect(values(scene.shared) == ["a=2", "b=3", "c=4"])
  }
}

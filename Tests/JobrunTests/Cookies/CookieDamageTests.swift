import Glibc
import Synchronization
import Testing

/// What can go wrong with a jar: damage, kills, full disks, folders that can't be written.
@Suite struct CookieDamageTests {
  private let scene: CookieScene
  private let host = "www.shop.example"
  private let path = "data/jobrun/cookies.txt"

  init() throws { scene = try CookieScene(CookieScene.setting) }

  private func line(_ name: String, _ value: String) -> String {
    "\(host)\tFALSE\t/\tFALSE\t4070908800\t\(name)\t\(value)"
  }

  private func names(_ folder: String) -> [String] {
    var names: [String] = []
    guard let stream = opendir(scene.folder.path + "/" + folder) else { return [] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  @Test func aDamagedJarIsSetAsideAndWhatCanBeReadIsKept() throws {
    let text = line("a", "1") + "\n\u{0}\u{0}garbage\n" + line("b", "2") + "\n"
    try scene.folder.write(path, text)
    try scene.write(tasks: [scene.get(host, "/")])
    let ended = try scene.run()
    #expect(ended.code == 0)
    #expect(ended.err.contains("was damaged: it is set aside as"), "\(ended.err)")
    #expect(scene.sent.map { Set($0.split(separator: "; ")) } == [["a=1", "b=2"]])
    let aside = try #require(names("data/jobrun").first { $0.hasPrefix("cookies.txt.damaged-") })
    #expect(scene.folder.read("data/jobrun/" + aside) == text)
    #expect(CookieScene.lines(scene.shared) == [line("a", "1"), line("b", "2")])
    #expect(!(try scene.run().err.contains("damaged")))
  }

  @Test func aNamedFilesOtherLinesStay() throws {
    let text = "what is this\n" + line("a", "1") + "\n"
    try scene.folder.write("jar.txt", text)
    try scene.write(
      sessions: [("s", "cookies: { storage: jar.txt }")],
      tasks: [scene.get(host, "/?c=b=2~Max-Age=60")])
    let ended = try scene.run()
    #expect(ended.err.contains("1 of its lines are no cookies"), "\(ended.err)")
    #expect(scene.folder.read("jar.txt")?.contains("what is this\n") == true)
    #expect(CookieScene.lines(scene.folder.read("jar.txt")).contains(line("a", "1")))
  }

  /// kill -9 at each call that changes the jar: it is the old one or the new one.
  @Test func aKillLeavesTheOldOrTheNewJar() throws {
    try scene.write(tasks: [scene.get(host, "/?c=b=2~Expires=Thu,+01+Jan+2099+00:00:00+GMT")])
    let old = line("a", "1") + "\n"
    var kills = 0
    for step in 1...60 {
      try scene.folder.write(path, old)
      let shim = try Shim.environment(["STOP=\(step)", "TORN=1", "ONLY=cookies.txt"])
      let killed = try Jobrun.run(
        ["--fresh", "job.yaml"], environment: scene.environment(shim), folder: scene.folder.path)
      #expect([0, 137].contains(killed.code), "\(killed.err)")
      let lines = CookieScene.lines(scene.shared)
      #expect(lines.first == line("a", "1") && lines.count <= 2, "step \(step): \(lines)")
      if killed.code == 0 {
        #expect(lines.count == 2)
        break
      }
      kills += 1
    }
    #expect(kills >= 4)
  }

  /// The same while a damaged one is set aside: what could be read is never gone.
  @Test func aKillWhileDamageIsSetAsideLosesNothing() throws {
    try scene.write(tasks: [scene.get(host, "/")])
    var kills = 0
    for step in 1...60 {
      TemporaryFolder.removeAll(scene.folder.path + "/data")
      try scene.folder.write(path, line("a", "1") + "\ngarbage\n")
      let shim = try Shim.environment(["STOP=\(step)", "TORN=1", "ONLY=cookies.txt"])
      let killed = try Jobrun.run(
        ["--fresh", "job.yaml"], environment: scene.environment(shim), folder: scene.folder.path)
      #expect([0, 137].contains(killed.code), "\(killed.err)")
      #expect(CookieScene.lines(scene.shared).first == line("a", "1"), "step \(step)")
      if killed.code == 0 { break }
      kills += 1
    }
    #expect(kills >= 4)
  }

  /// Written beside it, flushed, renamed over it, and the folder flushed.
  @Test func theNewJarIsOnDiskBeforeItTakesTheOldOnesPlace() throws {
    try scene.folder.write(path, line("a", "1") + "\n")
    try scene.write(tasks: [scene.get(host, "/?c=b=2~Max-Age=60")])
    let log = scene.folder.path + "/calls"
    let shim = try Shim.environment(["LOG=\(log)", "ONLY=data/jobrun"])
    let ended = try Jobrun.run(
      ["job.yaml"], environment: scene.environment(shim), folder: scene.folder.path)
    #expect(ended.code == 0, "\(ended.err)")
    let calls = try #require(TemporaryFolder.text(of: log)).split(separator: "\n")
      .map { $0.replacing(scene.folder.path + "/", with: "") }
    let place = try #require(calls.firstIndex { $0.hasPrefix("rename") })
    #expect(calls[..<place].contains { $0.hasPrefix("fsync") && $0.contains(".cookies.txt.new") })
    #expect(calls[place...].contains { $0.hasPrefix("fsync") && $0.hasSuffix("data/jobrun") })
  }

  /// The login's cookie is on disk before the login counts as done: a run that goes on after a
  /// kill has it, or logs in again.
  @Test func aCookieIsKeptBeforeItsTaskIsDone() throws {
    let isHeld = Atomic(true)
    let held = try CookieScene { [isHeld] request in
      let holds = request.line.hasPrefix("GET /wait") && isHeld.exchange(false, ordering: .relaxed)
      return holds ? nil : CookieScene.setting(request)
    }
    try held.write(
      sessions: [("s", "cookies: { storage: private, keep_session: true }")],
      tasks: [held.get(host, "/?c=login=1"), held.get(host, "/wait")])
    let run = try Jobrun.start(
      ["job.yaml"], environment: held.environment(), folder: held.folder.path)
    held.server.waitForRequest()
    held.server.waitForRequest()
    run.send(SIGKILL)
    #expect(run.wait().code == 137)
    #expect(try held.run().code == 0)
    #expect(held.sent.last == "login=1")
  }

  @Test func aSharedJarThatCantBeWrittenIsToldAndNoMore() throws {
    try scene.folder.write("data", "a file where the folder would be")
    try scene.write(tasks: [
      scene.get(host, "/?c=a=1~Max-Age=60"), scene.get(host, "/"),
    ])
    let ended = try scene.run()
    #expect(ended.code == 0)
    #expect(ended.err.contains("cookies are not kept for the next run"), "\(ended.err)")
    #expect(scene.sent == ["", "a=1"])
  }

  @Test func aNamedJarThatCantBeWrittenIsExit3() throws {
    try scene.write(
      sessions: [("s", "cookies: { storage: jar.txt }")],
      tasks: [scene.get(host, "/?c=a=1~Max-Age=60")])
    let shim = try Shim.environment(["FAIL=1", "ERRNO=28", "STAYS=1", "ONLY=.jar.txt.new"])
    let ended = try Jobrun.run(
      ["job.yaml"], environment: scene.environment(shim), folder: scene.folder.path)
    #expect(ended.code == 3)
    #expect(ended.err.contains(".jar.txt.new: No space left on device"), "\(ended.err)")
    try scene.write(
      sessions: [("s", "cookies: { storage: . }")], tasks: [scene.get(host, "/")])
    let none = try scene.run()
    #expect(none.code == 3)
    #expect(none.err.contains("is not a regular file"), "\(none.err)")
  }
}

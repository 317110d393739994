import Glibc
import Testing

/// kill -9 at every call of the real binary that changes what is on disk, one after the other.
@Suite struct StepKillTests {
  /// More than a run makes.
  private static let most = 500

  /// A run over files that are there: small ones that changed, and a large one whose transfer was
  /// cut before and goes on.
  @Test(arguments: ["batch", "file", "none"])
  func anUpdate(durability: String) throws {
    let scene = try CrashScene(settings: "durability: \(durability)")
    scene.publish(CrashScene.all, 0)
    #expect(try scene.run().code == 0)
    var kills = 0
    for step in 1...Self.most {
      let moment = "killed at step \(step), durability \(durability)"
      try prepare(scene, step, moment)
      // Torn writes in one of the two.
      let torn = durability == "file" ? ["TORN=1"] : []
      let killed = try scene.run(shim: ["STOP=\(step)"] + torn)
      #expect([0, 137].contains(killed.code), "\(killed.code) \(killed.err) \(moment)")
      try expectGoingOn(scene, step, flushes: durability != "none", moment)
      if killed.code == 0 { break }
      kills += 1
    }
    #expect(kills > 30)
    scene.expectLogInOrder()
  }

  /// The large file's new version comes in part, and its transfer fails; then the others change.
  private func prepare(_ scene: CrashScene, _ step: Int, _ moment: String) throws {
    scene.cut(true)
    scene.publish(["big"], step)
    let cut = try scene.run()
    #expect(cut.code == 1 && cut.err.contains("[truncated]"), "\(cut.err) \(moment)")
    scene.cut(false)
    scene.publish(CrashScene.small, step)
    #expect(try scene.checkpoint() == Int64(CrashScene.cut))
  }

  /// Every target is old or new; the next run finishes, and fetches nothing that was there.
  private func expectGoingOn(
    _ scene: CrashScene, _ step: Int, flushes: Bool, _ moment: String
  ) throws {
    var isNew: [String: Bool] = [:]
    for name in CrashScene.all {
      isNew[name] = scene.version(name, among: [step - 1, step], moment) == step
      #expect(scene.target(name) != nil, "\(name) is gone, \(moment)")
    }
    scene.start()
    let next = try scene.run()
    #expect(next.code == 0, "\(next.err) \(moment)")
    try scene.expectAll(step, moment)
    // Without flushes there are no intents for what may be replaced: what was just put in place is
    // unknown.
    for name in CrashScene.all where isNew[name] == true && flushes {
      #expect(scene.served(name) == 0, "\(name) was there and was fetched again, \(moment)")
    }
    let rest = CrashScene.content("big", step).utf8.count - CrashScene.cut
    #expect(
      scene.served("big") <= rest || !flushes, "fetched again: \(scene.served("big")), \(moment)")
  }

  /// The very first run of a job: nothing is there, state and folders are made.
  @Test(arguments: [("batch", true), ("none", false)])
  func theFirstRun(durability: String, overwrites: Bool) throws {
    // A file that the job itself put in place is never in its own way.
    let scene = try CrashScene(
      settings: "durability: \(durability)", keys: overwrites ? "" : ", overwrite: false")
    scene.publish(CrashScene.all, 1)
    var kills = 0
    for step in 1...Self.most {
      for place in ["state", "out"] { TemporaryFolder.removeAll(scene.root + "/" + place) }
      let moment = "killed at step \(step) of the first run"
      let killed = try scene.run(shim: ["STOP=\(step)", "TORN=1"])
      #expect([0, 137].contains(killed.code), "\(killed.code) \(killed.err) \(moment)")
      for name in CrashScene.all { _ = scene.version(name, among: [1], moment) }
      let next = try scene.run()
      #expect(next.code == 0, "\(next.err) \(moment)")
      try scene.expectAll(1, moment)
      scene.expectLogInOrder()
      if killed.code == 0 { break }
      kills += 1
    }
    #expect(kills > 50)
  }
}

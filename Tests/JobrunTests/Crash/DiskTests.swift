import Glibc
import Testing

/// Real disks that are full, and folders that can't be written.
@Suite struct DiskTests {
  @Test func targetsOnAFullDisk() throws {
    let disk = try SmallDisk("400k")
    let state = try TemporaryFolder()
    let scene = try CrashScene(in: disk.path, state: state.path + "/state", on: disk.space)
    scene.publish(CrashScene.all, 1)
    let full = try scene.run()
    #expect(full.code == 3, "\(full.code) \(full.err)")
    #expect(full.err.contains("No space left on device") && full.err.contains("make room"))
    for name in CrashScene.all { _ = scene.version(name, among: [1], "disk full") }
    #expect(scene.target("big") == nil)
    let kept = try scene.checkpoint() ?? 0
    #expect(kept > 100_000)
    // It stays full: nothing gets worse, and what was kept is kept.
    #expect(try scene.run().code == 3)
    #expect(try scene.checkpoint() ?? 0 >= kept)
    try disk.change("size=4m")
    scene.start()
    let next = try scene.run()
    #expect(next.code == 0, "\(next.err)")
    try scene.expectAll(1, "with room again")
    #expect(scene.served("big") <= CrashScene.content("big", 1).utf8.count - Int(kept))
    scene.expectLogInOrder()
  }

  /// Every size of disk, from one on which not even the lock fits.
  @Test func theStateOnTheFullDiskToo() throws {
    for size in stride(from: 4, through: 1_200, by: 52) {
      let disk = try SmallDisk("\(size)k")
      let scene = try CrashScene(in: disk.path, on: disk.space)
      scene.publish(CrashScene.all, 1)
      let full = try scene.run()
      #expect([0, 3].contains(full.code), "\(full.code) \(full.err) with \(size) KiB")
      for name in CrashScene.all { _ = scene.version(name, among: [1], "\(size) KiB") }
      if full.code == 0 { return }
      #expect(full.err.contains("No space") || full.err.contains("no room"), "\(full.err)")
      try disk.change("size=8m")
      let next = try scene.run()
      #expect(next.code == 0, "\(next.err) after \(size) KiB")
      try scene.expectAll(1, "after \(size) KiB")
      scene.expectLogInOrder()
    }
    Issue.record("no disk was large enough")
  }

  @Test func targetsInAFolderThatCannotBeWritten() throws {
    let disk = try SmallDisk("4m")
    let folder = try TemporaryFolder()
    let scene = try CrashScene(in: disk.path, state: folder.path + "/state", on: disk.space)
    scene.publish(CrashScene.all, 1)
    #expect(try scene.run().code == 0)
    scene.publish(CrashScene.all, 2)
    try disk.change("ro")
    let refused = try scene.run()
    #expect(refused.code == 1, "\(refused.code) \(refused.err)")
    let words = refused.err.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Read-only file system [local_file]"), "\(refused.err)")
    try disk.change("rw")
    try scene.expectAll(1, "read-only")
    #expect(try scene.run().code == 0)
    try scene.expectAll(2, "can be written again")
  }

  @Test func aStateThatCannotBeWritten() throws {
    let disk = try SmallDisk("4m")
    let folder = try TemporaryFolder()
    let scene = try CrashScene(in: folder.path, state: disk.path + "/state", on: disk.space)
    scene.publish(CrashScene.all, 1)
    #expect(try scene.run().code == 0)
    try disk.change("ro")
    scene.publish(CrashScene.all, 2)
    let refused = try scene.run()
    #expect(refused.code == 3, "\(refused.code) \(refused.err)")
    #expect(refused.err.contains("Read-only file system"), "\(refused.err)")
    try scene.expectAll(1, "read-only state")
    // What only reads still does.
    let plan = try scene.command(["plan", "job.yaml"])
    #expect(plan.code == 0 && plan.out.contains("revalidate"), "\(plan.err)")
    let told = try scene.command(["explain", "job.yaml", "a"])
    #expect(told.code == 0 && told.out.contains("It is the one that this task wrote."))
  }

  /// Where nothing can be mounted these tests fail, and say what they need.
  @Test func aDiskThatCannotBeMountedSaysWhatItNeeds() {
    let error = #expect(throws: MountSpace.Failure.self) { try SmallDisk("of no size") }
    let words = error.map(String.init(describing:)) ?? ""
    #expect(words.contains("mount:") && words.contains("This needs root"), "\(words)")
  }
}

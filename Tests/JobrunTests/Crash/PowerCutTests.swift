import Glibc
import Testing
import TransferCore
import TransferIO

/// The power goes at a step of the real binary: what was not flushed is lost. Each target is old or
/// new all the same, and the state claims nothing that isn't there.
@Suite struct PowerCutTests {
  @Test(arguments: ["batch", "file"])
  func atAStep(durability: String) throws {
    let disk = try Ext4Disk(megabytes: 64)
    let scene = try CrashScene(
      in: disk.path, on: disk.space, settings: "durability: \(durability)")
    scene.publish(CrashScene.all, 0)
    #expect(try scene.run().code == 0)
    try disk.cutPower()
    try scene.expectAll(0, "power cut after the first run, durability \(durability)")
    var version = 0
    for step in stride(from: durability == "batch" ? 1 : 2, to: 500, by: Moments.stride) {
      version += 1
      let moment = "power cut at step \(step), durability \(durability)"
      scene.publish(CrashScene.all, version)
      let killed = try scene.run(shim: ["STOP=\(step)"])
      #expect([0, 137].contains(killed.code), "\(killed.code) \(killed.err) \(moment)")
      try disk.cutPower()
      try expectTruth(scene, version, killed.code == 0, moment)
      let next = try scene.run()
      #expect(next.code == 0, "\(next.err) \(moment)")
      try scene.expectAll(version, moment)
      if killed.code == 0 { break }
    }
    scene.expectLogInOrder()
  }

  private func expectTruth(
    _ scene: CrashScene, _ version: Int, _ isDone: Bool, _ moment: String
  ) throws {
    for name in CrashScene.all {
      let found = scene.version(name, among: [version - 1, version], moment)
      #expect(found != nil, "\(name) is gone, \(moment)")
      if isDone { #expect(found == version, "\(name) was told as done, \(moment)") }
      if try scene.claimed(name) == "\"\(name)-\(version)\"" {
        #expect(found == version, "the state claims \(name), \(moment)")
      }
    }
  }
}

/// How many moments a run of the tests tries.
enum Moments {
  /// `JOBRUN_KILLS=500` tries them all; the build server some.
  static let kills = getenv("JOBRUN_KILLS").flatMap { Int(String(cString: $0)) } ?? 100
  static var stride: Int { kills >= 500 ? 1 : 6 }
}

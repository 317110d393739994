import Glibc
import Testing

/// Every call of the real binary that changes what is on disk fails, one after the other: the run
/// says so or bears it, no target is wrong, and the next run mends it.
@Suite struct FailedCallTests {
  private static let most = 500

  /// - Parameter shim: how a call fails, beside its number.
  private func failAtEachStep(_ shim: [String], by stride: Int, _ name: String) throws {
    let scene = try CrashScene()
    scene.publish(CrashScene.all, 0)
    #expect(try scene.run().code == 0)
    var version = 0
    for step in Swift.stride(from: 1, to: Self.most, by: stride) {
      version += 1
      let moment = "\(name) at step \(step)"
      scene.publish(CrashScene.all, version)
      let log = scene.folder.path + "/calls"
      unlink(log)
      let failed = try scene.run(shim: ["FAIL=\(step)", "LOG=\(log)"] + shim)
      let calls = (TemporaryFolder.text(of: log) ?? "").split(separator: "\n")
      let call = calls.count >= step ? String(calls[step - 1]) : "none"
      try expectHonest(failed, scene, version, "\(moment), \(call)")
      let next = try scene.run()
      #expect(next.code == 0, "\(next.err) after \(moment), \(call)")
      try scene.expectAll(version, "after \(moment), \(call)")
      if calls.count < step { break }
    }
    scene.expectLogInOrder()
  }

  private func expectHonest(
    _ ended: ChildProcess.Ended, _ scene: CrashScene, _ version: Int, _ moment: String
  ) throws {
    #expect([0, 1, 3].contains(ended.code), "\(ended.code) \(ended.err) \(moment)")
    if ended.code != 0 { #expect(ended.err != "", "nothing told, \(moment)") }
    for name in CrashScene.all {
      let found = scene.version(name, among: [version - 1, version], moment)
      #expect(found != nil, "\(name) is gone, \(moment)")
      if ended.code == 0 { #expect(found == version, "\(name) told as done, \(moment)") }
    }
  }

  @Test func oneInputOutputError() throws {
    try failAtEachStep(["ERRNO=\(EIO)"], by: 1, "EIO")
  }

  @Test func aDiskThatStaysFull() throws {
    try failAtEachStep(["ERRNO=\(ENOSPC)", "STAYS=1", "TORN=1"], by: 2, "ENOSPC")
  }
}

import Glibc
import Testing
import TransferCore
import TransferIO

struct JobLockTests {
  let samples = StateSamples()

  @Test func aSecondRunIsToldWhoAndSinceWhen() throws {
    try samples.folder.create()
    guard case .taken(let lock) = try JobLock.attempt(samples.folder, now: StateSamples.now) else {
      Issue.record("not taken")
      return
    }
    guard case .held(let holder) = try JobLock.attempt(samples.folder, now: StateSamples.now) else {
      Issue.record("taken twice")
      return
    }
    #expect(holder.process == getpid())
    #expect(holder.since == StateSamples.now.rfc3339)
    #expect(try JobLock.holder(samples.folder) == holder)
    withExtendedLifetime(lock) {}
  }

  @Test func aStaleFileIsNoObstacle() throws {
    try samples.folder.create()
    TestFile.write(
      "1\n2020-01-01T00:00:00.000000Z\nmore and more and more", to: samples.folder.lock)
    #expect(try JobLock.holder(samples.folder) == nil)
    do {
      guard case .taken = try JobLock.attempt(samples.folder, now: StateSamples.now) else {
        Issue.record("not taken")
        return
      }
    }
    #expect(TestFile.text(samples.folder.lock) == "\(getpid())\n\(StateSamples.now.rfc3339)\n")
    guard case .taken = try JobLock.attempt(samples.folder, now: StateSamples.now) else {
      Issue.record("not given back")
      return
    }
  }
}

import Testing
import TransferCore

@testable import TransferIO

/// Hosts that asked to be left alone, from run to run.
struct HoldStoreTests {
  private let samples = StateSamples()

  private func later(_ seconds: Int64) -> WallTime {
    WallTime(microseconds: StateSamples.now.microseconds + seconds * 1_000_000)
  }

  @Test func aHoldIsThereUntilItsTimeHasCome() throws {
    do {
      let store = try samples.open()
      try store.putHold("http://a", until: later(20))
      try store.putHold("http://a", until: later(60))
      try store.putHold("http://a", until: later(30))
      try store.putHold("http://b", until: later(10))
      try store.commit()
    }
    let store = try samples.open()
    #expect(
      try store.holds(at: StateSamples.now) == [
        "http://a": later(60), "http://b": later(10),
      ])
    #expect(try store.holds(at: later(10)) == ["http://a": later(60)])
    try store.dropHolds(before: later(60))
    #expect(try store.holds(at: StateSamples.now) == [:])
  }

  @Test func freshForgetsThem() throws {
    let store = try samples.open()
    try store.putHold("http://a", until: later(60))
    try store.forgetProgress()
    #expect(try store.holds(at: StateSamples.now) == [:])
  }

  /// A database of version 1 can be looked at as it is, and a run brings it up.
  @Test func aDatabaseFromBeforeHasNone() throws {
    try samples.begun("r1", try samples.open())
    do {
      let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
      try database.run("DROP TABLE hold; PRAGMA user_version = 1")
    }
    do {
      let store = try #require(try StateStore(reading: samples.folder, job: samples.job()))
      #expect(try store.holds(at: StateSamples.now) == [:])
    }
    let store = try samples.open()
    try store.putHold("http://a", until: later(60))
    #expect(try store.holds(at: StateSamples.now).count == 1)
  }
}

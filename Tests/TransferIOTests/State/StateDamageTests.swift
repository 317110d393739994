import Glibc
import Testing
import TransferCore
import TransferIO

/// Damaged state is set aside, told and begun anew; nothing is deleted.
struct StateDamageTests {
  let samples = StateSamples()

  private func fill() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    for index in 0..<200 {
      try store.put(StateSamples.file("/m/\(index)"), task: "task-\(index)")
      try store.add(StateSamples.result(.done), task: "task-\(index)", line: [0x7B, 0x7D])
    }
    try store.commit()
    // All of it into the one file that is then damaged.
    let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func expectRebuilt(holding bytes: [UInt8]?) throws {
    let store = try samples.open()
    #expect(store.notices.count == 1)
    #expect(store.notices.first?.contains(".damaged-20261129T075411Z") == true)
    #expect(try store.committedFile("task-1") == nil)
    try samples.begun("r2", store)
    let aside = samples.folder.database + ".damaged-20261129T075411Z"
    #expect(TestFile.bytes(aside) == bytes)
  }

  @Test func textInsteadOfADatabase() throws {
    try fill()
    let bytes = Array(repeating: UInt8(ascii: "x"), count: 20_000)
    TestFile.write(bytes, to: samples.folder.database)
    try expectRebuilt(holding: bytes)
  }

  @Test func pagesOverwritten() throws {
    try fill()
    var bytes = try #require(TestFile.bytes(samples.folder.database))
    for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    TestFile.write(bytes, to: samples.folder.database)
    try expectRebuilt(holding: bytes)
  }

  @Test func fileCutShort() throws {
    try fill()
    let bytes = try #require(TestFile.bytes(samples.folder.database)?.prefix(6_000))
    TestFile.write(Array(bytes), to: samples.folder.database)
    try expectRebuilt(holding: Array(bytes))
  }

  @Test func anEmptyFileIsNoDamage() throws {
    try fill()
    unlink(samples.folder.database + "-wal")
    TestFile.write("", to: samples.folder.database)
    let store = try samples.open()
    #expect(store.notices == [])
  }

  @Test func damageInTheMiddleOfARun() throws {
    try fill()
    let store = try samples.open()
    try samples.begun("r2", store)
    let error = StateError.database(
      SQLiteError(code: 11, message: "malformed", statement: ""), path: samples.folder.database)
    #expect(error.isDamage)
    try store.rebuild(after: error, now: StateSamples.now)
    #expect(store.notices.count == 1)
    try store.add(StateSamples.result(.done), task: "a", line: [0x7B, 0x7D])
    try store.commit()
    #expect(try store.lastRun()?.chain.runID == "r2")
    #expect(try store.unloggedRecords().count == 1)
  }

  /// A byte of the schema's text was changed: met at the start, not by the first task.
  @Test(arguments: [
    "checkpoint RENAME beyond", "checkpoint RENAME etag", "committed RENAME asked",
    "intents RENAME files",
  ])
  func aColumnWithAnotherNameIsDamage(change: String) throws {
    try fill()
    let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
    try database.run("ALTER TABLE \(change) TO xyz")
    let store = try samples.open()
    #expect(store.notices.count == 1)
    #expect(try store.checkpoint("a") == nil)
  }

  /// Records are not read at the start: their damage shows when the oldest of them go.
  @Test func damageAmongOldRecordsStopsNoRun() throws {
    let store = try samples.open()
    for run in 1...4 {
      try samples.begun("r\(run)", store)
      for _ in 0..<100 {
        let line = [UInt8](repeating: 0x20, count: 3_000)
        try store.markLogged(
          through: try store.add(StateSamples.result(.done), task: "t", line: line))
      }
      try store.endRun(StateSamples.end(0, of: "r\(run)"))
      try store.commit()
    }
    let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
    #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    var bytes = try #require(TestFile.bytes(samples.folder.database))
    for index in (bytes.count / 8)..<(bytes.count / 2) { bytes[index] = 0xEE }
    TestFile.write(bytes, to: samples.folder.database)
    let reopened = try samples.open()
    _ = try RunRecovery.recover(
      reopened, CompletionLog(path: samples.folder.log), now: StateSamples.now)
    try samples.begun("r5", reopened)
    try samples.begun("r6", reopened)
    try reopened.add(StateSamples.result(.done), task: "t", line: [0x7B, 0x7D])
    try reopened.commit()
    #expect(reopened.notices.count == 1)
  }

  /// No bytes that stand in the file make the program die or hand out nonsense that it can't bear.
  @Test(arguments: 0..<24)
  func anyByteMayBeWrong(round: Int) throws {
    try fill()
    var bytes = try #require(TestFile.bytes(samples.folder.database))
    var state = UInt64(round) &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<40 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
    }
    TestFile.write(bytes, to: samples.folder.database)
    do {
      let store = try samples.open()
      try samples.begun("r2", store)
      for index in 0..<200 { _ = try store.committedFile("task-\(index)") }
    } catch let error as StateError {
      #expect(error.isDamage || error.isUsage || error.message != "")
    }
  }
}

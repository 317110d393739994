import Glibc
import Testing
import TransferCore
import TransferIO

struct StateStoreTests {
  let samples = StateSamples()

  @Test func stateIsForThisUserAlone() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    #expect(TestFile.mode(samples.folder.path) == 0o700)
    for name in TestFile.names(in: samples.folder.path) {
      #expect(TestFile.mode("\(samples.folder.path)/\(name)") == 0o600, "\(name)")
    }
  }

  @Test func whatWasCommittedIsThereAfterReopening() throws {
    let intents = ["c", "d"].map { CommitIntent(task: $0, file: StateSamples.file()) }
    do {
      let store = try samples.open()
      try store.put(StateSamples.file(), task: "a")
      try store.put(StateSamples.checkpoint(), task: "b")
      _ = try store.put(intents)
      #expect(store.hasUncommitted)
      try store.commit()
      #expect(!store.hasUncommitted)
    }
    let store = try samples.open()
    #expect(store.notices == [])
    #expect(try store.committedFile("a") == StateSamples.file())
    #expect(try store.committedFile("b") == nil)
    #expect(try store.checkpoint("b") == StateSamples.checkpoint())
    #expect(try store.intents() == intents)
  }

  @Test func whatWasNotCommittedIsNotThere() throws {
    do {
      let store = try samples.open()
      try store.put(StateSamples.file(), task: "a")
      #expect(try store.committedFile("a") != nil)
    }
    #expect(try samples.open().committedFile("a") == nil)
  }

  @Test func aBatchCanBeDropped() throws {
    let store = try samples.open()
    try store.put(StateSamples.file(), task: "a")
    try store.rollback()
    #expect(try store.committedFile("a") == nil)
  }

  @Test func finishingAFileTakesItsCheckpointAway() throws {
    let store = try samples.open()
    try store.put(StateSamples.checkpoint(), task: "a")
    try store.finish(StateSamples.file(), task: "a")
    try store.commit()
    #expect(try store.checkpoint("a") == nil)
    #expect(try store.committedFile("a") == StateSamples.file())
  }

  @Test func nothingIsMadeWhereNothingWasByReading() throws {
    #expect(try StateStore(reading: samples.folder, job: samples.job()) == nil)
    #expect(TestFile.names(in: samples.temporary.path) == ["nightly.yaml"])
  }

  @Test func readingChangesNothing() throws {
    do {
      let store = try samples.open()
      try store.put(StateSamples.file(), task: "a")
      try store.commit()
    }
    let before = TestFile.names(in: samples.folder.path)
    do {
      let store = try #require(try StateStore(reading: samples.folder, job: samples.job()))
      #expect(try store.committedFile("a") == StateSamples.file())
    }
    #expect(
      Set(TestFile.names(in: samples.folder.path)).subtracting(before).subtracting(["state.db-shm"])
        == [])
  }

  @Test func aLiveRunsStateCanBeRead() throws {
    let writer = try samples.open()
    try writer.put(StateSamples.file(), task: "a")
    try writer.commit()
    let reader = try #require(try StateStore(reading: samples.folder, job: samples.job()))
    try writer.put(StateSamples.file("/m/b"), task: "b")
    try writer.commit()
    #expect(try reader.committedFile("a") != nil)
    try reader.commit()
    #expect(try reader.committedFile("b")?.path == "/m/b")
  }

  @Test func theWriteAheadLogCanBeFlushed() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    #expect(fdatasync(try store.walDescriptor()) == 0)
  }
}

/// Which job a state belongs to.
struct StateIdentityTests {
  let samples = StateSamples()

  @Test func anotherExistingFileOfTheSameNameIsRefused() throws {
    _ = try samples.open()
    TestFile.write("version: 1", to: samples.temporary / "other.yaml")
    let error = #expect(throws: StateError.self) {
      try StateStore(
        folder: samples.folder, job: samples.job(file: "other.yaml"), now: StateSamples.now)
    }
    #expect(error?.isUsage == true)
    #expect(error?.message.contains(samples.temporary / "nightly.yaml") == true)
    #expect(error?.message.contains("`name:`") == true)
    #expect(error?.message.contains("--state") == true)
  }

  @Test func aMovedFileTakesItsStateAlong() throws {
    do {
      let store = try samples.open()
      try store.put(StateSamples.file(), task: "a")
      try store.commit()
    }
    rename(samples.temporary / "nightly.yaml", samples.temporary / "moved.yaml")
    let moved = try StateStore(
      folder: samples.folder, job: samples.job(file: "moved.yaml"), now: StateSamples.now)
    #expect(try moved.committedFile("a") != nil)
  }

  @Test func aSymbolicLinkIsTheSameFile() throws {
    _ = try samples.open()
    symlink(samples.temporary / "nightly.yaml", samples.temporary / "link.yaml")
    _ = try StateStore(
      folder: samples.folder, job: samples.job(file: "link.yaml"), now: StateSamples.now)
  }

  @Test func aFolderOfAnotherJobIsRefused() throws {
    _ = try samples.open()
    let error = #expect(throws: StateError.self) {
      try StateStore(folder: samples.folder, job: samples.job("weekly"), now: StateSamples.now)
    }
    #expect(error?.isUsage == true)
    #expect(error?.message.contains("`nightly`") == true)
  }

  @Test func aLaterVersionIsRefused() throws {
    _ = try samples.open()
    do {
      let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
      try database.run("PRAGMA user_version = 99")
    }
    let error = #expect(throws: StateError.self) { try samples.open() }
    #expect(error?.isUsage == true)
    #expect(error?.message.contains("99") == true)
    #expect(TestFile.names(in: samples.folder.path).allSatisfy { !$0.contains("damaged") })
  }
}

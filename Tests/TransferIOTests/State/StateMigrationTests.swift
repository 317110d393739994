import Testing
import TransferCore

@testable import TransferIO

/// A state that an older version wrote is read as it is, and brought up by the next run.
@Suite struct StateMigrationTests {
  private let samples = StateSamples()

  /// As the first version left it, with a run and a file.
  private func makeFirstVersion() throws {
    try samples.folder.create()
    let database = try SQLiteDatabase(path: samples.folder.database, access: .readWrite)
    try database.run("\(StateSchema.migrations[0]) PRAGMA user_version = 1;")
    try database.run(
      """
      INSERT INTO job VALUES (1, 'nightly', '\(samples.temporary / "nightly.yaml")');
      INSERT INTO run VALUES (1, 'r1', 'r1', 5, 5, 1, 6, 'done', 0, NULL);
      INSERT INTO record VALUES
        (1, 1, 'a', 'done', 1, 0, CAST('{"event":"task_finished","task":"a"}' AS BLOB));
      INSERT INTO committed VALUES ('a', 'u', '/m/a', 7, 1, 1, '"e"', NULL, NULL, NULL);
      INSERT INTO intent VALUES ('b', 'u', '/m/b', -2, 1, 3, '"e"', 'Mon', NULL, NULL, '/m/.part');
      INSERT INTO intent VALUES ('c', 'u', '/m/c"', 8, 1, 3, NULL, NULL, 'Tue', '00', '/m/.part');
      """)
  }

  @Test func isReadAsItIs() throws {
    try makeFirstVersion()
    let store = try #require(try StateStore(reading: samples.folder, job: samples.job()))
    #expect(store.schemaVersion == 1)
    #expect(try store.committedFile("a")?.path == "/m/a")
    #expect(try store.ends(of: "a").map(\.runID) == ["r1"])
    #expect(try store.sentMark("a") == nil)
  }

  @Test func isBroughtUpByTheNextRun() throws {
    try makeFirstVersion()
    let store = try samples.open()
    #expect(store.notices == [])
    try samples.begun("r2", store)
    #expect(try store.committedFile("a")?.path == "/m/a")
    var result = StateSamples.result(.done)
    result.redirects = [.init(status: 302, url: "http://h/")]
    try store.add(result, task: "a", line: Array(#"{"task":"a"}"#.utf8))
    let ends = try store.ends(of: "a")
    #expect(ends.map(\.runID) == ["r2", "r1"])
    #expect(ends.first?.tries?["redirects"]?.elements.count == 1)
    #expect(ends.last?.tries == nil)
  }

  /// Commits that were cut in two before the update are found after it.
  @Test func itsIntentsAreKept() throws {
    try makeFirstVersion()
    let intents = try samples.open().intents()
    #expect(intents.map(\.task) == ["b", "c"])
    #expect(intents.map(\.file.path) == ["/m/b", "/m/c\""])
    #expect(intents.first?.file.inode == UInt64.max - 1)
    #expect(intents.first?.file.validator == Validator(etag: "\"e\"", lastModified: "Mon"))
    #expect(intents.last?.file.validator == Validator(date: "Tue"))
    #expect(intents.last?.file.sha256 == "00")
  }

  /// What was tried goes with its record.
  @Test func triesGoWithTheirRecords() throws {
    let store = try samples.open()
    for run in 1...6 {
      try samples.begun("r\(run)", store)
      var result = StateSamples.result(.done)
      result.redirects = [.init(status: 302, url: "http://h/")]
      let id = try store.add(result, task: "a", line: Array(#"{"task":"a"}"#.utf8))
      try store.markLogged(through: id)
      try store.endRun(StateSamples.end(0, of: "r\(run)"))
      try store.commit()
    }
    let counts = try store.read("SELECT count(*), (SELECT count(*) FROM record) FROM tries") {
      [$0.integer(0), $0.integer(1)]
    }
    #expect(counts == [[3, 3]])
  }

  @Test func aMarkOutlivesRunsUntilItsFateIsKnown() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    try store.markSent(task: "a", at: StateSamples.now, flushes: true)
    try samples.begun("r2", store)
    var refused = StateSamples.result(.failed)
    refused.failure = TransferFailure(.unconfirmed, "sent")
    try store.add(refused, task: "a", line: [0x7B, 0x7D])
    #expect(try store.sentMark("a") == SentMark(runID: "r1", at: StateSamples.now))
    #expect(try store.sentMark("b") == nil)
    try store.add(StateSamples.result(.done), task: "a", line: [0x7B, 0x7D])
    #expect(try store.sentMark("a") == nil)
    try store.markSent(task: "a", at: StateSamples.now, flushes: false)
    try store.forgetProgress()
    #expect(try store.sentMark("a") == nil)
  }
}

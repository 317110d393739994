import Glibc
import Testing
import TransferCore
import TransferIO

/// What the next start makes of a run that died at each step of a commit.
struct RunRecoveryTests {
  let samples = StateSamples()

  private var target: String { samples.temporary / "target" }

  private func log() throws -> CompletionLog { try CompletionLog(path: samples.folder.log) }
  private var lines: [String] {
    (TestFile.text(samples.folder.log) ?? "").split(separator: "\n").map(String.init)
  }

  private func intent(for path: String) -> CommitIntent {
    var facts = stat()
    stat(path, &facts)
    var file = StateSamples.file(target, inode: UInt64(facts.st_ino))
    file.size = Int64(facts.st_size)
    return CommitIntent(task: "a", file: file)
  }

  @Test func diedBetweenRenameAndRecord() throws {
    TestFile.write("whole", to: samples.temporary / "part")
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      _ = try store.put([intent(for: samples.temporary / "part")])
      try store.commit()
    }
    rename(samples.temporary / "part", target)
    let store = try samples.open()
    let report = try RunRecovery.recover(store, log(), now: StateSamples.now)
    #expect(report.committed == ["a"])
    #expect(try store.committedFile("a")?.validator.etag == "\"e\"")
    #expect(try store.intents() == [])
  }

  @Test func diedBeforeTheRename() throws {
    TestFile.write("older", to: target)
    TestFile.write("whole", to: samples.temporary / "part")
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      _ = try store.put([intent(for: samples.temporary / "part")])
      try store.put(StateSamples.checkpoint(), task: "a")
      try store.commit()
    }
    let store = try samples.open()
    let report = try RunRecovery.recover(store, log(), now: StateSamples.now)
    #expect(report.committed == [])
    #expect(try store.committedFile("a") == nil)
    #expect(try store.intents() == [])
    #expect(try store.checkpoint("a") != nil)
  }

  @Test func aTargetOfAnotherSizeIsNotTaken() throws {
    TestFile.write("whole", to: target)
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      _ = try store.put([intent(for: target)])
      try store.commit()
    }
    let file = open(target, O_WRONLY | O_APPEND)
    write(file, "x", 1)
    close(file)
    let store = try samples.open()
    #expect(try RunRecovery.recover(store, log(), now: StateSamples.now).committed == [])
  }

  @Test func diedBetweenRecordAndLogLine() throws {
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      try store.add(StateSamples.result(.done), task: "a", line: StateSamples.line("a"))
      try store.add(StateSamples.result(.failed), task: "b", line: StateSamples.line("b"))
      try store.commit()
    }
    let store = try samples.open()
    let report = try RunRecovery.recover(store, log(), now: StateSamples.now)
    #expect(report.died == "r1" && report.replayed == 3)
    #expect(lines.count == 3)
    #expect(lines[0].contains(#""task":"a""#))
    #expect(
      lines[2].contains(
        #""event":"run_finished","run_id":"r1","job":"nightly","outcome":"interrupted""#))
    #expect(lines[2].contains(#""done":1"#) && lines[2].contains(#""failed":1"#))
    #expect(lines[2].contains(#""bytes_received":20"#))
    #expect(!lines[2].contains("exit_code"))
    #expect(try store.lastRun()?.outcome == .interrupted)
  }

  @Test func diedBetweenLogLineAndMark() throws {
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      try store.add(StateSamples.result(.done), task: "a", line: StateSamples.line("a"))
      try store.add(StateSamples.result(.done), task: "b", line: StateSamples.line("b"))
      try store.commit()
      try log().append(StateSamples.line("a") + [0x0A])
    }
    let report = try RunRecovery.recover(samples.open(), log(), now: StateSamples.now)
    #expect(report.replayed == 2)
    #expect(lines.count(where: { $0.contains(#""task":"a""#) }) == 1)
    #expect(lines.count(where: { $0.contains(#""task":"b""#) }) == 1)
  }

  @Test func recoveringTwiceAddsNothing() throws {
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      try store.add(StateSamples.result(.done), task: "a", line: StateSamples.line("a"))
      try store.commit()
    }
    _ = try RunRecovery.recover(samples.open(), log(), now: StateSamples.now)
    let before = lines
    let report = try RunRecovery.recover(samples.open(), log(), now: StateSamples.now)
    #expect(report == RunRecovery.Report())
    #expect(lines == before)
  }

  @Test func diedWhileReplaying() throws {
    do {
      let store = try samples.open()
      try samples.begun("r1", store)
      try store.add(StateSamples.result(.done), task: "a", line: StateSamples.line("a"))
      try store.commit()
      _ = try RunRecovery.recover(store, log(), now: StateSamples.now)
      try store.markLogged(through: 0)
      try store.commit()
    }
    let before = lines
    _ = try RunRecovery.recover(samples.open(), log(), now: StateSamples.now)
    #expect(lines == before)
  }
}

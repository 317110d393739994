import Testing
import TransferCore
import TransferIO

/// Which run goes on with which, and what it need not do again.
struct RunChainTests {
  let samples = StateSamples()

  @Test(arguments: [0, 1] as [Int32])
  func aFinishedRunIsNotGoneOnWith(exitCode: Int32) throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    try store.endRun(StateSamples.end(exitCode, of: "r1"))
    try store.commit()
    #expect(try store.nextRun(id: "r2", at: StateSamples.now).continues == nil)
  }

  @Test(arguments: [75, 3, 130, 143] as [Int32])
  func anInterruptedOrDeferredRunIsGoneOnWith(exitCode: Int32) throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    try store.endRun(StateSamples.end(exitCode, of: "r1"))
    try store.commit()
    let later = WallTime(microseconds: StateSamples.now.microseconds + 1)
    let next = try store.nextRun(id: "r2", at: later)
    #expect(next.continues == "r1")
    #expect(next.runID == "r2" && next.started == later)
    #expect(next.originStarted == StateSamples.now)
    #expect(try store.nextRun(id: "r2", at: later, fresh: true).continues == nil)
  }

  /// What others had done stays done, whatever a run of some tasks comes to.
  @Test(arguments: [0, 1] as [Int32])
  func aRunOfSomeTasksLeavesAnOpenChainOpen(exitCode: Int32) throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    try store.endRun(StateSamples.end(130, of: "r1"))
    try store.startRun(try store.nextRun(id: "r2", at: StateSamples.now), isPart: true)
    try store.endRun(StateSamples.end(exitCode, of: "r2"))
    try store.commit()
    #expect(try samples.open().nextRun(id: "r3", at: StateSamples.now).continues == "r1")
  }

  @Test func aRunOfSomeTasksOpensNone() throws {
    let store = try samples.open()
    try store.startRun(try store.nextRun(id: "r1", at: StateSamples.now), isPart: true)
    try store.endRun(StateSamples.end(0, of: "r1"))
    try store.commit()
    #expect(try store.nextRun(id: "r2", at: StateSamples.now).continues == nil)
  }

  @Test func aKilledRunIsGoneOnWith() throws {
    try samples.begun("r1", try samples.open())
    #expect(try samples.open().nextRun(id: "r2", at: StateSamples.now).continues == "r1")
  }

  @Test func doneTasksStayDoneAlongTheChain() throws {
    let store = try samples.open()
    for run in 1...6 {
      try samples.begun("r\(run)", store)
      try store.add(StateSamples.result(.done), task: "t\(run)", line: StateSamples.line("t"))
      try store.add(StateSamples.result(.unchanged), task: "t1", line: StateSamples.line("t1"))
      try store.add(StateSamples.result(.failed), task: "bad", line: StateSamples.line("bad"))
      try store.markLogged(through: try store.unloggedRecords().last?.id ?? 0)
      try store.endRun(StateSamples.end(75, of: "r\(run)"))
      try store.commit()
    }
    let next = try store.nextRun(id: "r7", at: StateSamples.now)
    #expect(
      try store.doneInChain(next)
        == ["t1": "r1", "t2": "r2", "t3": "r3", "t4": "r4", "t5": "r5", "t6": "r6"])
  }

  @Test func aNewChainForgetsWhatEarlierOnesHadDone() throws {
    let store = try samples.open()
    for (run, exitCode) in zip(1..., [75, 75, 75, 75, 0, 75] as [Int32]) {
      try samples.begun("r\(run)", store)
      try store.add(StateSamples.result(.done), task: "t\(run)", line: StateSamples.line("t"))
      try store.markLogged(through: try store.unloggedRecords().last?.id ?? 0)
      try store.endRun(StateSamples.end(exitCode, of: "r\(run)"))
      try store.commit()
    }
    let next = try store.nextRun(id: "r7", at: StateSamples.now)
    #expect(try store.doneInChain(next) == ["t6": "r6"])
    let fresh = try store.nextRun(id: "r7", at: StateSamples.now, fresh: true)
    #expect(try store.doneInChain(fresh) == [:])
  }

  @Test func recordsOfTheLastThreeRunsAreKept() throws {
    let store = try samples.open()
    for run in 1...5 {
      try samples.begun("r\(run)", store)
      let id = try store.add(
        StateSamples.result(.done), task: "t", line: StateSamples.line("r\(run)"))
      try store.markLogged(through: id)
      try store.endRun(StateSamples.end(0, of: "r\(run)"))
      try store.commit()
    }
    let kept = try store.runs(limit: 9).map { run in try store.records(ofRun: run.number).count }
    #expect(kept == [1, 1, 1, 0, 0])
    let last = try #require(try store.lastRun())
    #expect(last.chain.runID == "r5" && last.outcome == .done && last.exitCode == 0)
  }

  @Test func whatIsNotLoggedIsNeverPruned() throws {
    let store = try samples.open()
    for run in 1...6 {
      try samples.begun("r\(run)", store)
      try store.add(StateSamples.result(.done), task: "t", line: StateSamples.line("r\(run)"))
      try store.endRun(StateSamples.end(0, of: "r\(run)"))
      try store.commit()
    }
    #expect(try store.unloggedRecords().count == 6)
  }

  @Test func aFreshStartForgetsProgressAndKeepsValidators() throws {
    let store = try samples.open()
    try store.put(StateSamples.checkpoint(), task: "a")
    try store.put(StateSamples.file(), task: "b")
    try store.forgetProgress()
    try store.commit()
    #expect(try store.checkpoint("a") == nil)
    #expect(try store.committedFile("b") != nil)
  }
}

import Testing
import TransferCore

@Suite struct RunMachineTests {
  @Test func aDownloadGoesFromInspectionToTheEnd() {
    var run = MachineScript([download("a")])
    #expect(run.play(.started) == ["inspect a"])
    #expect(run.inspect(0) == ["GET http://a.test/x"])
    #expect(run.answer(0) == ["commit a"])
    #expect(run.play(.committed(task: 0, nil)) == ["done a", "finish"])
    #expect(run.results[0].path == "/t/a")
    #expect(run.results[0].attempts == 1)
    #expect(run.summary?.counts == [.done: 1])
  }

  @Test func anEmptyPlanFinishesAtOnce() {
    var run = MachineScript([])
    #expect(run.play(.started) == ["finish"])
  }

  @Test func atMostMaxParallelTasksRunAtOnce() {
    var settings = RunSettings()
    settings.maxParallel = 2
    var run = MachineScript((0..<5).map { download("\($0)") }, settings: settings)
    #expect(run.play(.started) == ["inspect 0", "inspect 1"])
    run.inspect(0)
    // The place is free as soon as the bytes are here: a commit needs no connection.
    #expect(run.answer(0) == ["commit 0", "inspect 2"])
  }

  @Test func aHostHasAtMostItsSessionsConnections() {
    var session = SessionPlan(name: "default")
    session.maxConnectionsPerHost = 1
    let tasks = [download("a1"), download("a2"), download("b1", "http://b.test/x")]
    var run = MachineScript(tasks, session: session)
    #expect(run.play(.started) == ["inspect a1", "inspect b1"])
    run.inspect(0)
    #expect(run.answer(0) == ["commit a1", "inspect a2"])
  }

  @Test func multiplexingIsBoundedByMaxParallelAlone() {
    var session = SessionPlan(name: "default")
    session.maxConnectionsPerHost = 1
    session.multiplexes = true
    var run = MachineScript([download("a"), download("b")], session: session)
    #expect(run.play(.started) == ["inspect a", "inspect b"])
  }

  @Test func priorityGoesBeforeFileOrderAndHostsTakeTurns() {
    var settings = RunSettings()
    settings.maxParallel = 1
    var urgent = download("urgent", "http://a.test/u")
    urgent.priority = 1
    let tasks = [
      download("a1"), download("a2"), download("b1", "http://b.test/x"), urgent,
    ]
    var run = MachineScript(tasks, settings: settings)
    var order = run.play(.started)
    for task in [Int32(3), 2, 0] { order += run.succeed(task).filter { $0.hasPrefix("inspect") } }
    #expect(order.first == "inspect urgent")
    #expect(Set(order.dropFirst()).isSubset(of: ["inspect a1", "inspect a2", "inspect b1"]))
  }

  @Test func aTaskWaitsForThoseItStandsBehind() {
    var run = MachineScript([download("a"), download("b"), download("c", after: [0, 1])])
    #expect(run.play(.started) == ["inspect a", "inspect b"])
    #expect(run.succeed(0) == ["done a"])
    #expect(run.succeed(1) == ["done b", "inspect c"])
  }

  @Test func whatStandsBehindAFailureIsSkippedWithItsName() {
    let tasks = [download("a"), download("b", after: [0]), download("c", after: [1])]
    var run = MachineScript(tasks)
    run.play(.started)
    run.inspect(0)
    let told = run.answer(0, 404, verdict: .fail(TransferFailure(.status, "404", status: 404)))
    #expect(told == ["failed a status", "skipped b dependency", "skipped c dependency", "finish"])
    #expect(run.results[2].reason == "a did not succeed")
  }

  @Test func aChainOfAHundredThousandIsSkippedWithoutRecursion() {
    let tasks = (0..<100_000).map { download("\($0)", after: $0 == 0 ? [] : [Int32($0 - 1)]) }
    var run = MachineScript(tasks)
    run.play(.started)
    run.play(.inspected(task: 0, .failed(TransferFailure(.localFile, "no"))))
    #expect(run.results.count == 100_000)
    #expect(run.summary?.counts[.skipped] == 99_999)
  }

  @Test func anOptionalFailureLetsOthersGoOnAndDoesNotCount() {
    var optional = download("a")
    optional.optional = .statuses([404])
    var run = MachineScript([optional, download("b", after: [0])])
    run.play(.started)
    run.inspect(0)
    let told = run.answer(0, 404, verdict: .fail(TransferFailure(.status, "404", status: 404)))
    #expect(told == ["failed a status", "inspect b"])
    run.succeed(1)
    #expect(run.summary?.excused == 1)
  }

  @Test func unchangedKeepsTheFileAndSaysWhy() {
    var run = MachineScript([download("a")])
    run.play(.started)
    #expect(
      run.inspect(0, .revalidate(Validator(etag: "\"1\""), at: "http://a.test/x")) == [
        "GET http://a.test/x refresh"
      ])
    #expect(run.answer(0, 304, verdict: .notModified, size: 0) == ["unchanged a", "finish"])
    #expect(run.results[0].source == .revalidated)
  }

  @Test func aKeptFileSendsNothing() {
    var run = MachineScript([download("a")])
    run.play(.started)
    #expect(
      run.inspect(0, .keep(outcome: .unchanged, reason: "r")) == ["unchanged a", "finish"])
  }

  @Test func dataDoneEarlierInTheChainIsNotRepeated() {
    var run = MachineScript([data("a")], doneInRun: ["a": "r0"])
    #expect(run.play(.started) == ["unchanged a", "finish"])
    #expect(run.results[0].reason == "done in run r0")
  }

  @Test func maxErrorsStartsNothingNew() {
    var settings = RunSettings()
    settings.maxErrors = 1
    settings.maxParallel = 1
    var run = MachineScript([download("a"), download("b"), download("c")], settings: settings)
    run.play(.started)
    let told = run.play(.inspected(task: 0, .failed(TransferFailure(.localFile, "no"))))
    #expect(told == ["failed a local_file", "skipped b stopped", "skipped c stopped", "finish"])
  }

  @Test func onFailureStopLetsRunningTasksFinish() {
    var settings = RunSettings()
    settings.onFailure = .stop
    settings.maxParallel = 2
    var run = MachineScript([download("a"), download("b"), download("c")], settings: settings)
    run.play(.started)
    run.inspect(1)
    let told = run.play(.inspected(task: 0, .failed(TransferFailure(.localFile, "no"))))
    #expect(told == ["failed a local_file", "skipped c stopped"])
    #expect(run.answer(1) == ["commit b"])
    #expect(run.play(.committed(task: 1, nil)) == ["done b", "finish"])
  }

  @Test func aSignalEndsRunningTransfersAndDefersTheRest() {
    var settings = RunSettings()
    settings.maxParallel = 1
    var run = MachineScript([download("a"), download("b")], settings: settings)
    run.play(.started)
    run.inspect(0)
    #expect(run.play(.signalled(15)) == ["abort a", "deferred b"])
    let told = run.answer(
      0, size: 4, etag: "\"v\"", failure: TransferFailure(.cancelled, "taken off"))
    #expect(told == ["deferred a", "finish"])
    #expect(run.summary?.signal == 15)
    #expect(
      run.fates.last
        == .keep(validator: Validator(etag: "\"v\""), total: 4, url: "http://a.test/x"))
  }

  @Test func theRunsDeadlineDefers() {
    var run = MachineScript([download("a"), download("b", after: [0])], deadline: .seconds(5))
    run.play(.started)
    run.inspect(0)
    #expect(run.wakeAfter == .seconds(5))
    #expect(run.play(.woke, after: .seconds(5)) == ["abort a", "deferred b"])
    #expect(run.breakOff(0, .cancelled) == ["deferred a", "finish"])
  }

  @Test func aCommitUnderWayIsNotInterrupted() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0)
    run.answer(0)
    #expect(run.play(.signalled(2)) == [])
    #expect(run.play(.committed(task: 0, nil)) == ["done a", "finish"])
  }

  @Test func aFullDiskDefersWhatWritesAndLetsTheRestGoOn() {
    var settings = RunSettings()
    settings.maxParallel = 1
    var run = MachineScript([download("a"), download("b"), data("c")], settings: settings)
    run.play(.started)
    run.inspect(0)
    let told = run.breakOff(0, .disk)
    #expect(told.contains("failed a disk") && told.contains("inspect c"))
    #expect(run.results.contains { $0.task == 1 && $0.outcome == .deferred })
    #expect(run.summary == nil)
    #expect(run.machine.remaining == 1)
  }
}

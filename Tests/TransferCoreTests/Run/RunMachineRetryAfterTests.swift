import Testing
import TransferCore

/// A host that asks to be left alone is left alone by everybody, for as long as it asks.
@Suite struct RunMachineRetryAfterTests {
  @Test func aHostThatAsksToWaitPastTheDeadlineIsLeftAloneAlsoWhenItsTaskFails() {
    var policy = TransferPolicy()
    policy.retry.attempts = 1
    var settings = RunSettings()
    settings.maxParallel = 1
    var run = MachineScript(
      [download("a"), download("b"), download("c", "http://b.test/x")], settings: settings,
      policy: policy, deadline: .seconds(10))
    run.play(.started)
    run.inspect(0)
    #expect(
      run.refuse(0, retryAfter: 30) == ["hold http://a.test", "failed a status", "inspect c"])
    #expect(run.succeed(2) == ["done c", "finish"])
    #expect(run.results.map(\.task) == [0, 1, 2])
    #expect(run.results[1].outcome == .deferred)
    #expect(run.requests.map(\.task) == [0, 2])
  }

  @Test func aHostIsLeftAloneByTasksThatWereLookedAtMeanwhile() {
    var run = MachineScript([download("a"), download("b")])
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, 429, retryAfter: 30) == [])
    #expect(run.inspect(1) == [])
    #expect(run.play(.woke, after: .seconds(30)) == ["GET http://a.test/x", "GET http://a.test/x"])
  }

  @Test func aTaskThatGivesUpHoldsItsHostToo() {
    var policy = TransferPolicy()
    policy.retry.attempts = 1
    var settings = RunSettings()
    settings.maxParallel = 1
    var run = MachineScript([download("a"), download("b")], settings: settings, policy: policy)
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, 429, retryAfter: 30) == ["failed a status"])
    #expect(run.wakeAfter == .seconds(30))
    #expect(run.play(.woke, after: .seconds(30)) == ["inspect b"])
  }

  @Test func aRunThatIsEndedPassesOnWhatItWasWaitingFor() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, 429, retryAfter: 3_600) == [])
    #expect(run.play(.signalled(15)) == ["hold http://a.test", "deferred a", "finish"])
    #expect(run.results.first?.attempts == 1)
  }

  @Test func aTaskThatIsPutOffHasNoOtherTryToTell() {
    var run = MachineScript([download("a")], deadline: .seconds(10))
    run.play(.started)
    run.inspect(0)
    _ = run.refuse(0, 429, retryAfter: 3_600)
    #expect(run.results.first?.attempts == 1)
    #expect(run.results.first?.attemptLog.map(\.delay) == [nil])
  }

  // MARK: Past the run's deadline

  @Test func nothingIsSentForATaskThatWasLookedAtWhenItsHostAskedToWaitPastTheDeadline() {
    var run = MachineScript([download("a"), download("b")], deadline: .seconds(10))
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, retryAfter: 30) == ["hold http://a.test", "deferred a status"])
    #expect(run.inspect(1) == ["deferred b", "finish"])
    #expect(run.requests.count == 1)
    #expect(
      run.results.last?.reason
        == "http://a.test asks to wait (Retry-After): not before 1970-01-01T00:00:30Z")
  }

  @Test func aRequestThatWasBeingTakenOffIsHeardToo() {
    var policy = TransferPolicy()
    policy.timeoutForResource = .seconds(5)
    var run = MachineScript(
      [download("a"), download("b")], policy: policy, deadline: .seconds(10))
    run.play(.started)
    run.inspect(0)
    #expect(run.play(.woke, after: .seconds(5)) == ["abort a", "abort b"])
    #expect(run.refuse(0, retryAfter: 30) == ["hold http://a.test", "failed a deadline"])
  }

  @Test func noConnectionIsAddedAtSuchAHost() {
    var run = MachineScript([split("a"), download("b")], deadline: .seconds(10))
    run.play(.started)
    run.inspect(0)
    run.inspect(1)
    #expect(run.refuse(1, retryAfter: 30) == ["hold http://a.test", "deferred b status"])
    #expect(run.play(.storing(task: 0, large, position: 0)) == [])
  }

  /// Past the run's deadline or not.
  @Test(arguments: [Duration?.none, .seconds(10)])
  func aRangeThatIsRefusedHoldsItsHost(deadline: Duration?) {
    var run = MachineScript([split("a"), download("b", after: [0])], deadline: deadline)
    run.play(.started)
    run.inspect(0)
    #expect(run.play(.storing(task: 0, large, position: 0)).count == 1)
    let report = TransferReport(task: 0, transaction: Transaction(url: "u"))
    report.segment = 1
    report.head = ResponseHead(status: 503, contentLength: 0, validator: Validator())
    report.head?.retryAfter = "30"
    report.verdict = .fail(TransferFailure(.status, "503", status: 503))
    #expect(
      run.play(.finished(report, redirect: nil))
        == (deadline == nil ? [] : ["hold http://a.test"]))
    #expect(run.answer(0, size: Self.total) == ["commit a"])
    let ends = run.play(.committed(task: 0, nil))
    if deadline == nil {
      #expect(ends == ["done a"] && run.wakeAfter == .seconds(30))
    } else {
      #expect(ends == ["done a", "deferred b", "finish"])
    }
  }

  // MARK: For whom, and how long

  /// A backoff is its task's own.
  @Test func aHostIsHeldForNoLongerThanItAsks() {
    var policy = TransferPolicy()
    policy.retry.backoff = .seconds(120)
    var settings = RunSettings()
    settings.maxParallel = 1
    var run = MachineScript([download("a"), download("b")], settings: settings, policy: policy)
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, retryAfter: 1) == [])
    #expect(run.wakeAfter == .seconds(1))
    #expect(run.play(.woke, after: .seconds(1)) == ["inspect b"])
  }

  /// Of several addresses, the one that asked.
  @Test func theHostThatAskedIsTheOneThatIsHeld() {
    var policy = TransferPolicy()
    policy.timeoutForResource = .seconds(20)
    var task = download("a")
    task.request.mirrors = [PlanText("http://b.test/x")]
    var run = MachineScript([task], policy: policy)
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, retryAfter: 30) == ["GET http://b.test/x"])
    let gone = HeadVerdict.fail(TransferFailure(.status, "404", status: 404))
    #expect(
      run.answer(0, 404, verdict: gone) == ["hold http://a.test", "deferred a status", "finish"])
    #expect(run.results.first?.reason?.hasPrefix("http://a.test asks to wait") == true)
  }

  private static let total: Int64 = 4 * 1_048_576

  private func split(_ id: String) -> TaskPlan {
    var task = download(id)
    var plan = DownloadPlan(path: "/t/\(id)")
    plan.segments = .fixed(2)
    task.work = .download(plan)
    return task
  }

  private var large: ResponseHead {
    ResponseHead(status: 200, contentLength: Self.total, validator: Validator(etag: "\"v\""))
  }
}

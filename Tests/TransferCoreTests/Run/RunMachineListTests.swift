import Testing
import TransferCore

/// Checksum lists from addresses: fetched once, before the first task that needs them.
@Suite struct RunMachineListTests {
  private static let sums = "http://b.test/SUMS"

  private func listed(_ id: String, after: [Int32] = [], lists: [Int32] = [0]) -> TaskPlan {
    var task = download(id, "http://a.test/\(id)", after: after)
    var plan = DownloadPlan(path: "/t/\(id)")
    plan.checksums = lists.map { .list($0, algorithm: nil) }
    task.work = .download(plan)
    return task
  }

  private func script(
    _ tasks: [TaskPlan], settings: RunSettings = RunSettings(), retry: RetryPolicy? = nil,
    lists: Int = 1, deadline: Duration? = nil
  ) -> MachineScript {
    var policy = TransferPolicy()
    if let retry { policy.retry = retry }
    let urls = [Self.sums, "http://b.test/MORE"]
    return MachineScript(
      tasks, settings: settings, policy: policy, deadline: deadline,
      lists: urls.prefix(lists).map { ListPlan(session: 0, url: PlanText($0), headers: []) })
  }

  private func needs(_ script: inout MachineScript, _ task: Int32, list: Int32 = 0) -> [String] {
    let url = script.machine.plan.lists[Int(list)].url.shown
    let request = ResolvedRequest(
      addresses: [.init(url: url, shownURL: url)],
      headers: ResolvedHeaders([.init(name: "x-key", line: "X-Key: k", scope: .origin)]),
      body: .none, declared: [])
    return script.play(.inspected(task: task, .needs(list: list, .success(request))))
  }

  private let keep = HeadVerdict.keep(limit: ListPlan.bound)
  private static let once: RetryPolicy = {
    var policy = RetryPolicy()
    policy.attempts = 1
    return policy
  }()

  @Test func theFirstFetchesItAndTheOthersWait() {
    var run = script([listed("a"), listed("b"), download("c")])
    #expect(run.play(.started) == ["inspect a", "inspect c"])
    #expect(needs(&run, 0) == ["GET http://b.test/SUMS"])
    #expect(
      run.answer(0, verdict: keep, body: Array("x".utf8)) == ["learn 0", "inspect a", "inspect b"])
    #expect(run.inspect(0) == ["GET http://a.test/a"])
    #expect(run.answer(0, etag: "\"1\"") == ["commit a"])
    run.play(.committed(task: 0, nil))
    #expect(run.succeed(1) == ["done b"])
    #expect(run.succeed(2) == ["done c", "finish"])
    #expect(run.results[0].transactions.count == 2)
    #expect(run.results[0].bytesReceived == 10)
    #expect(run.results[0].currentURL == "http://a.test/a")
    #expect(run.results[1].transactions.count == 1)
  }

  @Test func theListsRequestIsNoneOfTheFiles() throws {
    var task = listed("a")
    task.expect.status = [.exactly(204)]
    task.expect.size = 3
    if case .download(var plan) = task.work {
      plan.maxBytes = 5
      task.work = .download(plan)
    }
    var run = script([task])
    run.play(.started)
    _ = needs(&run, 0)
    let request = try #require(run.requests.first)
    #expect(request.sink == .memory(limit: ListPlan.bound))
    #expect(request.maxBytes == ListPlan.bound)
    #expect(request.expect == Expectation())
    #expect(request.decodes && !request.allowsUnframed)
    #expect(request.headerLines == ["X-Key: k"])
  }

  @Test func whoWaitsHoldsNoPlace() {
    var settings = RunSettings()
    settings.maxParallel = 2
    var run = script([listed("a"), listed("b"), listed("c"), download("d")], settings: settings)
    #expect(run.play(.started) == ["inspect a", "inspect d"])
  }

  @Test func aRedirectIsFollowedAndItsHeadersStayBehind() {
    var run = script([listed("a")])
    run.play(.started)
    _ = needs(&run, 0)
    let told = run.answer(
      0, 302, verdict: .redirect(location: "http://c.test/s"), to: "http://c.test/s")
    #expect(told == ["GET http://c.test/s"])
    #expect(run.requests.last?.headerLines == [])
    #expect(run.answer(0, verdict: keep) == ["learn 0", "inspect a"])
    run.inspect(0, headers: [.init(name: "x-own", line: "X-Own: o", scope: .origin)])
    #expect(run.requests.last?.headerLines == ["X-Own: o"])
    #expect(run.requests.last?.sink == .part)
  }

  @Test func oneThatCannotBeHadFailsAllThatNeedIt() {
    var run = script([listed("a"), listed("b"), download("c"), listed("d", after: [2])])
    run.play(.started)
    _ = needs(&run, 0)
    let failure = TransferFailure(.status, "the server answered 404 Not Found", status: 404)
    #expect(
      run.answer(0, 404, verdict: .fail(failure))
        == ["failed a checksum_list", "failed b checksum_list"])
    #expect(run.succeed(2) == ["done c", "failed d checksum_list", "finish"])
    #expect(
      run.results[0].failure?.detail
        == "the checksum list http://b.test/SUMS can't be had: the server answered 404 Not Found")
    #expect(run.results[0].failure?.status == nil)
    #expect(run.results.map(\.isRetryable) == [false, false, false, false])
  }

  @Test func aFailureThatMayPassIsTriedAgain() {
    var run = script([listed("a"), listed("b")])
    run.play(.started)
    _ = needs(&run, 0)
    #expect(run.breakOff(0, .connect) == [])
    let wait = run.wakeAfter ?? .zero
    #expect(run.play(.woke, after: wait) == ["GET http://b.test/SUMS"])
    #expect(run.answer(0, verdict: keep) == ["learn 0", "inspect a", "inspect b"])
    #expect(run.succeed(0) == ["done a"])
    #expect(run.results[0].attempts == 2)
    #expect(run.results[0].attemptLog.count == 1)
  }

  @Test func afterTheLastTryItIsSaidThatLaterMayHelp() {
    var run = script([listed("a"), listed("b")], retry: Self.once)
    run.play(.started)
    _ = needs(&run, 0)
    #expect(
      run.breakOff(0, .timeout)
        == ["failed a checksum_list", "failed b checksum_list", "finish"])
    #expect(run.results.map(\.isRetryable) == [true, true])
  }

  @Test func itsTriesAreNotTheFiles() {
    var twice = Self.once
    twice.attempts = 2
    var run = script([listed("a")], retry: twice)
    run.play(.started)
    _ = needs(&run, 0)
    run.breakOff(0, .connect)
    run.play(.woke, after: run.wakeAfter ?? .zero)
    run.answer(0, verdict: keep)
    run.inspect(0)
    #expect(run.breakOff(0, .connect) == [])
    #expect(run.play(.woke, after: run.wakeAfter ?? .zero) == ["GET http://a.test/a"])
  }

  @Test func whenItsTaskEndsTheNextFetchesIt() {
    var run = script([listed("a"), listed("b"), listed("c"), listed("d")])
    run.play(.started)
    _ = needs(&run, 0)
    let (due, day) = (run.wakeAfter ?? .zero, Duration.seconds(86_400))
    #expect(due >= day)
    #expect(run.play(.woke, after: due) == ["abort a"])
    #expect(run.breakOff(0, .cancelled) == ["failed a deadline", "inspect b"])
    #expect(needs(&run, 1) == ["GET http://b.test/SUMS"])
    #expect(
      run.answer(1, verdict: keep) == ["learn 0", "inspect b", "inspect c", "inspect d"])
  }

  @Test func aSecretThatIsMissingIsSaidOfAllThatNeedTheList() {
    var run = script([listed("a"), listed("b")])
    run.play(.started)
    let secret = TransferFailure(.secret, "no secret")
    #expect(
      run.play(.inspected(task: 0, .needs(list: 0, .failure(secret))))
        == ["failed a secret", "failed b secret", "finish"])
    #expect(run.results.allSatisfy { $0.transactions.isEmpty && $0.attempts == 0 })
  }

  @Test func manyWaitAtOnceAtNoCost() {
    let count: Int32 = 12_500
    var run = script((0..<count).map { listed("t\($0)") })
    run.play(.started)
    _ = needs(&run, 0)
    let failure = TransferFailure(.status, "404", status: 404)
    #expect(run.answer(0, 404, verdict: .fail(failure)).count == Int(count) + 1)
  }

  @Test func aTaskOfTwoListsFetchesBoth() {
    var run = script([listed("a", lists: [0, 1]), listed("b", lists: [1])], lists: 2)
    #expect(run.play(.started) == ["inspect a", "inspect b"])
    _ = needs(&run, 1, list: 1)
    _ = needs(&run, 0)
    // b has the second under way: a waits for that.
    #expect(run.answer(0, verdict: keep) == ["learn 0"])
    #expect(run.answer(1, verdict: keep) == ["learn 1", "inspect a", "inspect b"])
  }

  @Test func aSignalEndsWhoWaitsToo() {
    var run = script([listed("a"), listed("b")])
    run.play(.started)
    _ = needs(&run, 0)
    #expect(run.play(.signalled(15)) == ["abort a", "deferred b"])
    #expect(run.breakOff(0, .cancelled) == ["deferred a", "finish"])
    #expect(run.results.count == 2)
  }

  @Test func aFailureThatStopsTheRunLeavesNobodyWaiting() {
    var settings = RunSettings()
    settings.onFailure = .stop
    var run = script([listed("a"), listed("b"), listed("c")], settings: settings)
    run.play(.started)
    _ = needs(&run, 0)
    let failure = TransferFailure(.status, "404", status: 404)
    #expect(
      run.answer(0, 404, verdict: .fail(failure))
        == ["failed a checksum_list", "skipped b stopped", "skipped c stopped", "finish"])
  }
}

import Testing
import TransferCore

/// Runs that stop, and tasks that are taken off: what the simulation found, as scripts.
@Suite struct RunMachineStopTests {
  private func stoppedRun(deadline: Duration? = nil) -> MachineScript {
    var settings = RunSettings()
    settings.onFailure = .stop
    let tasks = [download("a"), download("b", "http://b.test/x"), download("c", "http://c.test/x")]
    var run = MachineScript(tasks, settings: settings, deadline: deadline)
    run.play(.started)
    run.inspect(0)
    run.inspect(1)
    run.inspect(2)
    let failure = TransferFailure(.status, "404", status: 404)
    #expect(run.answer(0, 404, verdict: .fail(failure)) == ["failed a status"])
    return run
  }

  @Test func aTransferThatMayFinishFollowsItsRedirect() {
    var run = stoppedRun()
    let next = "http://d.test/y"
    #expect(run.answer(1, 302, verdict: .redirect(location: next), to: next) == ["GET \(next)"])
    #expect(run.answer(1) == ["commit b"])
    #expect(run.play(.committed(task: 1, nil)) == ["done b"])
    #expect(run.answer(2, 206, verdict: .restart(reason: "no")) == ["GET http://c.test/x"])
  }

  @Test func theDeadlineEndsWhatAStopLetFinish() {
    var run = stoppedRun(deadline: .seconds(60))
    #expect(run.wakeAfter == .seconds(60))
    #expect(run.play(.woke, after: .seconds(60)) == ["abort b", "abort c"])
    #expect(run.breakOff(1, .cancelled) == ["deferred b"])
    #expect(run.breakOff(2, .cancelled) == ["deferred c", "finish"])
    #expect(run.summary?.stopReason == "the run's deadline has passed")
  }

  @Test func aDeadlineAfterASignalChangesNothing() {
    var run = MachineScript([download("a")], deadline: .seconds(60))
    run.play(.started)
    run.inspect(0)
    #expect(run.play(.signalled(15)) == ["abort a"])
    #expect(run.play(.woke, after: .seconds(60)) == [])
    #expect(run.breakOff(0, .cancelled) == ["deferred a", "finish"])
    #expect(run.summary?.signal == 15)
  }

  /// Nothing was asked of a server: the log tells of no request.
  @Test func aTaskThatIsTakenOffWhileItIsLookedAtSentNothing() {
    var run = MachineScript([download("a")])
    run.play(.started)
    #expect(run.play(.signalled(15)) == ["abort a"])
    #expect(run.play(.aborted(task: 0)) == ["deferred a", "finish"])
    #expect(run.results[0].transactions.isEmpty)
    #expect(run.results[0].attempts == 0)
  }

  /// The digest came in the same turn as the signal.
  @Test func aTaskThatIsTakenOffIsNotCommitted() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, declared: [.init(algorithm: .sha256, hex: "d", isInline: true)])
    #expect(run.answer(0) == ["hash a"])
    #expect(run.play(.signalled(15)) == ["abort a"])
    #expect(run.play(.partHashed(task: 0, .success([.sha256: "d"]))) == [])
    #expect(run.play(.aborted(task: 0)) == ["deferred a", "finish"])
  }
}

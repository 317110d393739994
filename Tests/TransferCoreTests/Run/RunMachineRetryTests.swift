import Testing
import TransferCore

@Suite struct RunMachineRetryTests {
  private func started(
    _ task: TaskPlan = download("a"), policy: TransferPolicy = TransferPolicy()
  ) -> MachineScript {
    var run = MachineScript([task], policy: policy)
    run.play(.started)
    run.inspect(0)
    return run
  }

  @Test func aBrokenConnectionIsTriedAgainAfterTheBackoff() {
    var run = started()
    #expect(run.breakOff(0, .connect) == [])
    #expect(run.wakeAfter.map { $0 <= .seconds(1) } == true)
    #expect(run.play(.woke, after: .seconds(1)) == ["GET http://a.test/x"])
    run.answer(0)
    run.play(.committed(task: 0, nil))
    #expect(run.results[0].attempts == 2)
    #expect(run.results[0].attemptLog.count == 1)
  }

  @Test func triesAreFinite() {
    var run = started()
    for _ in 1..<5 {
      #expect(run.breakOff(0, .connect) == [])
      run.play(.woke, after: .seconds(600))
    }
    #expect(run.breakOff(0, .connect) == ["failed a connect", "finish"])
    #expect(run.results[0].attempts == 5)
    #expect(run.results[0].isRetryable)
  }

  @Test func aRetryResumesByAStrongValidator() {
    var run = started()
    let cut = TransferFailure(.truncated, "cut")
    #expect(run.answer(0, size: 4, etag: "\"v\"", failure: cut) == [])
    #expect(run.play(.woke, after: .seconds(2)) == ["GET http://a.test/x from 4"])
    #expect(run.answer(0, 206, verdict: .store(from: 4, total: 10), size: 10) == ["commit a"])
    #expect(run.play(.committed(task: 0, nil)) == ["done a", "finish"])
    #expect(run.results[0].bytesResumed == 4)
  }

  @Test func aWeakValidatorStartsOver() {
    var run = started()
    run.answer(0, size: 4, etag: "W/\"v\"", failure: TransferFailure(.truncated, "cut"))
    #expect(run.play(.woke, after: .seconds(2)) == ["GET http://a.test/x"])
  }

  @Test func aPartFileThatIsWholeAlreadyIsCommittedAtTheServersLength() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 10, validator: Validator(etag: "\"v\""), total: 10))
    #expect(run.answer(0, 416, verdict: .rangeComplete(total: 10), size: 0) == ["commit a"])
    #expect(run.commits.last?.size == 10)
    #expect(run.commits.last?.validator.etag == "\"v\"")
  }

  /// What lies behind the bytes that are put in place is no part of what is checked.
  @Test func aPartFileThatIsWholeAlreadyIsHashedUpToTheServersLength() {
    let right = LocalFacts.DeclaredDigest(algorithm: .sha256, hex: "aa", isInline: true)
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 10, validator: nil, total: nil), declared: [right])
    #expect(run.answer(0, 416, verdict: .rangeComplete(total: 10), size: 0) == ["hash a"])
    #expect(run.hashedSizes == [10])
    #expect(run.play(.partHashed(task: 0, .success([.sha256: "aa"]))) == ["commit a"])
    #expect(run.commits.map(\.size) == [10])
  }

  @Test func aRefusedResumeStartsOverOnceAndNotForEver() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 5, validator: Validator(etag: "\"v\""), total: 10))
    let restart = HeadVerdict.restart(reason: "its 206 is multipart")
    #expect(run.answer(0, 206, verdict: restart) == ["GET http://a.test/x"])
    run.answer(0, 206, verdict: restart)
    #expect(run.answer(0, 206, verdict: restart) == ["failed a range", "finish"])
  }

  @Test func aPostWhoseBodyWasSentIsNotRepeated() {
    var run = started(data("a", method: "POST"))
    let reset = TransferFailure(.connect, "reset")
    #expect(
      run.answer(0, verdict: nil, failure: reset, sent: 3) == ["failed a connect", "finish"])
  }

  @Test func aPostAnsweredBy503FailsAfterOneRequest() {
    var run = started(data("a", method: "POST"))
    let busy = TransferFailure(.status, "503", status: 503)
    #expect(run.answer(0, 503, verdict: .fail(busy)) == ["failed a status", "finish"])
  }

  @Test func aPostIsRepeatedWhenTheJobSaysSo() {
    var policy = TransferPolicy()
    policy.retry.unsafe = true
    var run = started(data("a", method: "POST"), policy: policy)
    #expect(run.answer(0, verdict: nil, failure: TransferFailure(.connect, "r"), sent: 3) == [])
  }

  @Test(arguments: [301, 302, 303]) func aPostThatARedirectMadeAGetIsNotRepeated(_ status: Int) {
    var run = started(data("a", method: "POST"))
    run.answer(0, status, verdict: .redirect(location: "/s"), to: "http://a.test/s")
    let busy = TransferFailure(.status, "503", status: 503)
    #expect(run.answer(0, 503, verdict: .fail(busy)) == ["failed a status", "finish"])
  }

  @Test func aResumeThatStartsOverResumedNothing() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 5, validator: Validator(etag: "\"v\""), total: 10))
    #expect(run.answer(0, verdict: .store(from: 0, total: 10)) == ["commit a"])
    run.play(.committed(task: 0, nil))
    #expect(run.results[0].bytesResumed == 0)
  }

  @Test func aSecretThatASignalStoppedDefersItsTask() {
    var run = MachineScript([data("a")])
    run.play(.started)
    #expect(run.play(.signalled(15)) == ["abort a"])
    #expect(run.play(.inspected(task: 0, .failed(TransferFailure(.stopped, "stopped")))) == [])
    #expect(run.breakOff(0, .cancelled) == ["deferred a", "finish"])
  }

  @Test func aSecretThatTheDeadlineStoppedDefersItsTask() {
    var run = MachineScript([data("a")], deadline: .seconds(4))
    run.play(.started)
    let stopped = RunEvent.inspected(task: 0, .failed(TransferFailure(.stopped, "stopped")))
    #expect(run.play(stopped, after: .seconds(4)) == ["abort a"])
    #expect(run.breakOff(0, .cancelled) == ["deferred a", "finish"])
  }

  @Test func aMissingFileIsNotTriedAgain() {
    var run = started()
    let gone = TransferFailure(.status, "404", status: 404)
    #expect(run.answer(0, 404, verdict: .fail(gone)) == ["failed a status", "finish"])
  }

  @Test func aWrongDigestGetsOneCleanTransfer() {
    let right = LocalFacts.DeclaredDigest(algorithm: .sha256, hex: "aa", isInline: true)
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, declared: [right])
    #expect(run.answer(0, digest: "bb") == ["GET http://a.test/x"])
    #expect(run.answer(0, digest: "bb") == ["failed a digest_mismatch", "finish"])
    #expect(run.fates == [.discard])
    #expect(run.results[0].failure?.detail == "sha256 is bb, declared is aa")
  }

  private static let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
  private static let helloField = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"

  @Test func aReprDigestIsHeldToLikeADeclaredOne() {
    var run = MachineScript([download("a"), download("b")])
    run.play(.started)
    run.inspect(0)
    run.inspect(1)
    #expect(run.answer(0, digest: Self.hello, reprDigest: Self.helloField) == ["commit a"])
    #expect(run.answer(1, digest: "bb", reprDigest: Self.helloField) == ["GET http://a.test/x"])
    #expect(
      run.answer(1, digest: "bb", reprDigest: Self.helloField) == ["failed b digest_mismatch"])
    #expect(
      run.results.last?.failure?.detail
        == "sha256 is bb, the server's Repr-Digest is " + Self.hello)
  }

  @Test func aResumedFileIsHashedWholeForItsReprDigest() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 5, validator: nil, total: 10))
    #expect(
      run.answer(0, 206, verdict: .store(from: 5, total: 10), reprDigest: Self.helloField)
        == ["hash a"])
    #expect(run.play(.partHashed(task: 0, .success([.sha256: Self.hello]))) == ["commit a"])
  }

  @Test func aWrongContentDigestGetsOneCleanTransferToo() {
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 5, validator: nil, total: 10))
    let wrong = TransferFailure(.digestMismatch, "it differs", status: 206)
    #expect(
      run.answer(0, 206, verdict: .store(from: 5, total: 10), failure: wrong)
        == ["GET http://a.test/x"])
    #expect(run.answer(0, failure: wrong) == ["failed a digest_mismatch", "finish"])
    #expect(run.fates == [.discard])
  }

  @Test func aResumedFileIsHashedWhole() {
    let right = LocalFacts.DeclaredDigest(algorithm: .sha256, hex: "aa", isInline: true)
    var run = MachineScript([download("a")])
    run.play(.started)
    run.inspect(0, .resume(from: 5, validator: nil, total: 10), declared: [right])
    #expect(run.answer(0, 206, verdict: .store(from: 5, total: 10)) == ["hash a"])
    #expect(run.play(.partHashed(task: 0, .success([.sha256: "aa"]))) == ["commit a"])
  }

  @Test func retryAfterHoldsTheWholeHost() {
    var settings = RunSettings()
    settings.maxParallel = 1
    let tasks = [download("a"), download("b"), download("c", "http://c.test/x")]
    var run = MachineScript(tasks, settings: settings)
    run.play(.started)
    run.inspect(0)
    #expect(run.refuse(0, 429, retryAfter: 30) == ["inspect c"])
    #expect(run.succeed(2) == ["done c"])
    #expect(run.wakeAfter == .seconds(30))
    #expect(run.play(.woke, after: .seconds(30)).count == 1)
  }

  @Test func theResourceTimeoutCountsRetriesAndWaits() {
    var policy = TransferPolicy()
    policy.timeoutForResource = .seconds(10)
    policy.retry.attempts = nil
    policy.retry.backoff = .seconds(120)
    var run = started(policy: policy)
    run.breakOff(0, .connect)
    #expect(run.play(.woke, after: .seconds(10)) == ["failed a deadline", "finish"])
    #expect(run.results[0].failure?.detail == "not finished within 10 s (timeout_for_resource)")
  }
}

import Testing
import TransferCore

/// A condition is asked of the address that it speaks for.
@Suite struct RunMachineConditionTests {
  private let dated = Validator(
    lastModified: "Mon, 01 Jan 2024 00:00:00 GMT", date: "Mon, 01 Jan 2024 00:10:00 GMT")
  private let mirror = "http://b.test/y"

  private func started(_ decision: LocalDecision) -> (run: MachineScript, told: [String]) {
    var run = MachineScript([download("a")])
    run.play(.started)
    let told = run.inspect(0, decision)
    return (run, told)
  }

  /// Two mirrors may have been filled in the same second.
  @Test func aDateIsNotAskedOfTheNextAddress() {
    var (run, told) = started(.resume(from: 5, validator: dated, total: 10))
    #expect(told == ["GET http://a.test/x from 5"])
    #expect(
      run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror) == ["GET \(mirror)"])
  }

  @Test func aStrongETagIs() {
    let strong = Validator(etag: "\"v1\"")
    var (run, _) = started(.resume(from: 5, validator: strong, total: 10))
    #expect(
      run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror)
        == ["GET \(mirror) from 5"])
  }

  @Test func soIsARangeThatAChecksumDecidesAbout() {
    var (run, _) = started(.resume(from: 5, validator: nil, total: 10))
    #expect(
      run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror)
        == ["GET \(mirror) from 5 unvalidated"])
  }

  @Test func validatorsOfAWholeFileAreNotAskedOfTheNextAddress() {
    var (run, told) = started(.revalidate(Validator(etag: "\"v1\""), at: "http://a.test/x"))
    #expect(told == ["GET http://a.test/x refresh"])
    #expect(
      run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror) == ["GET \(mirror)"])
  }

  /// What came from a mirror goes on there, by whatever way the next try leads to it.
  @Test func aRetryAsksADateOfTheAddressThatTheBytesCameFrom() {
    var (run, _) = started(.fetch(reason: ""))
    run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror)
    run.cut(0, at: 5, of: 10, dated)
    #expect(run.play(.woke, after: .seconds(1)) == ["GET http://a.test/x"])
    #expect(
      run.answer(0, 302, verdict: .redirect(location: mirror), to: mirror)
        == ["GET \(mirror) from 5"])
  }
}

extension MachineScript {
  /// A body that ends too early.
  fileprivate mutating func cut(
    _ task: Int32, at size: Int64, of total: Int64, _ validator: Validator
  ) {
    let report = TransferReport(task: task, transaction: Transaction(url: "u"))
    report.head = ResponseHead(status: 200, contentLength: total, validator: validator)
    report.verdict = .store(from: 0, total: total)
    report.bodyBytes = size
    report.partSize = size
    report.failure = TransferFailure(.truncated, "it broke")
    play(.finished(report, redirect: nil))
  }
}

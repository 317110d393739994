import Testing
import TransferCore

@Suite struct RunMachineSegmentsTests {
  private static let unit: Int64 = 1_048_576
  private let total = 40 * Self.unit

  private func script(
    _ segments: SegmentCount, parallel: Int = 16, perHost: Int = 6, tasks: Int = 1,
    deadline: Duration? = nil
  ) -> MachineScript {
    var settings = RunSettings()
    settings.maxParallel = parallel
    var session = SessionPlan(name: "default")
    session.maxConnectionsPerHost = perHost
    let plans = (0..<tasks).map { index in
      var plan = DownloadPlan(path: "/t/\(index)")
      plan.segments = segments
      return TaskPlan(
        id: "\(index)", session: 0, policy: 0, work: .download(plan),
        request: RequestPlan(method: "GET", url: PlanText("http://a.test/\(index)")))
    }
    return MachineScript(plans, settings: settings, session: session, deadline: deadline)
  }

  private func head(_ status: Int = 200, says: String? = "bytes") -> ResponseHead {
    var head = ResponseHead(
      status: status, contentLength: total, validator: Validator(etag: "\"v1\""))
    head.acceptRanges = says
    return head
  }

  private func begin(_ script: inout MachineScript, at position: Int64 = 0) -> [String] {
    script.play(.started)
    script.inspect(0)
    return script.play(.storing(task: 0, head(), position: position))
  }

  /// A request of the task ends.
  private func end(
    _ script: inout MachineScript, _ segment: Int32, from: Int64 = 0, bytes: Int64 = 0,
    verdict: HeadVerdict? = nil, failure: TransferFailure? = nil
  ) -> [String] {
    let report = TransferReport(task: 0, transaction: Transaction(url: "u"))
    report.segment = segment
    report.verdict = verdict ?? .store(from: from, total: total)
    report.head = head(from > 0 ? 206 : 200)
    report.bodyBytes = bytes
    report.partSize = from + bytes
    report.failure = failure
    return script.play(.finished(report, redirect: nil))
  }

  private let refusal = HeadVerdict.fail(TransferFailure(.status, "503", status: 503))
  private var quarter: Int64 { total / 4 }

  @Test func theRestIsCutAndTheFirstEndsWhereAnotherWasAnswered() {
    var script = script(.fixed(4))
    #expect(
      begin(&script) == (1...3).map { "GET http://a.test/0 from \(Int64($0) * quarter)" })
    #expect(script.requests.map(\.segment) == [0, 1, 2, 3])
    #expect(script.requests.map(\.insists) == [false, true, true, true])
    #expect(script.requests.map(\.upTo) == [nil, 2 * quarter, 3 * quarter, total])
    #expect(script.play(.segmentAccepted(task: 0, segment: 2)) == ["bound 0 \(2 * quarter)"])
    #expect(script.play(.segmentAccepted(task: 0, segment: 1)) == ["bound 0 \(quarter)"])
    #expect(script.play(.segmentAccepted(task: 0, segment: 3)).isEmpty)
    #expect(end(&script, 2, from: 2 * quarter, bytes: quarter).isEmpty)
    #expect(end(&script, 0, bytes: quarter).isEmpty)
    #expect(end(&script, 3, from: 3 * quarter, bytes: quarter).isEmpty)
    #expect(end(&script, 1, from: quarter, bytes: quarter) == ["commit 0"])
    #expect(script.commits.map(\.size) == [total])
    #expect(script.play(.committed(task: 0, nil)) == ["done 0", "finish"])
  }

  @Test func segmentsCountUnderBothLimits() {
    var perHost = script(.fixed(8), perHost: 3)
    #expect(begin(&perHost).count == 2)
    var parallel = script(.fixed(8), parallel: 2)
    #expect(begin(&parallel).count == 1)
    // Another task holds the second place: what is left is one.
    var shared = script(.fixed(8), parallel: 2, tasks: 2)
    #expect(begin(&shared).isEmpty)
    // As soon as it has ended there is room.
    shared.inspect(1, .keep(outcome: .unchanged, reason: ""))
    #expect(shared.play(.woke, after: .seconds(1)) == ["measure 0"])
    #expect(shared.play(.storing(task: 0, head(), position: quarter)).count == 1)
  }

  @Test func placesAreGivenBack() {
    var script = script(.fixed(4), perHost: 4, tasks: 9)
    script.play(.started)
    for task in 0..<4 { script.inspect(Int32(task)) }
    // Four tasks run, five wait: no place is left over.
    #expect(script.play(.storing(task: 0, head(), position: 0)).isEmpty)
    var alone = self.script(.fixed(4), perHost: 4, tasks: 1)
    #expect(begin(&alone).count == 3)
    for segment in Int32(1)...3 { _ = end(&alone, segment, verdict: refusal) }
    #expect(end(&alone, 0, bytes: total) == ["commit 0"])
    #expect(alone.play(.committed(task: 0, nil)) == ["done 0", "finish"])
  }

  @Test func aRefusedRangeIsDoneByTheFirst() {
    var script = script(.fixed(2))
    #expect(begin(&script).count == 1)
    #expect(end(&script, 1, verdict: refusal).isEmpty)
    #expect(end(&script, 0, bytes: total) == ["commit 0"])
  }

  @Test func whatIsLeftIsAskedAlone() {
    var script = script(.fixed(4))
    _ = begin(&script)
    for segment in Int32(1)...3 { script.play(.segmentAccepted(task: 0, segment: segment)) }
    _ = end(&script, 0, bytes: quarter)
    _ = end(&script, 1, verdict: refusal)
    _ = end(&script, 3, from: 3 * quarter, bytes: quarter)
    let rest = end(&script, 2, from: 2 * quarter, bytes: quarter)
    #expect(rest == ["GET http://a.test/0 from \(quarter)"])
    #expect(script.requests.last?.upTo == 2 * quarter)
    #expect(script.requests.last?.kept == ByteRanges([2 * quarter..<total]))
    // The server refuses segments: it isn't asked for several again.
    #expect(script.play(.storing(task: 0, head(206), position: quarter)).isEmpty)
    #expect(end(&script, 0, from: quarter, bytes: quarter) == ["commit 0"])
    #expect(script.commits.map(\.size) == [total])
  }

  @Test func anotherVersionEndsAllAndStartsAnew() {
    var script = script(.fixed(4))
    _ = begin(&script)
    #expect(end(&script, 2, verdict: .restart(reason: "changed")) == ["abort 0"])
    let cancelled = TransferFailure(.cancelled, "cancelled")
    #expect(end(&script, 0, bytes: 10, failure: cancelled).isEmpty)
    #expect(end(&script, 1, from: quarter, bytes: 10, failure: cancelled).isEmpty)
    let last = end(&script, 3, from: 3 * quarter, bytes: 10, failure: cancelled)
    #expect(last == ["GET http://a.test/0"])
    #expect(script.requests.last?.kept.isEmpty == true)
    #expect(script.play(.storing(task: 0, head(), position: 0)).isEmpty)
  }

  @Test func aRangeThatBreaksOffIsRetriedWhenTheOthersAreThere() {
    var script = script(.fixed(2))
    _ = begin(&script)
    script.play(.segmentAccepted(task: 0, segment: 1))
    let cut = TransferFailure(.truncated, "cut")
    #expect(end(&script, 1, from: 2 * quarter, bytes: 100, failure: cut).isEmpty)
    #expect(end(&script, 0, bytes: 2 * quarter).isEmpty)
    let again = script.play(.woke, after: script.wakeAfter ?? .zero)
    #expect(again == ["GET http://a.test/0 from \(2 * quarter + 100)"])
    #expect(script.results.isEmpty)
  }

  @Test func aFailureKeepsWhatCame() {
    var script = script(.fixed(2))
    _ = begin(&script)
    let full = TransferFailure(.disk, "full")
    #expect(end(&script, 0, bytes: 100, failure: full) == ["abort 0"])
    let cancelled = TransferFailure(.cancelled, "cancelled")
    let ended = end(&script, 1, from: 2 * quarter, bytes: 7, failure: cancelled)
    #expect(ended == ["failed 0 disk", "finish"])
    #expect(
      script.fates == [
        .keep(validator: Validator(etag: "\"v1\""), total: total, url: "http://a.test/0")
      ])
  }

  @Test func aSignalEndsAllOfThem() {
    var script = script(.fixed(2))
    _ = begin(&script)
    #expect(script.play(.signalled(15)) == ["abort 0"])
    // All had ended already: their reports count.
    #expect(script.play(.aborted(task: 0)).isEmpty)
    let cancelled = TransferFailure(.cancelled, "cancelled")
    #expect(end(&script, 1, from: 2 * quarter, bytes: 7, failure: cancelled).isEmpty)
    #expect(end(&script, 0, bytes: 7, failure: cancelled) == ["deferred 0", "finish"])
  }

  @Test func aResumeAsksForItsGapsAtOnce() {
    var script = script(.fixed(2))
    script.play(.started)
    let validator = Validator(etag: "\"v1\"")
    var request = ResolvedRequest(
      addresses: [.init(url: "http://a.test/0", shownURL: "http://a.test/0")],
      headers: ResolvedHeaders([]), body: .none, declared: [])
    request.kept = ByteRanges([quarter..<(2 * quarter)])
    let decision = LocalDecision.resume(from: 10, validator: validator, total: total)
    script.play(.inspected(task: 0, .ready(request, decision)))
    #expect(script.requests.last?.upTo == quarter)
    var answer = head(206)
    answer.contentRange = "bytes 10-\(quarter - 1)/\(total)"
    #expect(
      script.play(.storing(task: 0, answer, position: 20))
        == ["GET http://a.test/0 from \(2 * quarter)"])
    #expect(end(&script, 0, from: 10, bytes: quarter - 10).isEmpty)
    #expect(end(&script, 1, from: 2 * quarter, bytes: 2 * quarter) == ["commit 0"])
  }

  @Test func autoLooksAfterASecondAndCutsWhatIsLeft() {
    var script = script(.auto)
    #expect(begin(&script).isEmpty)
    #expect(script.wakeAfter == .seconds(1))
    #expect(script.play(.woke, after: .seconds(1)) == ["measure 0"])
    #expect(script.play(.storing(task: 0, head(), position: quarter)).count == 3)
  }

  @Test func autoLeavesAloneWhatIsNearlyThereOrNotOffered() {
    var near = script(.auto)
    _ = begin(&near)
    near.play(.woke, after: .seconds(1))
    #expect(near.play(.storing(task: 0, head(), position: total - 15 * Self.unit)).isEmpty)
    var silent = script(.auto)
    silent.play(.started)
    silent.inspect(0)
    silent.play(.storing(task: 0, head(says: nil), position: 0))
    #expect(silent.play(.woke, after: .seconds(1)).isEmpty)
  }
}

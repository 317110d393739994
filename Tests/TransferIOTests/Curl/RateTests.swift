import Testing
import TransferCore

@testable import TransferIO

/// Transfers are kept to their rates. Only that they take as long as they must is looked at, which
/// no slow machine can spoil; how even the flow is, `RatePacerTests` says.
@Suite struct RateTests {
  private static let body = [UInt8](repeating: 7, count: 300_000)

  private func session(_ download: Int64? = nil, upload: Int64? = nil) -> SessionPlan {
    var plan = SessionPlan(name: "s")
    plan.rateLimit = RateLimit(download: download, upload: upload)
    return plan
  }

  /// What came of the requests, and how long all of them took.
  private func run(
    _ requests: [TransferRequest], _ sessions: [SessionPlan], job: RateLimit = RateLimit()
  ) throws -> (reports: [TransferReport], took: Duration) {
    let bench = try EngineBench(sessions, rateLimit: job)
    let start = Clock.monotonic()
    for request in requests { bench.engine.start(request) }
    return (try bench.run(), Clock.monotonic() - start)
  }

  /// So long must `bytes` take, less what was saved up by then and the first piece.
  private func least(_ bytes: Int, _ rate: Int64) -> Duration {
    let seconds = Double(bytes - RatePacer.piece(bytesPerSecond: rate)) / Double(rate)
    return .nanoseconds(Int64(seconds * 1e9)) - RatePacer.saved
  }

  @Test(arguments: [1, 16])
  func aSessionsDownloadsShareItsRate(streams: Int) throws {
    let origin = try Origin { _ in .answer(200, body: Self.body) }
    let requests = (0..<streams).map { TransferRequest.test(origin.url(), task: Int32($0)) }
    let rate: Int64 = 1_000_000 * Int64(streams)
    let (reports, took) = try run(requests, [session(rate)])
    #expect(reports.allSatisfy { $0.failure == nil && $0.body == Self.body })
    #expect(reports.count == streams)
    #expect(took >= least(Self.body.count * streams, rate))
  }

  @Test(arguments: [false, true])
  func streamsOfHTTP2ShareItToo(multiplexes: Bool) throws {
    let folder = try EngineBench.freshFolder()
    let identity = try OriginIdentity(in: folder)
    let origin = try NginxOrigin(identity)
    try origin.file("a", Self.body)
    var plan = session(4_000_000)
    plan.caFile = identity.certificate
    plan.multiplexes = multiplexes
    let bench = try EngineBench([plan])
    bench.alsoRemove = folder
    let start = Clock.monotonic()
    for task: Int32 in 0..<8 { bench.engine.start(.test(origin.url("/a"), task: task)) }
    let reports = try bench.run()
    let took = Clock.monotonic() - start
    #expect(reports.allSatisfy { $0.failure == nil && $0.body == Self.body })
    #expect(reports.allSatisfy { $0.transaction.networkProtocolName == "h2" })
    #expect(took >= least(Self.body.count * 8, 4_000_000))
  }

  @Test func uploadsAreKeptToTheirs() throws {
    let origin = try Origin { _ in .answer(200) }
    let request = TransferRequest.test(origin.url())
    request.method = "PUT"
    request.body = .bytes(Self.body)
    let (reports, took) = try run([request], [session(1, upload: 1_000_000)])
    #expect(reports.first?.failure == nil && origin.seen.first?.body == Self.body)
    #expect(took >= least(Self.body.count, 1_000_000))
  }

  @Test func theJobsRateHoldsForAllSessions() throws {
    let origin = try Origin { _ in .answer(200, body: Self.body) }
    let other = TransferRequest.test(origin.url(), task: 1)
    other.session = 1
    let (reports, took) = try run(
      [.test(origin.url()), other], [session(), session(50_000_000)],
      job: RateLimit(download: 2_000_000))
    #expect(reports.count == 2 && reports.allSatisfy { $0.body == Self.body })
    #expect(took >= least(2 * Self.body.count, 2_000_000))
  }

  @Test func aTasksOwnTakesThePlaceOfItsSessions() throws {
    let origin = try Origin { _ in .answer(200, body: Self.body) }
    let request = TransferRequest.test(origin.url())
    request.rateLimit = RateLimit(download: 1_000_000)
    // At the session's rate it would take days.
    let (reports, took) = try run([request], [session(1)])
    #expect(reports.first?.body == Self.body)
    #expect(took >= least(Self.body.count, 1_000_000))
  }

  /// Each piece waits longer than the silence and the period allow.
  @Test func aWaitForTheRateIsNoSilenceAndNotSlow() throws {
    let origin = try Origin { _ in .answer(200, body: [UInt8](repeating: 7, count: 6_000)) }
    let request = TransferRequest.test(origin.url())
    request.timeoutForRequest = .milliseconds(50)
    request.minimumSpeed = MinimumSpeed(bytesPerSecond: 100_000, period: .milliseconds(60))
    let (reports, took) = try run([request], [session(10_000)])
    #expect(reports.first?.failure == nil && reports.first?.body.count == 6_000)
    #expect(took >= least(6_000, 10_000))
  }

  @Test func aHeldTransferCanBeCancelled() throws {
    let origin = try Origin { _ in .answer(200, body: Self.body) }
    let bench = try EngineBench([session(1)])
    bench.engine.start(.test(origin.url()))
    let reports = try bench.run { bench in
      if bench.engine.progress().first?.received ?? 0 > 0 { bench.engine.cancel(0) }
    }
    #expect(reports.isEmpty)
    #expect(try bench.fetch(.test(origin.url("/file"), rate: RateLimit())).body == Self.body)
  }
}

extension TransferRequest {
  fileprivate static func test(_ url: String, rate: RateLimit) -> TransferRequest {
    let request = test(url)
    request.rateLimit = rate
    return request
  }
}

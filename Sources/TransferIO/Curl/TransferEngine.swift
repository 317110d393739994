import CLibcurl
import Glibc
import TransferCore

/// Makes requests over libcurl's multi interface and tells what came of each. One thread owns it.
///
/// A turn of the loop is `wait`, then `step`. It performs and reports; what is tried again, in
/// which order and when is its user's.
package final class TransferEngine {
  /// What holds for all sessions.
  package struct Options {
    /// Idle connections that each session keeps open, from 1.
    package var idleConnections = 128
    /// Gets the lines of the protocol trace, secrets and all; nil traces nothing.
    package var trace: ((_ task: Int32, _ line: String) -> Void)?
    /// Asked when a request that isn't idempotent is about to go out on a connection that is
    /// there; a failure keeps it from being sent.
    package var beforeSendingOnce: ((_ task: Int32) -> TransferFailure?)?
    /// The sessions' cookie jars; nil keeps cookies in memory.
    package var jars: CookieJars?
    /// Where `http_proxy` and its kin are read.
    package var environment: (_ name: String) -> String? = { name in
      guard let text = unsafe getenv(name) else { return nil }
      return unsafe String(cString: text)
    }

    /// For all transfers together.
    package var rateLimit = RateLimit()
    /// The value of a secret that a session's own options hold; asked for when a request needs it.
    package var secret: (_ name: String) throws(TransferFailure) -> String = {
      name throws(TransferFailure) in
      throw TransferFailure(.secret, "there is no secret \(name)")
    }

    package init() {}
  }

  /// How far a transfer is.
  package struct Progress: Equatable, Sendable {
    package var task: Int32
    /// Body bytes in this transfer.
    package var received: Int64
    package var sent: Int64
    /// Of the whole file or body, when the answer declared it.
    package var total: Int64?
    /// When a byte last moved, either way.
    package var lastMoved: Instant

    /// Adds another transfer of the same file.
    fileprivate mutating func add(_ other: Progress) {
      received += other.received
      total = total ?? other.total
      lastMoved = max(lastMoved, other.lastMoved)
    }
  }

  private let multi: MultiHandle
  private let sessions: [CurlSession]
  private let pools: AuthenticatedPools
  let jars: CookieJars
  private let clock = StepClock()
  private let secureFacts = SecureFacts()
  let arrivals = Arrivals()
  private let methods = DigestMethods()
  private let trace: TraceSink?
  private let rates: RateKeeper
  /// As in `Options`.
  var beforeSendingOnce: ((_ task: Int32) -> TransferFailure?)?
  private var active: [Transfer] = []
  /// Ended outside of libcurl's doing; told in the next step.
  private var stillborn: [TransferReport] = []
  /// What ended transfers have brought of files whose other segments are still under way.
  private var segmentBytes: [Int32: Int64] = [:]
  /// No transfer can be too slow before this moment.
  private var nextDue = Instant(nanoseconds: .max)
  private let bell: WakeUp

  package init(sessions: [SessionPlan], options: Options = Options()) throws(CurlError) {
    try CurlLibrary.start()
    multi = try MultiHandle(connections: options.idleConnections)
    trace = options.trace.map(TraceSink.init)
    beforeSendingOnce = options.beforeSendingOnce
    rates = RateKeeper(job: options.rateLimit, sessions: sessions, clock: clock)
    let authorities = CurlLibrary.systemAuthorities
    let jars = options.jars ?? CookieJars(memoryFor: sessions)
    let make = { [arrivals] index throws(CurlError) in
      try CurlSession(
        sessions[index], options, authorities: authorities, arrivals: arrivals,
        jar: jars.jar(of: index), suffixes: jars.suffixes)
    }
    var made: [CurlSession] = []
    for index in sessions.indices { made.append(try make(index)) }
    self.jars = jars
    self.sessions = made
    pools = AuthenticatedPools(make)
    do { bell = try WakeUp() } catch {
      throw CurlError(.multi, CURLM_INTERNAL_ERROR.rawValue, error.failure.detail)
    }
  }

  deinit {
    for transfer in active { try? multi.remove(transfer.handle) }
    active.removeAll()
    for session in sessions { session.close() }
    pools.close()
  }

  /// Ends `wait` from another thread; may be kept past the engine's end.
  package var wakeUp: WakeUp { bell }

  /// Transfers that were started and have not been told of yet.
  package var activeCount: Int { active.count + stillborn.count }

  // MARK: Start and cancel

  /// Starts a request. What goes wrong is told by `step`, always.
  /// - Parameters:
  ///   - part: opens the file that takes the body where the sink is `.part`; called when one is
  ///     accepted.
  ///   - hashing: digests of the whole part file, made when it is written from its start.
  ///   - recordsUpTo: bodies of no more than this many bytes are hashed by SHA-256 as well.
  ///   - keepsUpTo: a body of no more than this many bytes that comes in one piece is reported as
  ///     `whole`, and opens no part file.
  package func start(
    _ request: TransferRequest, part: OpenPartFile? = nil, hashing: [ChecksumAlgorithm] = [],
    recordsUpTo: Int64? = nil, keepsUpTo: Int64 = -1
  ) {
    let isForRecord = recordsUpTo != nil && !hashing.contains(.sha256)
    do throws(RequestError) {
      let receiver = AnswerReceiver(
        request, openPartFile: part, digests: try digests(hashing + (isForRecord ? [.sha256] : [])),
        makeDigest: { [methods] in try? methods.start($0) },
        recordsUpTo: isForRecord ? recordsUpTo : nil, keepsUpTo: keepsUpTo)
      let transfer = try idleTransfer(request)
      do throws(RequestError) { try begin(transfer, request, receiver) } catch {
        giveBack(transfer)
        throw error
      }
    } catch {
      let report = TransferReport(task: request.task, transaction: .init(url: request.shownURL))
      report.segment = request.segment
      report.failure = error.failure
      stillborn.append(report)
    }
  }

  private func digests(_ wanted: [ChecksumAlgorithm]) throws(RequestError) -> [Digest] {
    var digests: [Digest] = []
    for algorithm in wanted {
      do { digests.append(try methods.start(algorithm)) } catch { throw .refused(error.failure) }
    }
    return digests
  }

  private func idleTransfer(_ request: TransferRequest) throws(RequestError) -> Transfer {
    do {
      let session =
        try pools.session(for: request) ?? sessions[request.session]
      if let transfer = session.takeIdle() { return transfer }
      let made = try Transfer(session, clock, secureFacts, trace, rates, methods)
      made.beforeSendingOnce = beforeSendingOnce
      return made
    } catch { throw .curl(error) }
  }

  private func begin(
    _ transfer: Transfer, _ request: TransferRequest, _ receiver: AnswerReceiver
  ) throws(RequestError) {
    try transfer.prepare(request, receiver)
    if !receiver.wantsBody {
      stillborn.append(transfer.report(CURLE_OK))
      giveBack(transfer)
      return
    }
    do { try multi.add(transfer.handle) } catch { throw .curl(error) }
    transfer.position = active.count
    active.append(transfer)
    nextDue = min(nextDue, transfer.pace.nextDue)
  }

  /// Ends the task's transfer at once; what had come of it, with the failure `.cancelled`. nil
  /// when none is under way.
  @discardableResult
  package func cancel(_ task: Int32) -> TransferReport? {
    guard let transfer = active.first(where: { $0.work.request.task == task }) else { return nil }
    transfer.work.receiver.fail(TransferFailure(.cancelled, "cancelled"))
    return end(transfer, CURLE_OK)
  }

  /// The same of every transfer of the task.
  package func cancelAll(_ task: Int32) -> [TransferReport] {
    var reports: [TransferReport] = []
    while let report = cancel(task) { reports.append(report) }
    return reports
  }

  /// The task's first transfer ends where this byte would come; nil lets it go on.
  package func bound(_ task: Int32, upTo end: Int64?) {
    guard let transfer = first(of: task), transfer.work.receiver.end(at: end) else { return }
    stillborn.append(self.end(transfer, CURLE_OK))
  }

  private func first(of task: Int32) -> Transfer? {
    active.first { $0.work.request.task == task && $0.work.request.segment == 0 }
  }

  // MARK: The loop

  /// Does what can be done without waiting and tells of each transfer that ended. `ended` may
  /// start and cancel transfers.
  package func step(_ ended: (TransferReport) -> Void) throws(CurlError) {
    clock.tick()
    rates.goOn()
    try multi.perform()
    while let (context, code) = unsafe multi.nextEnded() {
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      if transfer.takesAnotherConnection() {
        // libcurl has closed the one that it gave up.
        try multi.remove(transfer.handle)
        try multi.add(transfer.handle)
      } else {
        ended(end(transfer, code))
      }
    }
    if clock.now >= nextDue { endSlow(ended) }
    let told = stillborn
    stillborn = []
    for report in told { ended(report) }
  }

  /// Waits until a transfer can go on, a wake-up rings or one of `also` can be read, and `upTo`
  /// at most; those of `also` that can.
  package func wait(upTo limit: Duration, also: [Int32] = []) throws(CurlError) -> [Int32] {
    if !stillborn.isEmpty { return [] }
    var readable = try multi.poll(
      milliseconds: timeout(limit), also + [bell.descriptor])
    if let index = readable.firstIndex(of: bell.descriptor) {
      bell.hush()
      readable.remove(at: index)
    }
    return readable
  }

  private func timeout(_ limit: Duration) -> Int32 {
    var limit = limit
    if !active.isEmpty {
      let due = rates.nextDue.map { min($0, nextDue) } ?? nextDue
      limit = min(limit, due - Clock.monotonic())
    }
    // Rounded up: a wait that ends just before its time would be followed by many short ones.
    let milliseconds = (max(0, limit.nanoseconds) + 999_999) / 1_000_000
    return Int32(min(milliseconds, 600_000))
  }

  private static let heldLookApart = Duration.seconds(1)

  /// Ends what has been silent or slow for too long, and finds when to look again. The time is
  /// that of before libcurl was run, so that what lay in the sockets has been counted.
  private func endSlow(_ ended: (TransferReport) -> Void) {
    var reports: [TransferReport] = []
    nextDue = Instant(nanoseconds: .max)
    for transfer in active {
      if rates.isHeld(transfer) {
        // It is we who are silent.
        nextDue = min(nextDue, clock.now + Self.heldLookApart)
      } else if let failure = transfer.pace.failure(at: clock.now) {
        transfer.work.receiver.failUnlessSettled(failure)
        reports.append(end(transfer, CURLE_OK))
      } else {
        nextDue = min(nextDue, transfer.pace.nextDue)
      }
    }
    for report in reports { ended(report) }
  }

  /// How far each task with active transfers is, in no particular order.
  package func progress() -> [Progress] {
    var places: [Int32: Int] = [:]
    var progress: [Progress] = []
    for transfer in active {
      let work = transfer.work
      let one = Progress(
        task: work.request.task, received: work.receiver.bodyBytes, sent: work.bytesSent,
        total: work.receiver.total, lastMoved: transfer.pace.lastMoved)
      if let place = places[one.task] {
        progress[place].add(one)
      } else {
        places[one.task] = progress.count
        progress.append(one)
        progress[progress.count - 1].received += segmentBytes[one.task] ?? 0
      }
    }
    return progress
  }

  /// The head and address of a task's transfer whose body is going to its part file. An error's
  /// or a redirect's head speaks for other bytes than those.
  package func storing(_ task: Int32) -> (head: ResponseHead, from: Int64, url: String)? {
    for transfer in active where transfer.work.request.task == task {
      let work = transfer.work
      guard case .store(let from, _)? = work.receiver.verdict, let head = work.receiver.head
      else { continue }
      return (head, from, work.request.shownURL)
    }
    return nil
  }

  /// The head of the task's first transfer, and the byte that comes next, while its body is going
  /// to the part file.
  package func position(_ task: Int32) -> (head: ResponseHead, position: Int64)? {
    guard let receiver = first(of: task)?.work.receiver,
      let position = receiver.storingPosition, let head = receiver.head
    else { return nil }
    return (head, position)
  }

  // MARK: Ends

  private func end(_ transfer: Transfer, _ code: CURLcode) -> TransferReport {
    do { try multi.remove(transfer.handle) } catch {
      preconditionFailure("an active transfer was not in the multi: \(error)")
    }
    rates.forget(transfer)
    let last = active.removeLast()
    if last !== transfer {
      active[transfer.position] = last
      last.position = transfer.position
    }
    let report = transfer.report(code)
    if active.contains(where: { $0.work.request.task == report.task }) {
      segmentBytes[report.task, default: 0] += report.bodyBytes
    } else if !segmentBytes.isEmpty {
      segmentBytes[report.task] = nil
    }
    do { try transfer.settleCookies() } catch {
      preconditionFailure("libcurl has no memory for cookies: \(error)")
    }
    giveBack(transfer)
    return report
  }

  /// A handle that can't be made ready again is dropped.
  private func giveBack(_ transfer: Transfer) {
    do { try transfer.clear() } catch { return }
    transfer.session.putBack(transfer)
  }
}

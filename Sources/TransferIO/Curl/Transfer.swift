import CLibcurl
import TransferCore

/// One easy handle and the request that it serves at the moment. libcurl holds an unretained
/// pointer to it in the handle's options: the handle is this object's own, and is cleaned up
/// before this object's memory goes.
@safe final class Transfer {
  /// What belongs to the current request; dropped when it ends.
  final class Work {
    let request: TransferRequest
    let receiver: AnswerReceiver
    let isSecure: Bool
    let isProxied: Bool
    var limits: RateKeeper.Limits?
    /// Whom the connection is made to: the proxy, or the address's host.
    let peer: String
    var triedFour = false
    var triedSix = false
    var headers: StringList?
    /// Header lines that are made for this request alone.
    var addedLines: [String] = []
    /// Cookies that the answer sets are taken; whether it set some; whether libcurl's engine is
    /// off until a head begins.
    var storesCookies = false
    var sawSetCookie = false
    var engineWaits = false
    var sources: [BodySource] = []
    var form: MultipartForm?
    /// What a `file:` address was when it was looked at.
    var file: FileAddress?
    var secure: (version: String, cipher: String)?
    /// It isn't idempotent: what goes out must be known as sent before.
    var goesOutOnce = false
    /// The body's end is the connection's, over TLS: whether that was said is looked at.
    var watchesClose = false
    var wasClosedCleanly = false
    /// The connection that libcurl chose had unread bytes in it: nothing was sent.
    var metUnread = false
    let started: Instant
    let wallStarted: WallTime
    /// When body bytes were last seen leaving.
    var lastSent: Instant?
    var bytesSent: Int64 = 0

    /// Body bytes that were never handed out; nil when all were.
    var unsent: Int64? {
      let left = sources.reduce(0) { $0 + max(0, $1.size - $1.handedOut) }
      return left > 0 ? left : nil
    }

    init(
      _ request: TransferRequest, _ receiver: AnswerReceiver, isSecure: Bool, proxy: String?
    ) {
      self.request = request
      self.receiver = receiver
      self.isSecure = isSecure
      isProxied = proxy != nil
      peer = proxy ?? request.url
      started = Clock.monotonic()
      wallStarted = Clock.wall()
    }
  }

  let handle: EasyHandle
  let session: CurlSession
  let clock: StepClock
  let secureFacts: SecureFacts
  let trace: TraceSink?
  let rates: RateKeeper
  let methods: DigestMethods
  var beforeSendingOnce: ((_ task: Int32) -> TransferFailure?)?
  /// Where the engine's list of active transfers has it.
  var position = 0
  private(set) var current: Work?
  /// The handle's options are those of a session's plain GET, address and headers aside.
  var isPlain = true
  var pace = Pace()

  init(
    _ session: CurlSession, _ clock: StepClock, _ facts: SecureFacts, _ trace: TraceSink?,
    _ rates: RateKeeper, _ methods: DigestMethods
  ) throws(CurlError) {
    self.rates = rates
    self.session = session
    self.methods = methods
    self.clock = clock
    self.trace = trace
    secureFacts = facts
    handle = try EasyHandle(share: session.share)
    try configure()
  }

  var work: Work {
    guard let current else { preconditionFailure("libcurl called for a transfer that is idle") }
    return current
  }

  func begin(_ work: Work) {
    current = work
    pace = Pace(work.request, since: work.started)
  }

  /// The request is through: nothing of it is kept, and the handle is ready for the next.
  func clear() throws(CurlError) {
    if !isPlain {
      try handle.reset()
      try configure()
    }
    isPlain = true
    current = nil
  }

  /// The session's options and the callbacks.
  private func configure() throws(CurlError) {
    try session.configure(handle)
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try unsafe CurlCallbacks.install(on: handle, context, traces: trace != nil)
  }

  // MARK: Called by the callbacks

  func take(line: RawSpan) -> AnswerReceiver.Flow {
    pace.moved(line.byteCount, at: clock.now)
    let work = work
    if work.storesCookies {
      do throws(CurlError) { try noteCookies(line, work) } catch {
        work.receiver.fail(TransferFailure(.protocol, error.description))
        return .stop
      }
    }
    switch work.receiver.takeLine(line) {
    case .field, .trailer: return .proceed
    case .refused: return .stop
    case .headEnd:
      do throws(CurlError) {
        if work.isSecure { try noteSecurity(work) }
        try passUnknownCoding(work)
        return .proceed
      } catch {
        work.receiver.fail(TransferFailure(.protocol, error.description))
        return .stop
      }
    }
  }

  /// libcurl takes a connection that was cut for one that was closed; its last progress call comes
  /// while the connection can still be asked.
  private func noteSecurity(_ work: Work) throws(CurlError) {
    if work.secure == nil { work.secure = secureFacts.look(at: handle) }
    guard let head = work.receiver.head, head.isCloseDelimited, work.request.method != "HEAD"
    else { return }
    isPlain = false
    work.watchesClose = true
    try handle.set(CURLOPT_NOPROGRESS, 0)
  }

  /// libcurl fails at a coding that it doesn't know; such a body goes through as it came, and so
  /// does one that we undo ourselves. The option is read when the body arrives, which is later than
  /// this.
  private func passUnknownCoding(_ work: Work) throws(CurlError) {
    guard work.request.decodes, let coding = work.receiver.head?.contentEncoding else { return }
    let isOurs = work.receiver.undo(coding)
    let isTheirs = !isOurs && ContentCoding.isKnown(coding)
    try handle.set(CURLOPT_HTTP_CONTENT_DECODING, isTheirs ? 1 : 0)
  }

  /// The connection stands and the request goes out next.
  /// - Parameters:
  ///   - port: of this end.
  ///   - family: the connection's.
  func mayGoOut(port: UInt16, by family: AddressFamilies.Family) -> Bool {
    if work.triedFour, work.triedSix { session.families.won(family, to: Origin(url: work.peer)) }
    if !mayUseConnection(port: port) { return false }
    guard work.goesOutOnce, let failure = beforeSendingOnce?(work.request.task) else { return true }
    work.receiver.fail(failure)
    return false
  }

  /// nil when it comes too early for the rate that it is kept to: libcurl keeps the piece.
  func take(body: RawSpan) -> AnswerReceiver.Flow? {
    if let limits = work.limits {
      if !limits.mayReceive(at: clock.now) {
        rates.hold(self, .down, limits)
        return nil
      }
      limits.received(body.byteCount, at: clock.now)
    }
    pace.moved(body.byteCount, at: clock.now)
    session.arrivals.add(body.byteCount)
    return work.receiver.takeBody(body)
  }

  /// How many of the next `count` bytes may go out now; 0 makes libcurl ask again later.
  func room(for count: Int, of limits: RateKeeper.Limits) -> Int {
    if limits.maySend(at: clock.now) { return min(count, limits.upPiece) }
    rates.hold(self, .up, limits)
    return 0
  }

  /// A pause because of a rate is over.
  func goOn(heldFor duration: Duration) {
    pace.held(for: duration)
    guard let code = handle.goOn(), work.receiver.failure == nil, !work.receiver.hasEnough else {
      return
    }
    work.receiver.fail(TransferFailure(.protocol, code.description, curlCode: code.code))
  }

  func made(socket: Int32) {
    session.sockets.opened(socket)
    switch AddressFamilies.family(of: socket) {
    case .four: work.triedFour = true
    case .six: work.triedSix = true
    case nil: break
    }
    if work.request.serviceType != .default { mark(socket) }
  }

  private func mark(_ socket: Int32) {
    session.marksSockets = true
    ServiceMark.set(socket, work.request.serviceType.dscp)
  }

  /// False for a connection that was used before and holds bytes of nobody's. Over HTTP/2 frames of
  /// the connection itself may lie there.
  private func mayUseConnection(port: UInt16) -> Bool {
    let work = work
    guard let socket = session.sockets.reused(port: port) else { return true }
    // It may have served a request of another kind.
    if session.marksSockets || work.request.serviceType != .default { mark(socket) }
    if session.plan.httpVersion == .twoPriorKnowledge { return true }
    if work.isSecure, SecureFacts.speaksHTTP2(handle) { return true }
    work.metUnread = ConnectionSockets.hasUnread(socket)
    return !work.metUnread
  }

  /// Whether the request goes out once more, on another connection: nothing of it was sent.
  func takesAnotherConnection() -> Bool {
    defer { work.metUnread = false }
    return work.metUnread
  }

  /// `sent` are the body bytes so far.
  func noteProgress(sent: Int64) {
    let work = work
    if work.watchesClose { work.wasClosedCleanly = SecureFacts.saidGoodbye(handle) }
    if sent == work.bytesSent { return }
    pace.moved(Int(max(0, sent - work.bytesSent)), at: clock.now)
    work.bytesSent = sent
    work.lastSent = Clock.monotonic()
  }
}

import TransferCore

/// Takes one request's answer as it arrives, line by line and piece by piece, has its head judged
/// once, and puts the body where the verdict says. Knows nothing of libcurl.
final class AnswerReceiver {
  /// What the transport does next.
  enum Flow { case proceed, stop }
  /// What a line of a head was.
  enum Line { case field, headEnd, trailer, refused }

  private let request: TransferRequest
  private let openPartFile: OpenPartFile?
  /// Open from the moment at which a body for it is accepted.
  private var part: PartFile?
  /// Where the body's next byte goes in it.
  private var position: Int64 = 0
  /// Others fetch the bytes from here on.
  private var bound: Int64?
  private var digests: [Digest]
  private let makeDigest: (ChecksumAlgorithm) -> Digest?
  /// What the answer's Content-Digest says of its bytes, and the digest of those that came.
  private var content: (proof: DigestField.Proof, digest: Digest)?
  /// Digests that nobody asked for are made of bodies up to this length alone.
  private let recordsUpTo: Int64
  /// A file of no more than this many bytes that comes in one piece needs no part file.
  private let keepsUpTo: Int64
  private var inflater: Inflater?
  private var raw: [UInt8] = []
  private var isInHead = false

  private(set) var interim: [ResponseHead] = []
  /// The final head; a later one (after 417 or 401) takes its place.
  private(set) var head: ResponseHead?
  /// How many final heads came: more than one where libcurl answered one itself.
  private(set) var finalHeads = 0
  private(set) var verdict: HeadVerdict?
  /// Why we ended it; outranks the code that libcurl makes of that.
  private(set) var failure: TransferFailure?
  /// The body of an answer that isn't stored was cut off on purpose.
  private(set) var hasEnough = false
  /// The memory sink's body, or the start of a body that is not stored.
  private(set) var body: [UInt8] = []
  /// The whole file, when it came in one piece and no part file was opened for it.
  private(set) var whole: [UInt8]?
  /// Bytes that went to the sink.
  private(set) var bodyBytes: Int64 = 0

  /// Bytes that the lines of one head may have.
  private static let headLimit = 262_144
  /// 1xx answers to one request.
  private static let interimLimit = 64
  /// Answers of a handshake that libcurl makes by itself: NTLM through a proxy takes six.
  private static let finalLimit = 8
  /// Bytes kept of a body that is not stored.
  private static let excerptLimit = 65_536

  /// - Parameters:
  ///   - openPartFile: called when a body for the part file is accepted, and not before: most
  ///     refreshes end with 304 and need none.
  ///   - digests: of the whole part file; they count where it is written from byte 0.
  ///   - makeDigest: for digests that the answer declares (RFC 9530).
  ///   - recordsUpTo: the last of `digests` is for the record alone, and dropped for a body that is
  ///     longer or doesn't say; nil when all of them are asked for.
  init(
    _ request: TransferRequest, openPartFile: OpenPartFile?, digests: [Digest],
    makeDigest: @escaping (ChecksumAlgorithm) -> Digest? = { _ in nil }, recordsUpTo: Int64? = nil,
    keepsUpTo: Int64 = -1
  ) {
    self.request = request
    self.openPartFile = openPartFile
    self.digests = digests
    self.makeDigest = makeDigest
    self.recordsUpTo = recordsUpTo ?? .max
    self.keepsUpTo = keepsUpTo
  }

  /// The body is being taken for good: what comes in lines now are trailers.
  var isAccepted: Bool {
    switch verdict {
    case .store, .keep: true
    default: false
    }
  }

  /// False when the verdict is there already and no body is to come.
  var wantsBody: Bool { failure == nil && (verdict == nil || isAccepted) }

  /// The length of the whole file or body, when the answer declared it.
  var total: Int64? {
    switch verdict {
    case .store(_, let total): total
    case .keep: head?.contentEncoding == nil ? head?.contentLength : nil
    default: nil
    }
  }

  /// Of the part file, or of what stands for it, now; 0 while there is none.
  var partSize: Int64 { part == nil ? Int64(whole?.count ?? 0) : position }

  /// Takes the verdict of one who knows without a head (`file:`).
  func accept(_ head: ResponseHead, _ verdict: HeadVerdict) {
    self.head = head
    take(verdict)
  }

  /// Has the body's coding undone here; false when it isn't one of ours.
  func undo(_ coding: String) -> Bool {
    inflater = Inflater(coding: coding)
    return inflater != nil
  }

  /// Ends the transfer with this failure, unless one is there already.
  func fail(_ failure: TransferFailure) {
    if self.failure == nil { self.failure = failure }
  }

  /// Ends the transfer with this failure, unless the head has said all: then it's the rest of a
  /// body that nobody needs which was waited for.
  func failUnlessSettled(_ failure: TransferFailure) {
    let settled = verdict ?? head.map { HeadDecision.decide(request, $0) }
    switch settled {
    case .store, .keep, nil: fail(failure)
    default: verdict = settled
    }
  }

  // MARK: Head

  /// One line of a head, with its end; the empty line ends the head.
  func takeLine(_ line: RawSpan) -> Line {
    if !isInHead {
      guard !isAccepted, Self.startsHead(line) else { return .trailer }
      (raw, head, verdict, body, isInHead) = ([], nil, nil, [], true)
      (content, inflater) = (nil, nil)
      raw.reserveCapacity(512)
    }
    if Self.isEmpty(line) { return endHead() }
    if raw.count + line.byteCount > Self.headLimit {
      fail(TransferFailure(.protocol, "the answer's head is longer than 256 KiB"))
      return .refused
    }
    unsafe line.withUnsafeBytes { unsafe raw.append(contentsOf: $0) }
    return .field
  }

  private func endHead() -> Line {
    isInHead = false
    guard let head = ResponseHead(parsing: raw) else {
      fail(TransferFailure(.protocol, "the answer's first line is not HTTP: \(firstLine)"))
      return .refused
    }
    if head.status >= 200 {
      self.head = head
      finalHeads += 1
      if finalHeads <= Self.finalLimit { return .headEnd }
      fail(
        TransferFailure(
          .auth,
          "the server asked \(Self.finalLimit) times in a row who we are; see which method it "
            + "takes, and name that in the credentials", status: head.status))
      return .refused
    }
    interim.append(head)
    if interim.count <= Self.interimLimit { return .headEnd }
    fail(TransferFailure(.protocol, "more than \(Self.interimLimit) interim answers"))
    return .refused
  }

  /// The start of what came in the status line's place, made fit to print.
  private var firstLine: String {
    let bytes = raw.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(60)
    return String(decoding: bytes.map { $0 < 0x20 || $0 > 0x7E ? 0x3F : $0 }, as: UTF8.self)
  }

  private static func startsHead(_ line: RawSpan) -> Bool {
    unsafe line.withUnsafeBytes { unsafe $0.starts(with: "HTTP/".utf8) }
  }

  private static func isEmpty(_ line: RawSpan) -> Bool {
    unsafe line.withUnsafeBytes { line in
      unsafe line.count <= 2 && line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
    }
  }

  /// Has the head judged. Before the first byte of a body, and at the end of one without any: so
  /// late that a head which libcurl answers itself (401, 417) has been replaced by then.
  private func decide() {
    guard let head else {
      return fail(Self.noHead(interim))
    }
    take(HeadDecision.decide(request, head))
  }

  private static func noHead(_ interim: [ResponseHead]) -> TransferFailure {
    if interim.last?.status == 101 {
      return TransferFailure(
        .protocol, "the server switched protocols (101), which was not asked", status: 101)
    }
    return TransferFailure(.truncated, "the answer ended within its head")
  }

  private func take(_ verdict: HeadVerdict) {
    self.verdict = verdict
    switch verdict {
    case .store(let from, let total):
      if from > 0 {
        digests = []
      } else if total ?? .max > recordsUpTo {
        digests.removeLast()
      }
      if from == 0, let proof = head?.reprProof { addDigest(proof.algorithm) }
      startContentDigest()
    case .keep(let limit):
      body.reserveCapacity(Int(min(limit, head?.contentLength ?? 0, 1 << 20)))
      // What was decoded is no longer what the server speaks of.
      if head?.contentEncoding == nil { startContentDigest() }
    default: break
    }
  }

  private func addDigest(_ algorithm: ChecksumAlgorithm) {
    if digests.contains(where: { $0.algorithm == algorithm }) { return }
    if let digest = makeDigest(algorithm) { digests.append(digest) }
  }

  private func startContentDigest() {
    guard let proof = head?.contentProof, let digest = makeDigest(proof.algorithm) else { return }
    content = (proof, digest)
  }

  private func openPart(_ from: Int64, _ total: Int64?) {
    guard let openPartFile else { preconditionFailure("a body for a part file, but no part file") }
    do throws(TransferFailure) {
      let part = try openPartFile(from)
      self.part = part
      do throws(FileError) {
        position = from
        if request.segment > 0 { return }
        try part.keep(upTo: from, and: from > 0 ? request.kept : ByteRanges())
        if let total { try part.reserve(total) }
      } catch { throw error.failure }
    } catch { fail(error) }
  }

  // MARK: Body

  /// A piece of the body.
  func takeBody(_ bytes: RawSpan) -> Flow {
    if verdict == nil { decide() }
    if failure != nil { return .stop }
    content?.digest.update(bytes)
    switch verdict {
    case .store(let from, let total): store(bytes, from, total)
    case .keep(let limit): keepDecoded(bytes, limit)
    default: excerpt(bytes)
    }
    return failure != nil || hasEnough ? .stop : .proceed
  }

  private func store(_ bytes: RawSpan, _ from: Int64, _ total: Int64?) {
    if part == nil, whole == nil, !isWhole(bytes, from, total) { openPart(from, total) }
    if failure != nil { return }
    let total = from > 0 ? request.upTo ?? total : total
    if let bound, position + Int64(bytes.byteCount) >= bound {
      hasEnough = true
      let room = Int(max(0, bound - position))
      return write(bytes.extracting(first: min(room, bytes.byteCount)))
    }
    let size = partSize + Int64(bytes.byteCount)
    if let total, size > total {
      return fail(
        TransferFailure(
          .protocol, "more bytes came than the \(total) that were declared", status: head?.status))
    }
    if let most = request.maxBytes, size > most { return fail(tooLarge(most)) }
    write(bytes)
  }

  private func write(_ bytes: RawSpan) {
    if let part {
      do { try part.write(bytes, at: position) } catch { return fail(error.failure) }
      position += Int64(bytes.byteCount)
    } else {
      whole = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
    for digest in digests { digest.update(bytes) }
    bodyBytes += Int64(bytes.byteCount)
  }

  private func isWhole(_ bytes: RawSpan, _ from: Int64, _ total: Int64?) -> Bool {
    from == 0 && total == Int64(bytes.byteCount) && bytes.byteCount <= keepsUpTo
  }

  private func keepDecoded(_ bytes: RawSpan, _ limit: Int64) {
    guard let inflater else { return keep(bytes, limit) }
    do throws(TransferFailure) {
      try inflater.inflate(bytes) { piece in
        keep(piece, limit)
        return failure == nil
      }
    } catch { fail(error) }
  }

  private func keep(_ bytes: RawSpan, _ limit: Int64) {
    let size = Int64(body.count + bytes.byteCount)
    let most = min(limit, request.maxBytes ?? limit)
    if size > most { return fail(tooLarge(most)) }
    unsafe bytes.withUnsafeBytes { unsafe body.append(contentsOf: $0) }
    bodyBytes = size
  }

  private func tooLarge(_ most: Int64) -> TransferFailure {
    TransferFailure(
      .tooLarge, "the body is longer than the \(most) bytes that max_bytes allows",
      status: head?.status)
  }

  private func excerpt(_ bytes: RawSpan) {
    let room = Self.excerptLimit - body.count
    if bytes.byteCount > room { hasEnough = true }
    unsafe bytes.withUnsafeBytes { unsafe body.append(contentsOf: $0.prefix(room)) }
  }

  /// The body is taken up to this byte and no further; nil takes all of it.
  /// - Returns: whether it has come so far.
  func end(at bound: Int64?) -> Bool {
    self.bound = bound
    if let bound, let position = storingPosition, position >= bound { hasEnough = true }
    return hasEnough
  }

  /// What the body is to be written to is open, and this byte comes next.
  var storingPosition: Int64? {
    guard case .store? = verdict, part != nil, failure == nil, !hasEnough else { return nil }
    return position
  }

  // MARK: End

  /// The transport is through; `fault` is what it complains about. After this the verdict, the
  /// failure and the digests stand.
  func finish(_ fault: TransferFailure?) -> [(algorithm: ChecksumAlgorithm, hex: String)] {
    if failure == nil, head != nil, verdict == nil { decide() }
    if failure == nil, case .store(let from, let total) = verdict { openEmpty(from, total) }
    if failure == nil { failure = verdictFailure(fault) ?? contentFailure() }
    guard failure == nil, !hasEnough, case .store(0, _) = verdict else { return [] }
    return digests.map { ($0.algorithm, $0.finish()) }
  }

  /// No byte came: the file is empty, or what was there before is all of it.
  private func openEmpty(_ from: Int64, _ total: Int64?) {
    if part != nil || whole != nil { return }
    if from == 0, total == 0, keepsUpTo >= 0 { whole = [] } else { openPart(from, total) }
  }

  private func contentFailure() -> TransferFailure? {
    guard let (proof, digest) = content, !hasEnough else { return nil }
    let made = digest.finish()
    if made == proof.hex { return nil }
    return TransferFailure(
      .digestMismatch,
      "\(proof.algorithm.rawValue) of what came is \(made), its Content-Digest is \(proof.hex)",
      status: head?.status)
  }

  private func verdictFailure(_ fault: TransferFailure?) -> TransferFailure? {
    guard let verdict else { return fault ?? Self.noHead(interim) }
    if hasEnough, case .store = verdict { return nil }
    if case .keep = verdict, fault == nil, let inflater, !inflater.isComplete {
      return TransferFailure(
        .truncated, "the body ended before its Content-Encoding did", status: head?.status)
    }
    let size = part == nil && whole == nil ? nil : partSize
    return verdict.failure(
      partSize: size, upTo: request.upTo, fault: fault, status: head?.status)
  }
}

/// Opens the part file that takes an accepted body; bytes from `from` on will be written anew.
package typealias OpenPartFile = (_ from: Int64) throws(TransferFailure) -> PartFile

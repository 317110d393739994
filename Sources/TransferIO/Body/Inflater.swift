import CZlib
import TransferCore

/// Undoes gzip and deflate (RFC 9110, section 8.4.1) piece by piece, and knows whether the coding's
/// own end came: libcurl takes a body that lacks it without a word.
@safe final class Inflater {
  private enum State { case fresh, within, ended }

  /// zlib keeps the address and compares it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let room: UnsafeMutableBufferPointer<UInt8>
  private let isGzip: Bool
  private var state = State.fresh
  private var isStarted = false

  /// - Parameter coding: the Content-Encoding field; nil when it isn't one of these alone.
  init?(coding: String) {
    switch coding.lowercased() {
    case "gzip", "x-gzip": isGzip = true
    case "deflate": isGzip = false
    default: return nil
    }
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe room = .allocate(capacity: 65_536)
  }

  deinit {
    if isStarted { _ = unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
    unsafe room.deallocate()
  }

  /// Undoes a piece; what comes out goes to `take`, which says whether it wants more.
  func inflate(
    _ bytes: RawSpan, _ take: (RawSpan) -> Bool
  ) throws(TransferFailure) {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(TransferFailure) in
      try unsafe inflate(bytes, take)
    }
  }

  private func inflate(
    _ bytes: UnsafeRawBufferPointer, _ take: (RawSpan) -> Bool
  ) throws(TransferFailure) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    if !isStarted { try begin(bits: 47) }
    let whole = unsafe UnsafeMutablePointer(
      mutating: start.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.next_in = unsafe whole
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
    repeat {
      if state == .ended, try !nextMember() { return }
      unsafe stream.pointee.next_out = room.baseAddress
      unsafe stream.pointee.avail_out = UInt32(room.count)
      let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      let count = unsafe room.count - Int(stream.pointee.avail_out)
      if count > 0 {
        let made = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[0..<count])
        if unsafe !take(made.bytes) { return }
      }
      switch code {
      case Z_STREAM_END: state = .ended
      case Z_OK: state = .within
      case Z_BUF_ERROR: return
      case Z_DATA_ERROR where unsafe state == .fresh && !isGzip && stream.pointee.total_out == 0:
        // Some servers call it deflate and leave zlib's frame away.
        state = .within
        try begin(bits: -15)
        unsafe stream.pointee.next_in = unsafe whole
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
      default: throw damaged
      }
    } while unsafe (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
  }

  private func begin(bits: Int32) throws(TransferFailure) {
    if isStarted { _ = unsafe inflateEnd(stream) }
    unsafe stream.pointee = z_stream()
    isStarted = unsafe jobrun_inflate_init(stream, bits) == Z_OK
    if !isStarted { throw TransferFailure(.protocol, "zlib can't be started") }
  }

  /// What follows a member's end: another member (RFC 1952, section 2.2), or zeros that fill up.
  private func nextMember() throws(TransferFailure) -> Bool {
    while unsafe stream.pointee.avail_in > 0, unsafe stream.pointee.next_in.pointee == 0 {
      unsafe stream.pointee.next_in += 1
      unsafe stream.pointee.avail_in -= 1
    }
    if unsafe stream.pointee.avail_in == 0 { return false }
    guard isGzip, unsafe stream.pointee.next_in.pointee == 0x1F,
      unsafe inflateReset(stream) == Z_OK
    else { throw damaged }
    state = .within
    return true
  }

  private var damaged: TransferFailure {
    TransferFailure(.unexpectedContent, "the body does not fit its Content-Encoding")
  }

  /// Whether all that was begun has come to its end.
  var isComplete: Bool { state == .ended || state == .fresh }
}

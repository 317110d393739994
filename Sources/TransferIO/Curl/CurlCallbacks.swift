import CLibcurl
import Glibc
import TransferCore

/// Everything that libcurl calls back. Each recovers its object, wraps the bytes so that they
/// can't escape, and maps the answer to C's number; nothing here decides or calls the multi.
enum CurlCallbacks {
  /// Sets the callbacks of a handle; `context` is its Transfer, which outlives the handle.
  @unsafe static func install(
    on handle: EasyHandle, _ context: UnsafeRawPointer, traces: Bool
  ) throws(CurlError) {
    let pointer = unsafe handle.pointer
    for option in [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA,
      CURLOPT_DEBUGDATA, CURLOPT_SOCKOPTDATA, CURLOPT_PREREQDATA,
    ] {
      try unsafe handle.set(option, pointer: context)
    }
    try handle.check(
      unsafe jobrun_setopt_data_callback(pointer, CURLOPT_WRITEFUNCTION, body),
      CURLOPT_WRITEFUNCTION)
    try handle.check(
      unsafe jobrun_setopt_data_callback(pointer, CURLOPT_HEADERFUNCTION, header),
      CURLOPT_HEADERFUNCTION)
    try handle.check(
      unsafe jobrun_setopt_progress_callback(pointer, progress), CURLOPT_XFERINFOFUNCTION)
    try handle.check(
      unsafe jobrun_setopt_sockopt_callback(pointer, socketMade), CURLOPT_SOCKOPTFUNCTION)
    try handle.check(
      unsafe jobrun_setopt_prereq_callback(pointer, beforeRequest), CURLOPT_PREREQFUNCTION)
    if traces {
      try handle.check(unsafe jobrun_setopt_debug_callback(pointer, debug), CURLOPT_DEBUGFUNCTION)
      try handle.set(CURLOPT_VERBOSE, 1)
    }
  }

  /// Sets where a request's body is read from; `source` must live as long as the transfer.
  static func install(_ source: BodySource, on handle: EasyHandle) throws(CurlError) {
    let pointer = unsafe handle.pointer
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    try unsafe handle.set(CURLOPT_READDATA, pointer: context)
    try unsafe handle.set(CURLOPT_SEEKDATA, pointer: context)
    try handle.check(
      unsafe jobrun_setopt_data_callback(pointer, CURLOPT_READFUNCTION, read),
      CURLOPT_READFUNCTION)
    try handle.check(unsafe jobrun_setopt_seek_callback(pointer, seek), CURLOPT_SEEKFUNCTION)
  }

  /// Makes `source` the content of a form's part; it must live as long as the form.
  @unsafe static func install(_ source: BodySource, onPart part: OpaquePointer) -> CURLcode {
    let context = unsafe Unmanaged.passUnretained(source).toOpaque()
    return unsafe curl_mime_data_cb(part, Int(source.size), read, seek, nil, context)
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context = unsafe context else { preconditionFailure("a callback without context") }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  private static func source(_ context: UnsafeMutableRawPointer?) -> BodySource {
    guard let context = unsafe context else { preconditionFailure("a callback without context") }
    return unsafe Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue()
  }

  private static let header: curl_write_callback = { bytes, size, count, context in
    let length = size * count
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
    let flow = unsafe transfer(context).take(line: line.bytes)
    return flow == .proceed ? length : Int(CURL_WRITEFUNC_ERROR)
  }

  private static let body: curl_write_callback = { bytes, size, count, context in
    let length = size * count
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
    switch unsafe transfer(context).take(body: piece.bytes) {
    case .proceed: return length
    case .stop: return Int(CURL_WRITEFUNC_ERROR)
    case nil: return Int(CURL_WRITEFUNC_PAUSE)
    }
  }

  private static let read: curl_read_callback = { buffer, size, count, context in
    let source = unsafe source(context)
    let room = source.room(size * count)
    if room == 0 { return Int(CURL_READFUNC_PAUSE) }
    let into = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room)
    return unsafe source.read(into: into) ?? Int(CURL_READFUNC_ABORT)
  }

  private static let seek: curl_seek_callback = { context, offset, origin in
    // libcurl asks for places from the start alone (SEEK_SET, 0).
    let done = unsafe origin == 0 && source(context).seek(to: Int64(offset))
    return done ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
  }

  private static let progress: curl_xferinfo_callback = { context, _, _, _, sent in
    unsafe transfer(context).noteProgress(sent: Int64(sent))
    return 0
  }

  private static let socketMade: curl_sockopt_callback = { context, descriptor, _ in
    unsafe transfer(context).made(socket: descriptor)
    return Int32(CURL_SOCKOPT_OK)
  }

  private static let beforeRequest: curl_prereq_callback = { context, peer, _, _, port in
    let isSix = unsafe peer.map { unsafe strchr($0, 0x3A) != nil } ?? false
    let mayGoOut = unsafe transfer(context).mayGoOut(
      port: UInt16(truncatingIfNeeded: port), by: isSix ? .six : .four)
    return mayGoOut ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  private static let debug: curl_debug_callback = { _, kind, bytes, count, context in
    let transfer = unsafe transfer(context)
    guard let trace = transfer.trace, let work = transfer.current else { return 0 }
    let text = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    unsafe trace.take(task: work.request.task, kind, text.bytes)
    return 0
  }
}

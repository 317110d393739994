import CLibcurl

/// The one multi handle. The easy handles in it are its user's to take out before it goes.
@safe final class MultiHandle {
  let pointer: UnsafeMutableRawPointer

  /// `connections` is how many idle connections each session keeps open at most.
  init(connections: Int) throws(CurlError) {
    guard let pointer = unsafe curl_multi_init() else {
      throw CurlError(.multi, CURLM_OUT_OF_MEMORY.rawValue, "curl_multi_init")
    }
    unsafe self.pointer = pointer
    try check(
      unsafe jobrun_multi_setopt_long(pointer, CURLMOPT_MAXCONNECTS, connections),
      "CURLMOPT_MAXCONNECTS")
  }

  deinit {
    let code = unsafe curl_multi_cleanup(pointer)
    precondition(code == CURLM_OK, "curl_multi_cleanup failed: \(code.rawValue)")
  }

  func add(_ handle: EasyHandle) throws(CurlError) {
    try check(unsafe curl_multi_add_handle(pointer, handle.pointer), "curl_multi_add_handle")
  }

  func remove(_ handle: EasyHandle) throws(CurlError) {
    try check(unsafe curl_multi_remove_handle(pointer, handle.pointer), "curl_multi_remove_handle")
  }

  func perform() throws(CurlError) {
    var running: Int32 = 0
    try check(unsafe curl_multi_perform(pointer, &running), "curl_multi_perform")
  }

  /// The next transfer that ended: its context (CURLOPT_PRIVATE) and code.
  @unsafe func nextEnded() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      let code = unsafe message.pointee.data.result
      var context: UnsafeMutableRawPointer?
      let easy = unsafe message.pointee.easy_handle
      let told = unsafe jobrun_getinfo_pointer(easy, CURLINFO_PRIVATE, &context)
      guard told == CURLE_OK, let context = unsafe context else {
        preconditionFailure("an easy handle without its transfer")
      }
      return unsafe (context, code)
    }
    return nil
  }

  /// Waits until libcurl has something to do or one of `descriptors` can be read, `milliseconds`
  /// at most; the descriptors that can.
  func poll(milliseconds: Int32, _ descriptors: [Int32]) throws(CurlError) -> [Int32] {
    var extra = descriptors.map { descriptor in
      curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    }
    let code = unsafe extra.withUnsafeMutableBufferPointer { extra in
      unsafe curl_multi_poll(pointer, extra.baseAddress, UInt32(extra.count), milliseconds, nil)
    }
    try check(code, "curl_multi_poll")
    return extra.filter { $0.revents != 0 }.map { $0.fd }
  }

  private func check(_ code: CURLMcode, _ call: String) throws(CurlError) {
    if code != CURLM_OK { throw CurlError(.multi, code.rawValue, call) }
  }
}

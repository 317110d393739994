import CLibcurl

/// One easy handle, with the share that it uses and the lists that libcurl reads from it.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let share: ShareHandle
  /// Where libcurl puts its words; CURL_ERROR_SIZE bytes.
  private let words: UnsafeMutablePointer<CChar>

  init(share: ShareHandle) throws(CurlError) {
    guard let pointer = unsafe curl_easy_init() else {
      throw CurlError(.easy, CURLE_FAILED_INIT.rawValue, "curl_easy_init")
    }
    unsafe self.pointer = pointer
    self.share = share
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try attach()
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe words.deallocate()
  }

  /// As after `init`: every option at its default; the share stays.
  func reset() throws(CurlError) {
    unsafe curl_easy_reset(pointer)
    try attach()
  }

  /// Has libcurl take what the share holds once more: its cookies, after the engine was off.
  func reattach() throws(CurlError) {
    try unsafe set(CURLOPT_SHARE, pointer: share.pointer)
  }

  private func attach() throws(CurlError) {
    try reattach()
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: words)
  }

  /// libcurl's words for what went wrong last; empty when it gave none.
  var errorWords: String { unsafe String(cString: words) }
  func clearErrorWords() { unsafe words[0] = 0 }

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(unsafe jobrun_setopt_long(pointer, option, value), option)
  }

  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(unsafe jobrun_setopt_offset(pointer, option, Int(value)), option)
  }

  /// libcurl keeps a copy; nil is the option's default.
  func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
    guard let value else {
      return try check(unsafe jobrun_setopt_string(pointer, option, nil), option)
    }
    try check(unsafe jobrun_setopt_string(pointer, option, value), option)
  }

  /// The pointer must hold for as long as the option does.
  @unsafe func set(
    _ option: CURLoption, pointer value: UnsafeRawPointer?
  ) throws(CurlError) {
    try check(unsafe jobrun_setopt_pointer(pointer, option, value), option)
  }

  /// The caller keeps the list alive until the option is set again or the handle is gone.
  func set(_ option: CURLoption, list: StringList?) throws(CurlError) {
    try check(unsafe jobrun_setopt_list(pointer, option, list?.head), option)
  }

  func check(_ code: CURLcode, _ option: CURLoption) throws(CurlError) {
    if code != CURLE_OK {
      throw CurlError(.easy, code.rawValue, "curl_easy_setopt \(option.rawValue)")
    }
  }

  /// Goes on after a pause, with what libcurl kept meanwhile; what went wrong with that.
  func goOn() -> CurlError? {
    let code = unsafe curl_easy_pause(pointer, CURLPAUSE_CONT)
    return code == CURLE_OK ? nil : CurlError(.easy, code.rawValue, "curl_easy_pause")
  }

  /// A number of CURLINFO's; 0 when libcurl doesn't give it.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe jobrun_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// A size or a time in microseconds; 0 when libcurl doesn't give it.
  func offset(_ info: CURLINFO) -> Int64 {
    var value = 0
    return unsafe jobrun_getinfo_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  /// A text; nil when libcurl doesn't give it or it is empty.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard unsafe jobrun_getinfo_string(pointer, info, &value) == CURLE_OK, let value = unsafe value,
      unsafe value[0] != 0
    else { return nil }
    return unsafe String(cString: value)
  }
}

import CLibcurl

/// What the handles of one session have in common: connections, names, TLS sessions and cookies.
/// Used from one thread alone, so that it needs no locks.
@safe final class ShareHandle {
  let pointer: UnsafeMutableRawPointer

  init() throws(CurlError) {
    guard let pointer = unsafe curl_share_init() else {
      throw CurlError(.share, CURLSHE_NOMEM.rawValue, "curl_share_init")
    }
    unsafe self.pointer = pointer
    let kinds = [
      CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_SSL_SESSION,
      CURL_LOCK_DATA_COOKIE,
    ]
    for kind in kinds {
      let code = unsafe jobrun_share_setopt_long(pointer, CURLSHOPT_SHARE, Int(kind.rawValue))
      if code != CURLSHE_OK {
        throw CurlError(.share, code.rawValue, "CURLSHOPT_SHARE \(kind.rawValue)")
      }
    }
  }

  /// The handles that use it keep it alive, so that none is left here.
  deinit {
    let code = unsafe curl_share_cleanup(pointer)
    precondition(code == CURLSHE_OK, "a share was freed while a handle still used it")
  }
}

import CLibcurl

/// The parts of an address that decide how it is fetched, read by libcurl's own parser.
struct Address: Equatable {
  var scheme: String
  var host: String
  /// Percent-decoded; of `file:` addresses alone.
  var path: String

  /// nil when libcurl would not take it.
  init?(_ text: String) {
    guard let url = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(url) }
    guard unsafe curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = unsafe Self.part(url, CURLUPART_SCHEME, 0)
    else { return nil }
    self.scheme = scheme.lowercased()
    host = unsafe Self.part(url, CURLUPART_HOST, 0) ?? ""
    path = ""
    if self.scheme != "file" { return }
    guard let path = unsafe Self.part(url, CURLUPART_PATH, UInt32(CURLU_URLDECODE)) else {
      return nil
    }
    self.path = path
  }

  /// A reference resolved against an absolute address (RFC 3986, section 5), without the fragment
  /// and without user info, which is never taken from a server; nil when it makes no address.
  static func resolve(_ reference: String, against base: String) -> String? {
    guard let url = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(url) }
    let lenient = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    guard unsafe curl_url_set(url, CURLUPART_URL, base, lenient) == CURLUE_OK,
      unsafe curl_url_set(url, CURLUPART_URL, reference, lenient) == CURLUE_OK
    else { return nil }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] {
      guard unsafe curl_url_set(url, part, nil, 0) == CURLUE_OK else { return nil }
    }
    return unsafe part(url, CURLUPART_URL, 0)
  }

  /// Whether the address is of `scheme` (small letters), without reading the rest of it.
  static func has(_ scheme: String, _ text: String) -> Bool {
    var bytes = text.utf8.makeIterator()
    for letter in scheme.utf8 {
      guard let byte = bytes.next(), byte | 0x20 == letter else { return false }
    }
    return bytes.next() == UInt8(ascii: ":")
  }

  static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(url, part, &text, flags) == CURLUE_OK, let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}

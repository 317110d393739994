import CLibcurl

/// A curl_slist, which libcurl reads for as long as a handle is set to it.
@safe final class StringList {
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  init(_ lines: some Sequence<String>) throws(CurlError) {
    unsafe head = nil
    for line in lines {
      guard let longer = unsafe curl_slist_append(head, line) else {
        throw CurlError(.easy, CURLE_OUT_OF_MEMORY.rawValue, "curl_slist_append")
      }
      unsafe head = longer
    }
  }

  deinit { unsafe curl_slist_free_all(head) }
}

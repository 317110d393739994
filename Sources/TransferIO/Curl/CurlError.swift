import CLibcurl

/// A call of libcurl's that returned an error outside of a transfer's own course.
package struct CurlError: Error, Equatable, Sendable {
  /// Which of libcurl's three code lists `code` is from.
  package enum Domain: String, Sendable {
    case easy = "CURLE"
    case multi = "CURLM"
    case share = "CURLSHE"
  }
  package var domain: Domain
  package var code: Int32
  /// The call, and what it was about.
  package var context: String

  init(_ domain: Domain, _ code: UInt32, _ context: String) {
    self.domain = domain
    self.code = Int32(truncatingIfNeeded: code)
    self.context = context
  }

  init(_ domain: Domain, _ code: Int32, _ context: String) {
    self.domain = domain
    self.code = code
    self.context = context
  }

  /// libcurl's own words for the code.
  package var words: String {
    switch domain {
    case .easy: unsafe String(cString: curl_easy_strerror(CURLcode(UInt32(code))))
    case .multi: unsafe String(cString: curl_multi_strerror(CURLMcode(code)))
    case .share: unsafe String(cString: curl_share_strerror(CURLSHcode(UInt32(code))))
    }
  }
}

extension CurlError: CustomStringConvertible {
  package var description: String { "\(context): \(words) (\(domain.rawValue) \(code))" }
}

import CLibcurl

/// The libcurl that is loaded, and what it was built with (curl_version, curl_version_info).
package enum CurlVersion {
  /// Like `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`: itself, then the libraries that it uses.
  package static var text: String {
    guard let text = unsafe curl_version() else { return "libcurl" }
    return unsafe String(cString: text)
  }

  /// URL schemes that it can speak.
  package static var protocols: [String] {
    guard let info = unsafe curl_version_info(CURLVERSION_TENTH),
      var name = unsafe info.pointee.protocols
    else { return [] }
    var names: [String] = []
    while let text = unsafe name.pointee {
      names.append(unsafe String(cString: text))
      unsafe name += 1
    }
    return names
  }
}

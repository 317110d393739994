import CLibcurl
import Glibc

/// libcurl as a whole, set up when the first transfer is wanted: a run that transfers nothing
/// doesn't pay the milliseconds.
enum CurlLibrary {
  private static let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT)).rawValue

  static func start() throws(CurlError) {
    if code != CURLE_OK.rawValue { throw CurlError(.easy, code, "curl_global_init") }
  }

  /// The file of authorities that libcurl was built to use, when it is there.
  static var systemAuthorities: String? {
    guard let info = unsafe curl_version_info(CURLVERSION_TENTH),
      let path = unsafe info.pointee.cainfo,
      unsafe access(path, R_OK) == 0
    else { return nil }
    return unsafe String(cString: path)
  }
}

import CLibcurl
import CLinux
import Glibc

/// libcurl as a whole, set up when the first transfer is wanted: a run that transfers nothing
/// doesn't pay the milliseconds.
enum CurlLibrary {
  private static let code: UInt32 = {
    // libcurl allocates and frees its receive buffer for each transfer. Left alone, the C library
    // gives those pages back to the kernel and faults them in anew every time.
    jobrun_keep_freed_memory(16 * 1_048_576)
    // With CURLOPT_NOSIGNAL libcurl leaves this to us: TLS writes to a connection that is gone.
    _ = signal(SIGPIPE, SIG_IGN)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)).rawValue
  }()

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

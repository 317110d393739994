import CLibcurl
import CLibssl

/// Which TLS version and cipher a live connection has. OpenSSL's names are static texts: what was
/// read last is kept by their addresses, so that a reused connection costs no strings.
@safe final class SecureFacts {
  private var versionName: UnsafePointer<CChar>?
  private var cipherName: UnsafePointer<CChar>?
  private(set) var version: String?
  private(set) var cipher: String?

  init() {
    unsafe versionName = nil
    unsafe cipherName = nil
  }

  /// Reads them from the transfer's connection; only while the transfer is under way.
  func look(at handle: EasyHandle) -> (version: String, cipher: String)? {
    guard let tls = unsafe Self.connection(of: handle) else { return nil }
    unsafe remember(SSL_get_version(tls), SSL_CIPHER_get_name(SSL_get_current_cipher(tls)))
    guard let version, let cipher else { return nil }
    return (version, cipher)
  }

  /// Whether the other side said that it closes (RFC 8446, section 6.1); only while the transfer
  /// is under way.
  static func saidGoodbye(_ handle: EasyHandle) -> Bool {
    guard let tls = unsafe connection(of: handle) else { return false }
    return unsafe SSL_get_shutdown(tls) & SSL_RECEIVED_SHUTDOWN != 0
  }

  /// Whether the connection was agreed to be HTTP/2.
  static func speaksHTTP2(_ handle: EasyHandle) -> Bool {
    guard let tls = unsafe connection(of: handle) else { return false }
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    unsafe SSL_get0_alpn_selected(tls, &name, &length)
    guard let name = unsafe name, length == 2 else { return false }
    return unsafe name[0] == UInt8(ascii: "h") && name[1] == UInt8(ascii: "2")
  }

  /// The SSL object of the transfer's connection.
  private static func connection(of handle: EasyHandle) -> OpaquePointer? {
    var pointer: UnsafeMutableRawPointer?
    let code = unsafe jobrun_getinfo_pointer(handle.pointer, CURLINFO_TLS_SSL_PTR, &pointer)
    guard code == CURLE_OK, let pointer = unsafe pointer else { return nil }
    let info = unsafe pointer.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee
    guard unsafe info.backend == CURLSSLBACKEND_OPENSSL, let session = unsafe info.internals
    else { return nil }
    return OpaquePointer(session)
  }

  private func remember(_ version: UnsafePointer<CChar>?, _ cipher: UnsafePointer<CChar>?) {
    if unsafe version != versionName {
      unsafe versionName = version
      unsafe self.version = version.map { unsafe String(cString: $0) }
    }
    if unsafe cipher != cipherName {
      unsafe cipherName = cipher
      unsafe self.cipher = cipher.map { unsafe String(cString: $0) }
    }
  }
}

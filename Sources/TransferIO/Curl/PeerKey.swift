import CLibcrypto
import CLibcurl

/// The public key of a server, for the words of a failure.
enum PeerKey {
  /// `sha256//…` as CURLOPT_PINNEDPUBLICKEY has it, of the server's certificate that libcurl saw
  /// last (CURLOPT_CERTINFO); nil when it saw none.
  static func pin(of handle: EasyHandle) -> String? {
    var pointer: UnsafeMutableRawPointer?
    let code = unsafe jobrun_getinfo_pointer(handle.pointer, CURLINFO_CERTINFO, &pointer)
    guard code == CURLE_OK, let pointer = unsafe pointer else { return nil }
    let info = unsafe pointer.assumingMemoryBound(to: curl_certinfo.self).pointee
    guard unsafe info.num_of_certs > 0, let lists = unsafe info.certinfo else { return nil }
    var line = unsafe lists[0]
    while let current = unsafe line {
      let text = unsafe String(cString: current.pointee.data)
      if text.hasPrefix("Cert:") { return pin(pem: String(text.dropFirst("Cert:".count))) }
      unsafe line = current.pointee.next
    }
    return nil
  }

  /// The same of a certificate.
  static func pin(pem: String) -> String? {
    let bytes = Array(pem.utf8)
    guard let source = unsafe BIO_new_mem_buf(bytes, Int32(bytes.count)) else { return nil }
    defer { unsafe BIO_free(source) }
    guard let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
    defer { unsafe X509_free(certificate) }
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded)
    guard count > 0, let encoded = unsafe encoded else { return nil }
    defer { unsafe CRYPTO_free(encoded, nil, 0) }
    let key = unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    return "sha256//" + base64(RequestSigner.hashing.hash(key))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count * 2 + 4) { buffer, used in
      unsafe used = Int(EVP_EncodeBlock(buffer.baseAddress, bytes, Int32(bytes.count)))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

import CLibssl
import Glibc

/// The bytes of one connection of the origin, plain or over TLS.
final class OriginChannel {
  let descriptor: Int32
  private let tls: OpaquePointer?
  private let context: OpaquePointer?

  /// Takes no ownership of the descriptor. nil when the TLS handshake failed.
  init?(_ descriptor: Int32, _ identity: OriginIdentity?, _ handshake: OriginHandshake) {
    self.descriptor = descriptor
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    guard let identity else {
      (tls, context) = (nil, nil)
      return
    }
    if !handshake.goesOn(on: descriptor) { return nil }
    context = SSL_CTX_new(TLS_server_method())
    SSL_CTX_use_certificate_file(context, identity.certificate, SSL_FILETYPE_PEM)
    SSL_CTX_use_PrivateKey_file(context, identity.key, SSL_FILETYPE_PEM)
    tls = SSL_new(context)
    SSL_set_fd(tls, descriptor)
    if SSL_accept(tls) != 1 { return nil }
  }

  deinit {
    if let tls { SSL_free(tls) }
    if let context { SSL_CTX_free(context) }
  }

  /// 0 or less at the end.
  func receive(_ buffer: inout [UInt8]) -> Int {
    if let tls { return Int(SSL_read(tls, &buffer, Int32(buffer.count))) }
    return recv(descriptor, &buffer, buffer.count, 0)
  }

  func send(_ bytes: [UInt8]) -> Bool { send(bytes, bare: tls == nil) }

  /// `bare` bytes go below TLS.
  func send(_ bytes: [UInt8], bare: Bool) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let (start, left) = (bytes.baseAddress! + done, bytes.count - done)
        if !bare, let tls { return Int(SSL_write(tls, start, Int32(left))) }
        return Glibc.send(descriptor, start, left, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  /// TLS's close_notify.
  func sayGoodbye() {
    if let tls { SSL_shutdown(tls) }
  }

  /// The close will be a reset.
  func resetAtClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}

/// A certificate of its own authority for 127.0.0.1 and localhost, made afresh.
package struct OriginIdentity: Sendable {
  /// PEM files; the certificate is its own authority.
  package let certificate: String
  package let key: String

  /// Makes both in a folder, with the `openssl` command.
  package init(in folder: String) throws {
    certificate = folder + "/certificate.pem"
    key = folder + "/key.pem"
    let command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
      + " -subj /CN=localhost"
      + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
      + " -keyout \(key) -out \(certificate) 2>/dev/null"
    if system(command) != 0 { throw OriginError(call: "openssl req", number: 0) }
  }
}

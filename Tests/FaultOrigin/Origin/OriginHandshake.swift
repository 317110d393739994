import Glibc

/// How the origin begins a TLS connection.
package enum OriginHandshake: Sendable {
  case right
  /// Reads the client's hello, sends these bytes in its own one's place, and ends with FIN.
  case answers([UInt8])
  /// Reads the client's hello and ends with RST.
  case reset

  /// The record header of a hello and the first bytes of one: a handshake that is cut.
  package static let torn = OriginHandshake.answers([0x16, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3])

  /// False when the connection is at its end.
  func goesOn(on descriptor: Int32) -> Bool {
    if case .right = self { return true }
    var hello = [UInt8](repeating: 0, count: 4096)
    _ = recv(descriptor, &hello, hello.count, 0)
    switch self {
    case .right, .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout.size(ofValue: linger))
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    case .answers(let bytes):
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(descriptor, Int32(SHUT_WR))
      while recv(descriptor, &hello, hello.count, 0) > 0 {}
    }
    return false
  }
}

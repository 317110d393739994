import Glibc

/// Finds the socket of a connection that libcurl is about to use again, to see whether bytes lie in
/// it that belong to no request: libcurl 7.88 takes them for the answer to the next one (RFC 9112,
/// section 11.2).
///
/// libcurl tells of sockets when they are made, and of a connection's local port before a request
/// goes out; it doesn't say which socket a connection has. A descriptor is believed only while it
/// has that port.
final class ConnectionSockets {
  /// Made, and not yet seen under a request.
  private var fresh: [Int32] = []
  private var byPort: [UInt16: Int32] = [:]

  func opened(_ descriptor: Int32) { fresh.append(descriptor) }

  /// The socket of the connection with this local port, when it served a request before.
  func reused(port: UInt16) -> Int32? {
    if let known = byPort[port] {
      if Self.port(of: known) == port { return known }
      byPort[port] = nil
    }
    for (index, descriptor) in fresh.enumerated() where Self.port(of: descriptor) == port {
      byPort[port] = descriptor
      fresh.remove(at: index)
      break
    }
    fresh.removeAll { Self.port(of: $0) == nil }
    return nil
  }

  /// Whether bytes lie in the socket.
  static func hasUnread(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  /// nil when it is no socket, or none any more.
  private static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(descriptor, pointer, &length)
      }
    }
    guard code == 0 else { return nil }
    // It stands at the same place for both families.
    return unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }
}

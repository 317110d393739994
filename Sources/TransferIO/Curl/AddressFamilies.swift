import CLibcurl
import Glibc
import TransferCore

/// Which of IPv4 and IPv6 leads to a host, where one of them was seen to lose: libcurl gives IPv6 a
/// head start of 200 ms at each connection (RFC 8305), and a family that is broken for a host costs
/// that each time. Remembered for the run, by whom the connection is made to.
final class AddressFamilies {
  enum Family: Equatable { case four, six }

  private var working: [Origin: Family] = [:]

  /// The family to use; nil lets libcurl try both.
  func only(_ peer: @autoclosure () -> Origin?) -> Family? {
    if working.isEmpty { return nil }
    return peer().flatMap { working[$0] }
  }

  /// A connection came about by `family`, and the other one had been tried.
  func won(_ family: Family, to peer: Origin?) { if let peer { working[peer] = family } }

  /// No connection came about: both are tried again.
  func forget(_ peer: @autoclosure () -> Origin?) {
    if !working.isEmpty, let peer = peer() { working[peer] = nil }
  }

  /// nil for a socket that is of neither.
  static func family(of socket: Int32) -> Family? {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 else {
      return nil
    }
    return domain == AF_INET ? .four : domain == AF_INET6 ? .six : nil
  }

  static func option(_ family: Family) -> Int {
    Int(family == .four ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6)
  }
}

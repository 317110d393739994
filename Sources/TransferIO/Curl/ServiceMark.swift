import Glibc

/// The mark that a socket's packets carry for routers: DSCP, the upper six bits of the IPv4 TOS
/// and the IPv6 traffic class (RFC 2474).
enum ServiceMark {
  /// Marks a socket of either family. A kernel that won't is no reason to move nothing.
  static func set(_ descriptor: Int32, _ dscp: UInt8) {
    var value = Int32(dscp) << 2
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IP), IP_TOS, &value, size)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_TCLASS, &value, size)
  }
}

/// Addresses as they may be shown.
package enum ShownAddress {
  /// The address without user info (RFC 3986, section 3.2.1).
  package static func withoutUserInfo(_ address: String) -> String {
    guard let info = userInfo(of: address) else { return address }
    return String(address[..<info.lowerBound] + address[info.upperBound...].dropFirst())
  }

  /// The address with `***` for its user info.
  package static func maskingUserInfo(_ address: String) -> String {
    guard let info = userInfo(of: address) else { return address }
    return address[..<info.lowerBound] + "***" + address[info.upperBound...]
  }

  /// From the start of the authority up to the last `@` in it; an address without `://` begins
  /// with its authority.
  private static func userInfo(of address: String) -> Range<String.Index>? {
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    let end = address[start...].firstIndex { "/?#".contains($0) } ?? address.endIndex
    guard let at = address[start..<end].lastIndex(of: "@") else { return nil }
    return start..<at
  }
}

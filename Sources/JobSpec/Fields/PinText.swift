/// Digests of public keys, as CURLOPT_PINNEDPUBLICKEY takes them.
enum PinText {
  /// `sha256//` and the base64 of 32 bytes, once or several times, parted by `;`.
  static func isValid(_ text: String) -> Bool {
    text.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { pin in
      let digest = pin.dropFirst("sha256//".count)
      return pin.hasPrefix("sha256//") && digest.utf8.count == 44 && digest.hasSuffix("=")
        && digest.utf8.dropLast().allSatisfy(isBase64)
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
    default: false
    }
  }
}

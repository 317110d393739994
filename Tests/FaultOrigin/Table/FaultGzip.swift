/// gzip without compression (RFC 1951, section 3.2.4; RFC 1952).
package enum FaultGzip {
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var coded: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    for start in stride(from: 0, to: bytes.count, by: 60_000) {
      let piece = bytes[start..<min(start + 60_000, bytes.count)]
      let isLast: UInt8 = start + piece.count == bytes.count ? 1 : 0
      let length = UInt16(piece.count)
      coded += [isLast] + little(UInt32(length), 2) + little(UInt32(~length), 2) + piece
    }
    return coded + little(checksum(bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
  }

  private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  /// CRC-32 (RFC 1952, section 8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~sum
  }
}

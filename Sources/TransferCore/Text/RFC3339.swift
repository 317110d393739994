extension WallTime {
  /// `2026-11-30T07:54:11.000250Z`: RFC 3339 in UTC with microseconds, 27 bytes. What lies outside
  /// the years 0000 to 9999 is held at their ends.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    let held = min(max(microseconds, -62_167_219_200_000_000), 253_402_300_799_999_999)
    let day = Self.floorDivide(held, by: 86_400_000_000)
    let ofDay = held - day * 86_400_000_000
    let civil = CalendarDay(daysSince1970: day)
    let second = UInt32(truncatingIfNeeded: ofDay / 1_000_000)
    let fraction = UInt32(truncatingIfNeeded: ofDay % 1_000_000)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { text in
      _ = text.initialize(fromContentsOf: "0000-00-00T00:00:00.000000Z".utf8)
      let year = UInt32(truncatingIfNeeded: civil.year)
      Self.put(year / 100, at: 0, in: text)
      Self.put(year % 100, at: 2, in: text)
      Self.put(UInt32(truncatingIfNeeded: civil.month), at: 5, in: text)
      Self.put(UInt32(truncatingIfNeeded: civil.day), at: 8, in: text)
      Self.put(second / 3_600, at: 11, in: text)
      Self.put(second / 60 % 60, at: 14, in: text)
      Self.put(second % 60, at: 17, in: text)
      Self.put(fraction / 10_000, at: 20, in: text)
      Self.put(fraction / 100 % 100, at: 22, in: text)
      Self.put(fraction % 100, at: 24, in: text)
      bytes.append(contentsOf: text)
    }
  }

  /// The same as text.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }

  /// Two digits; `value` is below 100.
  private static func put(
    _ value: UInt32, at index: Int, in text: UnsafeMutableBufferPointer<UInt8>
  ) {
    text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
    text[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
  }
}

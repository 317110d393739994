extension WallTime {
  /// Bytes of a time as text.
  static let rfc3339Length = 27

  /// `2026-11-30T07:54:11.000250Z`: RFC 3339 in UTC with microseconds. What lies outside the years
  /// 0000 to 9999 is held at their ends.
  func putRFC3339(in text: UnsafeMutableBufferPointer<UInt8>) {
    let held = min(max(microseconds, -62_167_219_200_000_000), 253_402_300_799_999_999)
    let day = Self.floorDivide(held, by: 86_400_000_000)
    let ofDay = held - day * 86_400_000_000
    let civil = CalendarDay(daysSince1970: day)
    let second = UInt32(truncatingIfNeeded: ofDay / 1_000_000)
    let fraction = UInt32(truncatingIfNeeded: ofDay % 1_000_000)
    let form: StaticString = "0000-00-00T00:00:00.000000Z"
    _ = text.update(
      fromContentsOf: UnsafeBufferPointer(start: form.utf8Start, count: form.utf8CodeUnitCount))
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
  }

  /// The same as text.
  package var rfc3339: String {
    String(unsafeUninitializedCapacity: Self.rfc3339Length) { text in
      text.initialize(repeating: 0)
      putRFC3339(in: text)
      return Self.rfc3339Length
    }
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

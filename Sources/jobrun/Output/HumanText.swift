/// Sizes, speeds and times for people.
enum HumanText {
  /// `0 B`, `999 B`, `1.2 KiB`, `17 MiB`: two digits at least, four characters of number at most.
  static func size(_ bytes: Int64) -> String {
    guard bytes >= 1024 else { return "\(max(0, bytes)) B" }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var tenths = tenthsOf(bytes, divisor: 1024)
    var unit = 0
    var divisor: Int64 = 1024
    // 10,235 tenths and more would round to 1024 of the unit.
    while tenths >= 10_235 && unit + 1 < units.count {
      unit += 1
      divisor *= 1024
      tenths = tenthsOf(bytes, divisor: divisor)
    }
    let isWhole = tenths >= 1000
    let number = isWhole ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(units[unit])"
  }

  /// `1.2 MiB/s` of so many bytes in that time; nil where the time is too short to tell.
  static func speed(_ bytes: Int64, in time: Duration) -> String? {
    let milliseconds = time.milliseconds
    guard milliseconds > 0, bytes > 0 else { return nil }
    let perSecond = Double(bytes) * 1000 / Double(milliseconds)
    return size(Int64(min(perSecond, 9e18))) + "/s"
  }

  /// `0.8s`, `12s`, `3m12s`, `2h05m`, `3d4h`.
  static func duration(_ time: Duration) -> String {
    let milliseconds = max(0, time.milliseconds)
    if milliseconds < 9_950 {
      let tenths = (milliseconds + 50) / 100
      return "\(tenths / 10).\(tenths % 10)s"
    }
    let seconds = (milliseconds + 500) / 1000
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m\(twoDigits(seconds % 60))s" }
    if seconds < 86_400 { return "\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))m" }
    return "\(seconds / 86_400)d\(seconds / 3600 % 24)h"
  }

  /// `0.4 ms`, `12 ms`, from a second on like `duration`.
  static func shortDuration(_ time: Duration) -> String {
    let microseconds = max(0, time.nanoseconds / 1000)
    if microseconds >= 1_000_000 { return duration(time) }
    let tenths = (microseconds + 50) / 100
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\((tenths + 5) / 10) ms"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Rounded to the nearest tenth.
  private static func tenthsOf(_ bytes: Int64, divisor: Int64) -> Int64 {
    // Unsigned: ten times the rest of an EiB doesn't fit Int64.
    let (whole, rest) = UInt64(bytes).quotientAndRemainder(dividingBy: UInt64(divisor))
    return Int64(whole * 10 + (rest * 10 + UInt64(divisor) / 2) / UInt64(divisor))
  }
}

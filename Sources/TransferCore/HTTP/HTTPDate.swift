/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months: [[UInt8]] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  /// Seconds since 1970 of an IMF-fixdate, an RFC 850 date or an asctime date; nil for anything
  /// else. `now`, in seconds, settles a two-digit year.
  package static func seconds(_ text: String, now: Int64) -> Int64? {
    let words = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }.map(Array.init)
    switch words.count {
    case 6 where equal(words[5], "gmt"):
      guard let year = number(words[3]) else { return nil }
      let full = words[3].count == 2 ? century(year, now: now) : year
      return assemble(day: words[1], month: words[2], year: full, time: words[4])
    case 5:
      guard words[4].count == 4, let year = number(words[4]) else { return nil }
      return assemble(day: words[2], month: words[1], year: year, time: words[3])
    default: return nil
    }
  }

  private static func equal(_ word: [UInt8], _ text: String) -> Bool {
    word.map { $0 | 0x20 } == Array(text.utf8)
  }

  private static func number(_ word: some Collection<UInt8>) -> Int64? {
    guard !word.isEmpty, word.count <= 4 else { return nil }
    var value: Int64 = 0
    for byte in word {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// A two-digit year that would be more than 50 years ahead is of the past (RFC 9110).
  private static func century(_ year: Int64, now: Int64) -> Int64 {
    let thisYear = CalendarDay(daysSince1970: now / 86_400).year
    let candidate = thisYear / 100 * 100 + year
    return candidate > thisYear + 50 ? candidate - 100 : candidate
  }

  private static func assemble(
    day: [UInt8], month: [UInt8], year: Int64, time: [UInt8]
  ) -> Int64? {
    let lowered = month.map { $0 | 0x20 }
    let parts = time.split(separator: 0x3A, omittingEmptySubsequences: false).map(number)
    guard let monthIndex = months.firstIndex(of: lowered), let day = number(day),
      (1...31).contains(day), parts.count == 3, let hour = parts[0], let minute = parts[1],
      let second = parts[2], hour < 24, minute < 60, second <= 60, year >= 1
    else { return nil }
    let days = CalendarDay.days(year: year, month: Int64(monthIndex) + 1, day: day)
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}

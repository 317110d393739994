/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months: [[UInt8]] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  /// Seconds since 1970 of an IMF-fixdate, an RFC 850 date or an asctime date; nil for anything
  /// else. `now`, in seconds, settles a two-digit year.
  package static func seconds(_ text: String, now: Int64) -> Int64? {
    var text = text
    if let seconds = text.withUTF8({ fixed($0.span) }) { return seconds }
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

  /// An IMF-fixdate as nearly all servers write it, `Sun, 06 Nov 1994 08:49:37 GMT`, read by the
  /// places of its parts; nil when it isn't one to the letter.
  private static func fixed(_ text: Span<UInt8>) -> Int64? {
    guard text.count == 29, text[3] == 0x2C, text[19] == 0x3A, text[22] == 0x3A,
      text[26] == 0x47, text[27] == 0x4D, text[28] == 0x54
    else { return nil }
    func digits(_ start: Int, _ count: Int) -> Int64? {
      var value: Int64 = 0
      for index in start..<(start + count) {
        guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
      }
      return value
    }
    let month = months.firstIndex {
      $0[0] == text[8] | 0x20 && $0[1] == text[9] | 0x20 && $0[2] == text[10] | 0x20
    }
    guard let month, let day = digits(5, 2), let year = digits(12, 4), let hour = digits(17, 2),
      let minute = digits(20, 2), let second = digits(23, 2), (1...31).contains(day), hour < 24,
      minute < 60, second <= 60, year >= 1
    else { return nil }
    let days = CalendarDay.days(year: year, month: Int64(month) + 1, day: day)
    return days * 86_400 + hour * 3600 + minute * 60 + second
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

/// Durations as jobs write them: `500ms`, `60s`, `5m`, `2h`, `7d`, `1h30m`, or a bare number of
/// seconds.
package enum DurationText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000),
  ]
  private static let allowed = "write it like `500ms`, `60s`, `5m`, `2h`, `7d` or `1h30m`"

  /// From zero up to 292 years, exact to the nanosecond.
  package static func parse(_ text: String) throws(ScalarProblem) -> Duration {
    var rest = text.trimmingSpaces
    try refuseSpecial(rest, of: text)
    var total: Int64 = 0
    var lastUnit = -1
    repeat {
      let number = try number(from: &rest, of: text)
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count)
      if name.isEmpty { guard lastUnit < 0, rest.isEmpty else { throw malformed(text) } }
      let unit = try unit(name, of: text)
      guard unit > lastUnit else { throw disordered(text) }
      lastUnit = unit
      guard let part = number.times(units[unit].nanoseconds) else { throw tooLong(text) }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { throw tooLong(text) }
      total = sum
      rest = rest.drop { $0 == " " }
    } while !rest.isEmpty
    return .nanoseconds(total)
  }

  private static func number(
    from rest: inout Substring, of text: String
  ) throws(ScalarProblem) -> DecimalText {
    do throws(DecimalText.Problem) {
      return try DecimalText(takenFrom: &rest)
    } catch {
      switch error {
      case .none: throw malformed(text)
      case .tooLarge: throw tooLong(text)
      }
    }
  }

  /// The index of a unit; a bare number is in seconds.
  private static func unit(_ name: Substring, of text: String) throws(ScalarProblem) -> Int {
    if name.isEmpty { return 3 }
    if let index = units.firstIndex(where: { $0.name == name }) { return index }
    throw ScalarProblem(
      "`\(text)` has an unknown unit `\(name)`",
      hint: meant(name).map { "write `\($0)`; the units are ms, s, m, h and d" }
        ?? "the units are ms, s, m, h and d")
  }

  /// The unit that a longer or foreign name means.
  private static func meant(_ name: Substring) -> String? {
    switch name.lowercased() {
    case "sec", "secs", "second", "seconds": "s"
    case "min", "mins", "minute", "minutes": "m"
    case "hr", "hrs", "hour", "hours": "h"
    case "day", "days": "d"
    case "msec", "msecs", "millisecond", "milliseconds": "ms"
    case "w", "week", "weeks": "7d` for a week, `14d` for two"
    case "s", "m", "h", "d", "ms": name.lowercased()
    default: nil
    }
  }

  private static func refuseSpecial(_ rest: Substring, of text: String) throws(ScalarProblem) {
    if rest.isEmpty { throw ScalarProblem("a duration is missing", hint: allowed) }
    if rest.hasPrefix("-") {
      throw ScalarProblem("`\(text)` is negative", hint: "a duration is zero or more")
    }
    switch CoreSchema.value(of: String(rest)) {
    case .float(let value) where !value.isFinite:
      throw ScalarProblem("`\(text)` is no finite number", hint: allowed)
    default: break
    }
    if rest.contains(":") {
      throw ScalarProblem("`\(text)` is no duration", hint: "write `1h30m` for an hour and a half")
    }
  }

  private static func disordered(_ text: String) -> ScalarProblem {
    ScalarProblem(
      "the units of `\(text)` are out of order", hint: "the largest comes first: `1d2h30m`")
  }

  private static func tooLong(_ text: String) -> ScalarProblem {
    ScalarProblem("`\(text)` is too long", hint: "a duration is at most 106751d (292 years)")
  }

  private static func malformed(_ text: String) -> ScalarProblem {
    ScalarProblem("`\(text)` is no duration", hint: allowed)
  }
}

extension String {
  /// Without the spaces at both ends.
  var trimmingSpaces: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Durations as job files and options have them.
enum DurationText {
  /// `500ms`, `60s`, `5m`, `2h`, `7d`, `1h30m`, or a bare number of seconds; nil for anything else
  /// and for what is longer than 100 years.
  static func read(_ text: String) -> Duration? {
    if let seconds = Double(text), text.utf8.allSatisfy({ (46...57).contains($0) && $0 != 47 }) {
      return held(seconds)
    }
    var rest = text[...]
    var total = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
      guard let amount = Double(digits), let seconds = units[String(unit)] else { return nil }
      total += amount * seconds
      rest = rest.dropFirst(digits.count + unit.count)
    }
    return text.isEmpty ? nil : held(total)
  }

  private static let units = [
    "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0,
  ]

  private static func held(_ seconds: Double) -> Duration? {
    seconds <= 3_155_760_000 ? .milliseconds(Int64((seconds * 1000).rounded())) : nil
  }
}

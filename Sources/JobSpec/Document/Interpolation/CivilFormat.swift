import TransferCore

/// Writes a civil time by a format: the part of strftime that file names and addresses need.
enum CivilFormat {
  static let hint =
    "known are %Y %y %m %d %e %j %H %I %M %S %p %a %A %b %B %F %T %D %R %u %w %G %V %s %z %Z %%"
  private static let directives = Set("YymdejHIMSpaAbBFTDRuwGVszZ%nt")
  private static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// What is wrong with a format, to stand after what it is in; nil when nothing is.
  static func problem(in format: String) -> String? {
    if format.isEmpty { return "has no format" }
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      let next = rest.index(after: percent)
      guard next != rest.endIndex else { return "ends in a lone `%`" }
      guard directives.contains(rest[next]) else { return "holds `%\(rest[next])`" }
      rest = rest[rest.index(after: next)...]
    }
    return nil
  }

  /// `seconds` are since 1970, the moment that `time` shows.
  static func text(of time: CivilTime, seconds: Int64, format: String) -> String {
    var text = ""
    var isDirective = false
    for character in format {
      if isDirective {
        text += value(of: character, time, seconds)
        isDirective = false
      } else if character == "%" {
        isDirective = true
      } else {
        text.append(character)
      }
    }
    return text
  }

  private static func value(
    of directive: Character, _ time: CivilTime, _ seconds: Int64
  ) -> String {
    switch directive {
    case "Y", "y", "m", "d", "e", "j", "F", "D", "u", "w", "G", "V":
      date(directive, time)
    case "H", "I", "M", "S", "p", "T", "R": clock(directive, time)
    case "a": String(days[time.weekday].prefix(3))
    case "A": days[time.weekday]
    case "b": String(months[time.month - 1].prefix(3))
    case "B": months[time.month - 1]
    case "s": String(seconds)
    case "z": offset(time.offsetSeconds)
    case "Z": time.zoneName
    case "n": "\n"
    case "t": "\t"
    default: String(directive)
    }
  }

  private static func date(_ directive: Character, _ time: CivilTime) -> String {
    switch directive {
    case "Y": padded(time.year, 4)
    case "y": padded(time.year % 100, 2)
    case "m": padded(time.month, 2)
    case "d": padded(time.day, 2)
    case "e": time.day < 10 ? " \(time.day)" : "\(time.day)"
    case "j": padded(time.dayOfYear, 3)
    case "F": "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
    case "D": "\(padded(time.month, 2))/\(padded(time.day, 2))/\(padded(time.year % 100, 2))"
    case "u": String(isoWeekday(time))
    case "w": String(time.weekday)
    case "G": padded(isoWeek(time).year, 4)
    default: padded(isoWeek(time).week, 2)
    }
  }

  private static func clock(_ directive: Character, _ time: CivilTime) -> String {
    switch directive {
    case "H": padded(time.hour, 2)
    case "I": padded((time.hour + 11) % 12 + 1, 2)
    case "M": padded(time.minute, 2)
    case "S": padded(time.second, 2)
    case "p": time.hour < 12 ? "AM" : "PM"
    case "R": "\(padded(time.hour, 2)):\(padded(time.minute, 2))"
    default: "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + padded(minutes % 60, 2)
  }

  /// From 1, Monday.
  private static func isoWeekday(_ time: CivilTime) -> Int {
    time.weekday == 0 ? 7 : time.weekday
  }

  /// ISO 8601: week 1 holds the year's first Thursday.
  private static func isoWeek(_ time: CivilTime) -> (year: Int, week: Int) {
    let week = (time.dayOfYear - isoWeekday(time) + 10) / 7
    if week < 1 { return (time.year - 1, weeks(in: time.year - 1)) }
    if week > weeks(in: time.year) { return (time.year + 1, 1) }
    return (time.year, week)
  }

  private static func weeks(in year: Int) -> Int {
    func lastWeekday(_ year: Int) -> Int { (year + year / 4 - year / 100 + year / 400) % 7 }
    return lastWeekday(year) == 4 || lastWeekday(year - 1) == 3 ? 53 : 52
  }
}

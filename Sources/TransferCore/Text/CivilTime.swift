/// A moment as a clock on the wall shows it.
package struct CivilTime: Equatable, Sendable {
  package var year: Int
  /// From 1.
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// From 0, Sunday.
  package var weekday: Int
  /// From 1.
  package var dayOfYear: Int
  /// East of Greenwich.
  package var offsetSeconds: Int
  package var zoneName: String

  package init(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, weekday: Int,
    dayOfYear: Int, offsetSeconds: Int, zoneName: String
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.weekday = weekday
    self.dayOfYear = dayOfYear
    self.offsetSeconds = offsetSeconds
    self.zoneName = zoneName
  }
}

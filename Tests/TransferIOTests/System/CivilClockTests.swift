import Glibc
import Testing
import TransferCore
import TransferIO

/// In one process at a time: a zone is the whole process's while it is looked at.
@Suite(.serialized)
struct CivilClockTests {
  private let clock = CivilClock(variable: { _ in nil })
  private let moment: Int64 = 1_796_025_251

  @Test func knowsTheZonesOfTheSystem() throws {
    let winter = try #require(clock.time(at: moment, in: "Europe/Berlin"))
    #expect(
      winter
        == CivilTime(
          year: 2026, month: 11, day: 30, hour: 8, minute: 54, second: 11, weekday: 1,
          dayOfYear: 334, offsetSeconds: 3600, zoneName: "CET"))
    let summer = try #require(clock.time(at: 1_782_864_000, in: "Europe/Berlin"))
    #expect([summer.hour, summer.offsetSeconds] == [2, 7200])
    let india = try #require(clock.time(at: moment, in: "Asia/Kolkata"))
    #expect([india.hour, india.minute, india.offsetSeconds] == [13, 24, 19_800])
  }

  @Test func knowsUTCWithoutTzdata() throws {
    let bare = CivilClock(variable: { $0 == "TZDIR" ? "/nowhere" : nil })
    let time = try #require(bare.time(at: moment, in: "UTC"))
    #expect([time.hour, time.minute, time.offsetSeconds] == [7, 54, 0])
    #expect(time.zoneName == "UTC")
    #expect(bare.time(at: moment, in: "Europe/Berlin") == nil)
  }

  @Test(arguments: [
    "Europe/Atlantis", "", "/etc/localtime", "../zoneinfo/UTC", "Europe/../UTC", "Europe",
    "zone.tab", "tzdata.zi", "europe/berlin", "UTC\n", ":UTC", "CET-1CEST", "Europe/Berlin ",
  ])
  func whatIsNoZoneHasNoTime(name: String) {
    #expect(clock.time(at: moment, in: name) == nil)
  }

  @Test func takesTzdataFromTZDIR() throws {
    let scratch = TemporaryFolder()
    #expect(mkdir("\(scratch.path)/My", 0o700) == 0)
    let own = "\(scratch.path)/My/Own"
    #expect(symlink("/usr/share/zoneinfo/Asia/Tokyo", own) == 0)
    let clock = CivilClock(variable: { $0 == "TZDIR" ? scratch.path : nil })
    #expect(clock.time(at: moment, in: "My/Own")?.offsetSeconds == 32_400)
    #expect(clock.time(at: moment, in: "Asia/Tokyo") == nil)
  }

  @Test func theProcessKeepsItsOwnZone() async {
    await #expect(processExitsWith: .exitCode(0)) {
      setenv("TZ", "America/New_York", 1)
      let clock = CivilClock(variable: { _ in nil })
      #expect(clock.time(at: 1_796_025_251, in: "Asia/Tokyo")?.zoneName == "JST")
      #expect(String(cString: getenv("TZ")) == "America/New_York")
      #expect(clock.time(at: 1_796_025_251, in: nil)?.zoneName == "EST")
      unsetenv("TZ")
      #expect(clock.time(at: 1_796_025_251, in: "Asia/Tokyo")?.zoneName == "JST")
      #expect(getenv("TZ") == nil)
      exit(0)
    }
  }

  @Test func aYearWithoutNumberHasNoTime() {
    #expect(clock.time(at: .max, in: "UTC") == nil)
    #expect(clock.time(at: 0, in: "UTC")?.year == 1970)
    #expect(clock.time(at: -1, in: "UTC")?.second == 59)
  }
}

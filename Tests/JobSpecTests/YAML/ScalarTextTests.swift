import JobSpec
import Testing

@Suite struct CoreSchemaTests {
  @Test(arguments: [
    ("", CoreSchema.Value.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null),
    ("nULL", .text), ("true", .boolean(true)), ("True", .boolean(true)), ("TRUE", .boolean(true)),
    ("false", .boolean(false)), ("False", .boolean(false)), ("FALSE", .boolean(false)),
    ("tRUE", .text), ("yes", .text), ("no", .text), ("on", .text), ("NO", .text), ("y", .text),
    ("0", .integer(0)), ("-0", .integer(0)), ("+12", .integer(12)), ("-7", .integer(-7)),
    ("01", .integer(1)), ("0x1F", .integer(31)), ("0xff", .integer(255)), ("0o17", .integer(15)),
    ("017", .integer(17)), ("0o8", .text), ("0xG", .text), ("0x", .text), ("0o", .text),
    ("-0x1", .text), ("+0o1", .text), ("0X1", .text), ("0b1", .text), ("1_000", .text),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .hugeInteger), ("0xFFFFFFFFFFFFFFFF", .hugeInteger),
    ("1.5", .float(1.5)), ("-1.", .float(-1)), (".5", .float(0.5)), ("+.5e-1", .float(0.05)),
    ("1e3", .float(1000)), ("1E+3", .float(1000)), ("1e", .text), ("e1", .text), (".", .text),
    ("-", .text), ("+", .text), ("-.", .text), ("1.2.3", .text), ("1:30", .text), ("1 ", .text),
    (".inf", .float(.infinity)), ("+.Inf", .float(.infinity)), ("-.INF", .float(-.infinity)),
    ("inf", .text), ("infinity", .text), ("nan", .text), ("+.nan", .text), ("-.NaN", .text),
    ("1e400", .float(.infinity)), ("0x1p3", .text), ("１", .text), ("2024-01-01", .text),
  ])
  func plainTextHasTheTypesOfYAML12(text: String, value: CoreSchema.Value) {
    #expect(CoreSchema.value(of: text) == value)
  }

  @Test(arguments: [".nan", ".NaN", ".NAN"]) func notANumber(text: String) {
    guard case .float(let value) = CoreSchema.value(of: text) else {
      Issue.record("no float")
      return
    }
    #expect(value.isNaN)
  }

  @Test func nodesAreTypedOnlyWhenPlain() throws {
    let root = try #require(
      read("a: 1\nb: '1'\nc: ~\nd: ''\ne: true\nf: [1]\ng: 1.5\nh: {}\n").root)
    #expect(root["a"]?.integer == 1)
    #expect(root["a"]?.float == 1)
    #expect(root["b"]?.integer == nil)
    #expect(root["b"]?.scalarText == "1")
    #expect(root["c"]?.isNull == true)
    #expect(root["c"]?.scalarText == nil)
    #expect(root["d"]?.isNull == false)
    #expect(root["e"]?.boolean == true)
    #expect(root["e"]?.scalarText == "true")
    #expect(root["f"]?.coreValue == nil)
    #expect(root["f"]?.scalarText == nil)
    #expect(root["g"]?.float == 1.5)
    let kinds = ["a", "b", "c", "d", "e", "f", "h"].map { root[$0]?.describedKind }
    #expect(
      kinds == ["the number 1", "text", "null", "empty text", "`true`", "a list", "a map"])
  }
}

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("60s", .seconds(60)), ("5m", .seconds(300)),
    ("2h", .seconds(7_200)), ("7d", .seconds(604_800)), ("1h30m", .seconds(5_400)),
    ("1h 30m", .seconds(5_400)), ("90", .seconds(90)), ("0", .zero), ("0.5", .milliseconds(500)),
    ("1.5h", .seconds(5_400)), ("1d2h3m4s5ms", .milliseconds(93_784_005)), (" 5m ", .seconds(300)),
    ("0.000000001", .nanoseconds(1)), ("1.000000000000s", .seconds(1)), ("007s", .seconds(7)),
    ("106751d", .seconds(9_223_286_400)), ("0.0000000000000000000001s", .zero),
  ])
  func durations(text: String, duration: Duration) throws {
    #expect(try DurationText.parse(text) == duration)
  }

  @Test(arguments: [
    ("", "a duration is missing"), (" ", "a duration is missing"), ("-5s", "`-5s` is negative"),
    ("-.inf", "`-.inf` is negative"), (".inf", "`.inf` is no finite number"),
    (".nan", "`.nan` is no finite number"), ("1e3", "`1e3` has an unknown unit `e`"),
    ("nan", "`nan` is no duration"), ("5 apples", "`5 apples` is no duration"),
    ("5min", "`5min` has an unknown unit `min`"), ("5S", "`5S` has an unknown unit `S`"),
    ("2w", "`2w` has an unknown unit `w`"), ("30m1h", "the units of `30m1h` are out of order"),
    ("1h2h", "the units of `1h2h` are out of order"), ("1h30", "`1h30` is no duration"),
    ("1:30", "`1:30` is no duration"), ("h", "`h` is no duration"), ("1.h", "`1.h` is no duration"),
    (".5s", "`.5s` is no duration"), ("+5s", "`+5s` is no duration"),
    ("1_000s", "`1_000s` is no duration"),
    ("PT5M", "`PT5M` is no duration"), ("106752d", "`106752d` is too long"),
    ("99999999999999999999s", "`99999999999999999999s` is too long"),
    ("0x10", "`0x10` has an unknown unit `x`"), ("106751d23h59m", "`106751d23h59m` is too long"),
    ("５s", "`５s` is no duration"),
  ])
  func textThatIsNone(text: String, message: String) {
    let problem = #expect(throws: ScalarProblem.self) { try DurationText.parse(text) }
    #expect(problem?.message == message)
    #expect(problem?.hint.isEmpty == false)
  }

  @Test func unitsOfOtherNamesAreTranslated() {
    let problem = #expect(throws: ScalarProblem.self) { try DurationText.parse("5minutes") }
    #expect(problem?.hint == "write `m`; the units are ms, s, m, h and d")
  }
}

@Suite struct SizeTextTests {
  @Test(arguments: [
    ("4096", 4_096), ("0", 0), ("16 KiB", 16_384), ("16KiB", 16_384), ("20 MB", 20_000_000),
    ("1 kB", 1_000), ("1 KB", 1_000), ("5 B", 5), ("1.5 GiB", 1_610_612_736), ("0.1 KiB", 102),
    ("2 TB", 2_000_000_000_000), ("1 PiB", 1 << 50), ("9223372036854775807", Int64.max),
    ("8191 PiB", 8191 << 50), (" 7 ", 7), ("0.0 KiB", 0),
  ])
  func sizes(text: String, bytes: Int64) throws {
    #expect(try SizeText.parse(text) == bytes)
  }

  @Test(arguments: [
    ("", "a size is missing"), ("-1", "`-1` is negative"), (".inf", "`.inf` is no finite number"),
    ("10M", "`10M` could be 1000s or 1024s"), ("10k", "`10k` could be 1000s or 1024s"),
    ("10 G", "`10 G` could be 1000s or 1024s"), ("10 mib", "`10 mib` has an unknown unit `mib`"),
    ("10 Mb", "`10 Mb` looks like bits"), ("10 Mbit", "`10 Mbit` looks like bits"),
    ("1,000", "`1,000` is no size"), ("1_000", "`1_000` is no size"),
    ("10 MiB/s", "`10 MiB/s` is a rate, and a size is due"), ("MiB", "`MiB` is no size"),
    ("8192 PiB", "`8192 PiB` is too large"),
    ("9223372036854775808", "`9223372036854775808` is too large"),
    ("10 apples", "`10 apples` has an unknown unit `apples`"),
    ("1e3", "`1e3` has an unknown unit `e3`"),
    ("0x10", "`0x10` has an unknown unit `x10`"),
    ("10 KiB KiB", "`10 KiB KiB` has an unknown unit `KiB KiB`"),
    ("nan", "`nan` is no size"), ("+1", "`+1` is no size"),
  ])
  func textThatIsNone(text: String, message: String) {
    let problem = #expect(throws: ScalarProblem.self) { try SizeText.parse(text) }
    #expect(problem?.message == message)
    #expect(problem?.hint.isEmpty == false)
  }

  @Test func hintsWriteOutWhatWasMeant() {
    func hint(_ text: String) -> String? {
      #expect(throws: ScalarProblem.self) { try SizeText.parse(text) }?.hint
    }
    #expect(hint("10M") == "write `10 MiB` (1024s) or `10 MB` (1000s)")
    #expect(hint("1.5 K") == "write `1.5 KiB` (1024s) or `1.5 kB` (1000s)")
    #expect(hint("10 mib") == "did you mean `MiB`?")
    #expect(hint("10 mb") == "did you mean `MB`?")
    #expect(hint("10 Mbit") == "sizes are in bytes: 8 Mbit are 1 MB")
    #expect(hint("1,000") == "write the digits without `,` between them")
  }

  @Test func rates() throws {
    #expect(try RateText.parse("10 MiB/s") == 10 << 20)
    #expect(try RateText.parse("512KiB/s") == 512 << 10)
    #expect(try RateText.parse("100/s") == 100)
  }

  @Test(arguments: [
    ("", "write it like `512 KiB/s` or `10 MB/s`"),
    ("unlimited", "write it like `512 KiB/s` or `10 MB/s`"),
    ("10 MiB", "a rate is a size and `/s`: `10 MiB/s`"),
    ("100", "a rate is a size and `/s`: `100/s`"),
    ("10 MB/m", "a rate is for one second: `/s`"),
    ("10 Mbps", "rates are in bytes: 8 Mbit/s are `1 MB/s`"),
    ("10 Mbit/s", "rates are in bytes: 8 Mbit/s are `1 MB/s`"),
    ("10M/s", "write `10 MiB` (1024s) or `10 MB` (1000s)"),
    ("-1 MB/s", "a rate is zero or more"),
    ("/s", "write it like `4096`, `16 KiB` (1024s) or `20 MB` (1000s)"),
  ])
  func ratesThatAreNone(text: String, hint: String) {
    #expect(#expect(throws: ScalarProblem.self) { try RateText.parse(text) }?.hint == hint)
  }
}

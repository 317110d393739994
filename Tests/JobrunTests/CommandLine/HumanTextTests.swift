import Testing

@testable import jobrun

@Suite struct HumanTextTests {
  @Test(arguments: [
    (Int64(0), "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
    (102_348, "99.9 KiB"), (102_400, "100 KiB"), (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"),
    (1_047_552, "1023 KiB"), (17_825_792, "17.0 MiB"), (1_073_741_824, "1.0 GiB"),
    (Int64.max, "8.0 EiB"), (-5, "0 B"),
  ])
  func sizes(_ bytes: Int64, _ text: String) { #expect(HumanText.size(bytes) == text) }

  @Test(arguments: [
    (0, "0.0s"), (49, "0.0s"), (50, "0.1s"), (800, "0.8s"), (9_949, "9.9s"), (9_950, "10s"),
    (59_499, "59s"), (59_500, "1m00s"), (192_000, "3m12s"), (3_599_499, "59m59s"),
    (7_500_000, "2h05m"), (86_400_000, "1d0h"), (273_600_000, "3d4h"), (-1, "0.0s"),
  ])
  func durations(_ milliseconds: Int, _ text: String) {
    #expect(HumanText.duration(.milliseconds(milliseconds)) == text)
  }

  @Test(arguments: [
    (0, "0.0 ms"), (449, "0.4 ms"), (9_940, "9.9 ms"), (12_400, "12 ms"), (1_500_000, "1.5s"),
  ])
  func shortDurations(_ microseconds: Int, _ text: String) {
    #expect(HumanText.shortDuration(.microseconds(microseconds)) == text)
  }

  @Test func speeds() {
    #expect(HumanText.speed(10_485_760, in: .seconds(2)) == "5.0 MiB/s")
    #expect(HumanText.speed(10, in: .zero) == nil)
    #expect(HumanText.speed(0, in: .seconds(2)) == nil)
    #expect(HumanText.speed(.max, in: .milliseconds(1)) == "7.8 EiB/s")
  }
}

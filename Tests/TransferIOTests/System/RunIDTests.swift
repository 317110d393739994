import Testing
import TransferCore
import TransferIO

struct RunIDTests {
  @Test func namesTheSecondAndTheChance() {
    let start = WallTime(microseconds: 1_796_025_251_000_250)
    #expect(RunID.text(start: start, chance: 0x4f3a9c) == "20261130T075411Z-4f3a9c")
  }

  @Test func keepsSixDigitsOfTheChance() {
    let start = WallTime(microseconds: 0)
    #expect(RunID.text(start: start, chance: 0xAB00_0000_0000_001F) == "19700101T000000Z-00001f")
  }

  @Test func sortsAsItsStartDoes() {
    let texts = [1_796_025_251, 1_796_025_252, 1_796_111_651, 1_800_000_000].map {
      RunID.text(start: WallTime(microseconds: $0 * 1_000_000), chance: UInt64($0) &* 77_777)
    }
    #expect(texts == texts.sorted())
  }

  @Test func seedsDiffer() {
    #expect(Chance.seed() != Chance.seed())
  }

  @Test func theMonotonicClockDoesNotGoBack() {
    let first = Clock.monotonic()
    #expect(Clock.monotonic() >= first)
    #expect(Clock.wall() > WallTime(microseconds: 1_700_000_000_000_000))
  }
}

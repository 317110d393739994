import Testing
import TransferCore

/// Rates on a clock of the test's own.
@Suite struct RatePacerTests {
  /// Bytes that move in so many seconds when `streams` take turns with a line that is faster than
  /// the rate, each waking `late` milliseconds after it was told to.
  private func moved(
    _ rate: Int64, streams: Int, seconds: Int64, late: Int64 = 0, piece: Int? = nil
  ) -> Int64 {
    var now = Instant(nanoseconds: 5_000_000_000)
    let end = now + .seconds(seconds)
    var pacer = RatePacer(bytesPerSecond: rate, at: now)
    var sent = [Int64](repeating: 0, count: streams)
    let piece = piece ?? RatePacer.piece(bytesPerSecond: rate)
    var turn = 0
    while now < end {
      while pacer.mayMove(at: now) {
        pacer.move(piece, at: now)
        sent[turn % streams] += Int64(piece)
        turn += 1
      }
      now = pacer.next + .milliseconds(late)
    }
    #expect(sent.max()! - sent.min()! <= Int64(piece))
    return sent.reduce(0, +)
  }

  @Test(arguments: [1, 16], [4_096, 100_000, 1_048_576, 10_485_760, 1_000_000_000])
  func aRateIsKeptWithinFivePercentOverTenSeconds(streams: Int, rate: Int64) {
    for late: Int64 in [0, 1, 50] {
      let moved = Double(moved(rate, streams: streams, seconds: 10, late: late))
      let share = moved / Double(rate * 10)
      #expect((0.95...1.05).contains(share), "\(share) at \(late) ms")
    }
  }

  @Test func whatWasNotUsedIsSavedForATenthOfASecondAndNoLonger() {
    var now = Instant(nanoseconds: 0)
    var pacer = RatePacer(bytesPerSecond: 1_000_000, at: now)
    now = now + .seconds(60)
    var burst = 0
    while pacer.mayMove(at: now) {
      pacer.move(10_000, at: now)
      burst += 10_000
    }
    #expect(burst == 110_000)
  }

  @Test func aPieceLargerThanWhatIsSavedIsPaidForAfterwards() {
    let now = Instant(nanoseconds: 0)
    var pacer = RatePacer(bytesPerSecond: 1_000, at: now)
    pacer.move(10_000, at: now)
    #expect(!pacer.mayMove(at: now + .milliseconds(9_899)))
    #expect(pacer.mayMove(at: now + .milliseconds(10_000)))
    pacer.move(.max, at: now + .seconds(10))
    #expect(!pacer.mayMove(at: now + .seconds(86_400)))
  }

  @Test(arguments: [(1, 1_024), (100_000, 2_000), (10_000_000, 200_000), (.max, 262_144)])
  func piecesAreWhatComesInAFiftiethOfASecond(rate: Int64, piece: Int) {
    #expect(RatePacer.piece(bytesPerSecond: rate) == piece)
  }
}

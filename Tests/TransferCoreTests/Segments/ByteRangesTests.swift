import Testing
import TransferCore

@Suite struct ByteRangesTests {
  /// Every order of inserting up to four ranges of a file of six bytes.
  @Test func holdsWhatWasInsertedAndNothingElse() {
    let all = (0..<6).flatMap { lower in (lower...6).map { Int64(lower)..<Int64($0) } }
    for first in all {
      for second in all {
        for third in all {
          let inserted = [first, second, third]
          let ranges = ByteRanges(inserted)
          let bytes = Set(inserted.flatMap(Array.init))
          guard isSame(ranges, as: bytes) else {
            Issue.record("\(inserted) make \(ranges.ranges)")
            return
          }
        }
      }
    }
  }

  private func isSame(_ ranges: ByteRanges, as bytes: Set<Int64>) -> Bool {
    let apart = zip(ranges.ranges, ranges.ranges.dropFirst())
      .allSatisfy { $0.upperBound < $1.lowerBound }
    let prefix = (0...6).first { !bytes.contains($0) } ?? 6
    let missing = Set<Int64>(0..<6).subtracting(bytes)
    return apart && Set(ranges.ranges.flatMap(Array.init)) == bytes
      && ranges.count == Int64(bytes.count) && ranges.prefix == prefix
      && Set(ranges.gaps(in: 6).flatMap(Array.init)) == missing
      && Set(ranges.beyondPrefix.ranges.flatMap(Array.init)) == bytes.filter { $0 > prefix }
      && (ranges.isEmpty || ByteRanges(text: ranges.text) == ranges)
      && ranges.end == (bytes.max().map { $0 + 1 } ?? 0)
  }

  @Test func coversWhatItHolds() {
    let ranges = ByteRanges([0..<4, 6..<9])
    #expect(ranges.covers(ByteRanges([1..<3, 6..<9])))
    #expect(ranges.covers(ByteRanges()))
    #expect(!ranges.covers(ByteRanges([3..<5])))
    #expect(!ByteRanges().covers(ByteRanges([0..<1])))
  }

  @Test func findsTheNextStart() {
    let ranges = ByteRanges([0..<4, 6..<9])
    #expect(ranges.start(after: 0) == 6)
    #expect(ranges.start(after: 6) == nil)
  }

  @Test(arguments: [
    "", "0", "0-", "-4", "5-4", "0-4,", ",0-4", "0-4,5-9", "4-9,0-2", "0-4,2-9", "0-4 ", "00-4",
    "0-9223372036854775807", "0-99999999999999999999", "a-b", "0-4;6-8",
  ])
  func refusesOtherText(_ text: String) {
    #expect(ByteRanges(text: text) == nil)
  }

  @Test func isWrittenAsARangeField() {
    let text = "0-8388607,16777216-20971519"
    #expect(ByteRanges([0..<8_388_608, 16_777_216..<20_971_520]).text == text)
    #expect(ByteRanges(text: text)?.text == text)
  }
}

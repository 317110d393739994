import Testing

@testable import TransferCore

@Suite struct SegmentPlanTests {
  private let unit = SegmentPlan.smallest

  @Test func oneGapIsCutIntoEqualParts() {
    #expect(
      SegmentPlan.split([0..<(4 * unit)], into: 4) == (0..<4).map { $0 * unit..<($0 + 1) * unit })
  }

  @Test func noPartIsShorterThanIsWorthARequest() {
    #expect(SegmentPlan.split([0..<(2 * unit - 1)], into: 4).count == 1)
    #expect(SegmentPlan.split([0..<(2 * unit)], into: 4).count == 2)
    #expect(SegmentPlan.split([0..<10], into: 64) == [0..<10])
  }

  @Test func theLongestGapIsCutFirst() {
    let pieces = SegmentPlan.split([0..<unit, (2 * unit)..<(8 * unit)], into: 4)
    let cut = (1..<4).map { 2 * $0 * unit..<2 * ($0 + 1) * unit }
    #expect(pieces == [0..<unit] + cut)
  }

  @Test func moreGapsThanConnectionsStay() {
    let gaps = [0..<unit, (2 * unit)..<(3 * unit), (4 * unit)..<(9 * unit)]
    #expect(SegmentPlan.split(gaps, into: 2) == gaps)
  }

  /// Of every number of parts and of lengths that don't divide: the parts follow one another.
  @Test func thePartsTile() {
    for count in 1...64 {
      for length in [unit, 7 * unit + 13, 64 * unit - 1, 1000 * unit + 999, Int64.max / 2] {
        let pieces = SegmentPlan.split([17..<(17 + length)], into: count)
        #expect(pieces.first?.lowerBound == 17)
        #expect(pieces.last?.upperBound == 17 + length)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(pieces.count == min(Int64(count), max(1, length / unit)))
        let sizes = pieces.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }
}

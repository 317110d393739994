/// Which bytes of a file are there: sorted ranges that neither overlap nor touch.
package struct ByteRanges: Equatable, Sendable {
  package private(set) var ranges: [Range<Int64>] = []

  package init() {}

  package init(_ ranges: [Range<Int64>]) { for range in ranges { insert(range) } }

  package var isEmpty: Bool { ranges.isEmpty }
  /// Bytes in all of them.
  package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
  /// Where the last one ends.
  package var end: Int64 { ranges.last?.upperBound ?? 0 }
  /// The bytes that are there from the file's start on.
  package var prefix: Int64 {
    guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }
  /// All but the prefix.
  package var beyondPrefix: ByteRanges {
    var rest = self
    if prefix > 0 { rest.ranges.removeFirst() }
    return rest
  }

  package mutating func insert(_ range: Range<Int64>) {
    if range.isEmpty { return }
    // A body is written from front to back.
    if let last = ranges.last, range.lowerBound >= last.lowerBound {
      if range.lowerBound > last.upperBound {
        ranges.append(range)
      } else {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      }
      return
    }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    let past = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
    let touched = ranges[first..<past]
    let lower = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
    let upper = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
    ranges.replaceSubrange(first..<past, with: [lower..<upper])
  }

  /// What is missing of a file of `total` bytes.
  package func gaps(in total: Int64) -> [Range<Int64>] {
    var gaps: [Range<Int64>] = []
    var position: Int64 = 0
    for range in ranges where range.lowerBound < total {
      if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
      position = range.upperBound
    }
    if position < total { gaps.append(position..<total) }
    return gaps
  }

  /// Where the first range begins that lies beyond `position`.
  package func start(after position: Int64) -> Int64? {
    ranges.first { $0.lowerBound > position }?.lowerBound
  }

  /// Whether every byte of the other's is one of these.
  package func covers(_ other: ByteRanges) -> Bool { ByteRanges(ranges + other.ranges) == self }

  // MARK: Text

  /// First and last byte of each, as Range fields have them: `0-8388607,16777216-20971519`.
  package var text: String {
    ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
  }

  /// nil when the text isn't one that `text` makes.
  package init?(text: String) {
    var scanner = FieldScanner(text)
    repeat {
      guard let first = scanner.number(), scanner.skips(UInt8(ascii: "-")),
        let last = scanner.number(), last >= first, last < .max, first > end || ranges.isEmpty
      else { return nil }
      insert(first..<(last + 1))
    } while scanner.skips(UInt8(ascii: ","))
    if self.text != text { return nil }
  }
}

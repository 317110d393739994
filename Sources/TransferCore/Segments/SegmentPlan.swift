/// How many connections fetch one file.
package enum SegmentCount: Equatable, Sendable {
  case fixed(Int)
  /// Several for a large file that takes its time, from a server that says it knows ranges: on a
  /// fast line more connections cost more than they give (measured).
  case auto
}

/// How a file is cut into ranges, each fetched by a connection of its own.
package enum SegmentPlan {
  /// A range that is shorter isn't worth a request.
  static let smallest: Int64 = 1_048_576
  /// What `auto` cuts: at least so much that is still missing, after so long, into so many.
  static let autoFrom: Int64 = 16 * 1_048_576
  static let autoAfter = Duration.seconds(1)
  static let autoCount = 4
  /// Between two looks at whether connections have become free.
  static let looksApart = Duration.seconds(1)

  /// The ranges of `gaps`, in order, cut so that there are up to `count` of about the same length.
  /// More gaps than that stay as they are.
  static func split(_ gaps: [Range<Int64>], into count: Int) -> [Range<Int64>] {
    var cuts = gaps.map { (gap: $0, parts: Int64(1)) }
    for _ in 0..<max(0, count - gaps.count) {
      // The one whose parts are longest; the first of several.
      let best = cuts.indices.max { left, right in
        let (one, other) = (length(cuts[left], 0), length(cuts[right], 0))
        return (one, right) < (other, left)
      }
      guard let best, length(cuts[best], 1) >= smallest else { break }
      cuts[best].parts += 1
    }
    return cuts.flatMap { cut in
      (0..<cut.parts).map { part in edge(part, of: cut)..<edge(part + 1, of: cut) }
    }
  }

  /// Of each part, if there were `more` of them.
  private static func length(_ cut: (gap: Range<Int64>, parts: Int64), _ more: Int64) -> Int64 {
    Int64(cut.gap.count) / (cut.parts + more)
  }

  private static func edge(_ part: Int64, of cut: (gap: Range<Int64>, parts: Int64)) -> Int64 {
    let length = Int64(cut.gap.count)
    // In this order a file of any size stays within Int64.
    return cut.gap.lowerBound + length / cut.parts * part + length % cut.parts * part / cut.parts
  }
}

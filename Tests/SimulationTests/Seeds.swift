import Glibc

/// Which seeds are played: JOBRUN_FIRST_SEED and JOBRUN_SEEDS in the environment say others than
/// the first thousand.
enum Seeds {
  static var chosen: Range<UInt64> {
    let first = number("JOBRUN_FIRST_SEED") ?? 0
    return first..<(first + (number("JOBRUN_SEEDS") ?? 1000))
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  /// The first few seeds of `range` that break a promise.
  static func broken(
    in range: Range<UInt64>, by mutation: Mutation? = nil, atMost limit: Int
  ) -> [(seed: UInt64, words: [String])] {
    var found: [(seed: UInt64, words: [String])] = []
    for seed in range {
      let words = Simulation.violations(seed: seed, mutation: mutation)
      if words.isEmpty { continue }
      found.append((seed, words))
      if found.count == limit { break }
    }
    return found
  }
}

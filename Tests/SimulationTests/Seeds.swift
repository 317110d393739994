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

  /// What playing some seeds came to.
  struct Report {
    /// The first few that broke a promise.
    var broken: [(seed: UInt64, words: [String])] = []
    var seen: [Situation: Int] = [:]
  }

  /// Plays seeds until so many of them broke a promise.
  static func play(
    _ range: Range<UInt64>, _ mutation: Mutation? = nil, upTo limit: Int
  ) -> Report {
    var report = Report()
    for seed in range {
      let simulation = Simulation(seed: seed, mutation: mutation)
      simulation.play()
      report.seen.merge(simulation.world.seen, uniquingKeysWith: +)
      if simulation.world.violations.isEmpty { continue }
      report.broken.append((seed, simulation.world.violations))
      if report.broken.count == limit { break }
    }
    return report
  }
}

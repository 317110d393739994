import Testing

/// Whole jobs in simulated worlds, one a seed. A seed that breaks a promise says so, and what
/// happened in it: `JOBRUN_FIRST_SEED=N JOBRUN_SEEDS=1` plays it again.
@Suite struct SimulationTests {
  @Test func everySeedKeepsEveryPromise() {
    let report = Seeds.play(Seeds.chosen, upTo: 5)
    for (seed, words) in report.broken {
      Issue.record(
        """
        JOBRUN_FIRST_SEED=\(seed) JOBRUN_SEEDS=1 breaks a promise:
        \(words.joined(separator: "\n"))
        \(Self.story(of: seed))
        """)
    }
    // A simulation that never comes to what the promises are about proves nothing.
    for situation in Situation.allCases where Seeds.chosen.count >= 1000 {
      #expect(report.seen[situation] != nil, "no seed comes to \(situation)")
    }
  }

  @Test func aSeedAlwaysTellsTheSameStory() {
    for seed in 0..<20 as Range<UInt64> {
      let story = Self.story(of: seed)
      #expect(!story.isEmpty)
      #expect(story == Self.story(of: seed))
    }
  }

  private static func story(of seed: UInt64) -> String {
    let simulation = Simulation(seed: seed, keepsTrace: true)
    simulation.play()
    return simulation.world.trace.joined(separator: "\n")
  }
}

import Testing

/// Whole jobs in simulated worlds, one a seed. A seed that breaks a promise says so, and what
/// happened in it: `JOBRUN_FIRST_SEED=N JOBRUN_SEEDS=1` plays it again.
@Suite struct SimulationTests {
  @Test func everySeedKeepsEveryPromise() {
    for (seed, words) in Seeds.broken(in: Seeds.chosen, atMost: 5) {
      Issue.record(
        """
        JOBRUN_FIRST_SEED=\(seed) JOBRUN_SEEDS=1 breaks a promise:
        \(words.joined(separator: "\n"))
        \(Self.story(of: seed))
        """)
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

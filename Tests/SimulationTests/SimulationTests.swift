import Testing

@Suite struct SimulationTests {
  @Test func aThousandSeedsKeepEveryPromise() {
    for seed in 0..<1000 as Range<UInt64> {
      let broken = Simulation.violations(seed: seed)
      if !broken.isEmpty {
        Issue.record("seed \(seed): \(broken.prefix(3))")
      }
    }
  }
}

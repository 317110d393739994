import Testing
@Suite struct ProbeTests {
  @Test func probe() {
    for mutation in Mutation.allCases {
      let found = Seeds.broken(in: 0..<30000, by: mutation, atMost: 3)
      print("PROBE", mutation, found.map { "\($0.seed): \($0.words[0].prefix(70))" })
    }
    var seen: [Situation: Int] = [:]
    for seed in 0..<1000 as Range<UInt64> { let s = Simulation(seed: seed); s.play(); seen.merge(s.world.seen) { $0 + $1 } }
    print("PROBE", seen)
  }
}

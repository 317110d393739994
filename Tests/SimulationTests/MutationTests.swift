import Testing

/// Checkers that can't fail prove nothing: a program that does one thing wrong is found out.
@Suite struct MutationTests {
  @Test(arguments: Mutation.allCases) func aWrongProgramIsFoundOut(mutation: Mutation) {
    let found = Seeds.play(mutation.seeds, mutation, upTo: 1)
    #expect(!found.broken.isEmpty, "\(mutation) went unnoticed in the seeds \(mutation.seeds)")
  }

  /// Those that are about segments take a file over several connections to be seen.
  @Test(arguments: Mutation.allCases.filter(\.isOfSegments))
  func oneOfSegmentsTakesSegments(mutation: Mutation) throws {
    let seed = try #require(Seeds.play(mutation.seeds, mutation, upTo: 1).broken.first?.seed)
    let simulation = Simulation(seed: seed, mutation: mutation)
    simulation.play()
    #expect(simulation.world.seen[.split] != nil, "seed \(seed)")
  }
}

extension Mutation {
  /// Seeds that show it. What takes a rare coincidence is looked for where it is known to be; a
  /// change of the simulated world moves it, and a wider range finds it anew.
  var seeds: Range<UInt64> {
    switch self {
    case .takesAny416: 2_000..<2_500
    case .claimsByErrorPage: 8_500..<9_000
    default: 0..<1_000
    }
  }
}

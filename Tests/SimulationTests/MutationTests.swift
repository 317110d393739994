import Testing

/// Checkers that can't fail prove nothing: a program that does one thing wrong is found out.
@Suite struct MutationTests {
  @Test(arguments: Mutation.allCases) func aWrongProgramIsFoundOut(mutation: Mutation) {
    let found = Seeds.play(mutation.seeds, mutation, upTo: 1)
    #expect(!found.broken.isEmpty, "\(mutation) went unnoticed in the seeds \(mutation.seeds)")
  }
}

extension Mutation {
  /// Seeds that show it. What takes a rare coincidence is looked for where it is known to be; a
  /// change of the simulated world moves it, and a wider range finds it anew.
  var seeds: Range<UInt64> {
    switch self {
    case .takesAny416: 5_000..<5_500
    case .claimsByErrorPage: 9_000..<9_500
    default: 0..<1_000
    }
  }
}

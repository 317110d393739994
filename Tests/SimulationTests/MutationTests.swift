import Testing

/// Checkers that can't fail prove nothing: a program that does one thing wrong is found out, and
/// within so few seeds that a thousand would show it.
@Suite struct MutationTests {
  @Test(arguments: Mutation.allCases) func aWrongProgramIsFoundOut(mutation: Mutation) {
    let found = Seeds.broken(in: 0..<mutation.seeds, by: mutation, atMost: 1)
    #expect(!found.isEmpty, "\(mutation) went unnoticed in \(mutation.seeds) seeds")
  }
}

extension Mutation {
  /// So many seeds show it.
  var seeds: UInt64 { 20_000 }
}

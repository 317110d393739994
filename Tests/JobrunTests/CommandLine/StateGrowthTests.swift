import Glibc
import Testing

/// What a run writes down goes into the state's database, and doesn't heap up in its log.
@Suite struct StateGrowthTests {
  @Test(arguments: ["none", "batch"])
  func theWriteAheadLogIsWorkedIn(durability: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("source/a", "a")
    try folder.write("list", (0..<6_000).map { "\($0)\n" }.joined())
    try folder.write(
      "job.yaml",
      """
      version: 1
      name: growth
      durability: \(durability)
      state: state
      tasks:
        - { id: t, items: { file: list, format: lines }, data: 'file://\(folder.path)/source/a' }

      """)
    for _ in 0..<2 {
      let ended = try Jobrun.run(["run", "-q", "job.yaml"], folder: folder.path)
      #expect(ended.code == 0, "\(ended.err)")
    }
    #expect(size(folder.path + "/state/state.db") > 3_000_000)
    #expect(size(folder.path + "/state/state.db-wal") < 16_000_000)
  }

  private func size(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : -1
  }
}

import FaultOrigin
import Testing

/// Many folders, and few files that may be open at once.
@Suite struct DescriptorTests {
  @Test(arguments: ["batch", "none"])
  func aRunKeepsToWhatTheSystemAllows(durability: String) throws {
    let folder = try TemporaryFolder()
    let origin = try ScriptedOrigin { _ in .answer(200, body: "hello") }
    try folder.write("list", (0..<600).map { "\($0)\n" }.joined())
    try folder.write(
      "job.yaml",
      """
      version: 1
      name: many
      durability: \(durability)
      root: out
      state: state
      tasks:
        - id: t
          items: { file: list, format: lines }
          download: \(origin.url("/"))
          to: "${item}/file"

      """)
    let ended = try Clone.run(
      "/bin/sh", ["-c", "ulimit -n 160 && exec \(Jobrun.path) run -q job.yaml"],
      folder: folder.path)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(try Clone.files(below: folder.path + "/out").count { $0.hasSuffix("/file") } == 600)
  }
}

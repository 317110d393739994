import FaultOrigin
import Glibc
import Synchronization
import Testing

/// Two states of one job know nothing of each other: what one claims of the part file holds only as
/// long as it is the same file.
@Suite struct TwoStatesTests {
  private static let size = 400_000
  private static let cut = 200_000

  private static func content(_ version: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "0") + UInt8(version), count: size)
  }

  /// The first run is cut, by another state the second begins another version in the same part
  /// file, and the third goes on with the first's state.
  @Test(arguments: [1, 2]) func aPartFileThatAnotherStateBeganIsNotTakenForOurs(segments: Int)
    throws
  {
    // On a disk: memory file systems of some kernels keep no marks.
    let folder = try TemporaryFolder(in: Clone.root + "/.build")
    let phase = Mutex((version: 1, cuts: true))
    let origin = try ScriptedOrigin { request in
      let (version, cuts) = phase.withLock { $0 }
      let all = Self.content(version)
      let tag = "\"v\(version)\""
      var from = 0
      if request["If-Range"] ?? tag == tag, let range = request["Range"] {
        from = Int(range.dropFirst(6).prefix { $0.isNumber }) ?? 0
      }
      let fields = [
        "ETag: \(tag)", "Accept-Ranges: bytes", "Content-Length: \(Self.size - from)",
      ]
      let place = "Content-Range: bytes \(from)-\(Self.size - 1)/\(Self.size)"
      let head =
        from > 0
        ? FaultContent.head("206 Partial Content", fields + [place])
        : FaultContent.head("200 OK", fields)
      let body = all[from...]
      return cuts ? [.send(head + body.prefix(Self.cut)), .close] : [.send(head + body)]
    }
    try folder.write(
      "job.yaml",
      """
      version: 1
      tasks:
        - { id: f, download: '\(origin.url("/f"))', to: f, segments: \(segments),
            retry: { attempts: 1 } }
      """)
    func run(_ state: String) throws -> Int32 {
      try Jobrun.run(["-q", "--state", state, "job.yaml"], folder: folder.path).code
    }
    #expect(try run("ours") == 1)
    phase.withLock { $0.version = 2 }
    #expect(try run("theirs") == 1)
    phase.withLock { $0 = (version: 1, cuts: false) }
    #expect(try run("ours") == 0)
    #expect(folder.read("f").map { Array($0.utf8) } == Self.content(1))
  }
}

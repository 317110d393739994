import Glibc
import Testing
import TransferCore
import TransferIO

/// A disk that is slower than the line: what a kill costs stays bounded.
@Suite struct SlowDiskTests {
  private static let size = 64 * 1_048_576
  /// Bytes that one read of a socket may bring past a bound.
  private static let slack: Int64 = 1_048_576

  /// Dies in the second flush of the part file, which the line doesn't wait for by itself.
  @Test func aTransferDoesNotRunAheadOfWhatIsOnDisk() throws {
    let folder = try TemporaryFolder()
    try folder.write("www/big", String(repeating: "0123456789abcdef", count: Self.size / 16))
    let origin = try RealOrigin(serving: folder.path + "/www")
    try folder.write(
      "job.yaml",
      "version: 1\nstate: state\ntasks:\n  - { id: big, download: '\(origin.http)/big', to: big }\n"
    )
    let killed = try Jobrun.run(
      ["-q", "job.yaml"],
      environment: try Shim.environment([
        "ONLY=.part", "CALL=fdatasync", "SLOW=500", "STOP=2",
      ]), folder: folder.path)
    #expect(killed.code != 0)
    let part = try #require(
      try Clone.files(below: folder.path).first { $0.hasSuffix(".part") })
    let written = try #require(try FileFacts.read(part)).size
    let job = JobIdentity(
      name: "job", file: "-", folder: folder.path, root: folder.path)
    let state = try StateStore(reading: StateFolder(path: folder.path + "/state"), job: job)
    let known = try #require(try state?.checkpoint("big")).durableBytes
    #expect(known >= CheckpointSchedule.bytesApart)
    #expect(written - known <= 2 * CheckpointSchedule.bytesApart + Self.slack)
    let again = try Jobrun.run(["job.yaml"], folder: folder.path)
    #expect(again.code == 0, "\(again.err)")
    #expect(folder.read("big")?.utf8.count == Self.size)
  }
}

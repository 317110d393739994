import TransferCore
import TransferIO

/// A job with a file and a state folder of its own.
struct StateSamples {
  let temporary = TemporaryFolder()
  static let now = WallTime(microseconds: 1_795_938_851_000_000)

  var folder: StateFolder { StateFolder(path: temporary / "state/nightly") }

  init() { TestFile.write("version: 1", to: temporary / "nightly.yaml") }

  func job(_ name: String = "nightly", file: String = "nightly.yaml") -> JobIdentity {
    JobIdentity(
      name: name, file: temporary / file, folder: temporary.path, root: temporary.path)
  }

  func open() throws -> StateStore {
    try StateStore(folder: folder, job: job(), now: Self.now)
  }

  /// A run of its own chain, begun and committed.
  func begun(_ id: String, _ store: StateStore) throws {
    try store.startRun(try store.nextRun(id: id, at: Self.now))
    try store.commit()
  }

  static func end(_ exitCode: Int32, of id: String) -> RunEnd {
    RunEnd(summary: RunSummary(runID: id, started: now, ended: now), exitCode: exitCode)
  }

  static func file(_ path: String = "/m/a", inode: UInt64 = 7) -> CommittedFile {
    CommittedFile(
      url: "https://h.example/a", path: path, inode: inode, size: 1_024,
      modificationNanoseconds: 1_700_000_000_123_456_789,
      validator: Validator(etag: "\"e\"", lastModified: "Mon", date: nil), sha256: "00ff")
  }

  static func checkpoint() -> Checkpoint {
    var checkpoint = Checkpoint(
      url: "https://h.example/a", path: "/m/.part", inode: .max, durableBytes: 8_388_608,
      total: nil, validator: Validator(etag: "\"e\""))
    checkpoint.beyond = ByteRanges([9_000_000..<9_500_000])
    return checkpoint
  }

  static func result(_ outcome: Outcome) -> TaskResult {
    var result = TaskResult(task: 0, outcome: outcome, originalURL: "u", currentURL: "u")
    result.bytesReceived = 10
    return result
  }

  static func line(_ text: String) -> [UInt8] { Array(#"{"schema":1,"task":"\#(text)"}"#.utf8) }
}

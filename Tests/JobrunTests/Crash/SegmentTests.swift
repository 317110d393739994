import FaultOrigin
import Glibc
import Synchronization
import Testing

/// Segments of a file that is large enough to be worth them: what a runner's death costs, and when
/// `auto` cuts.
@Suite struct SegmentTests {
  private static let mebibyte = 1_048_576
  private static let total = 24 * mebibyte
  /// So much of each request's range comes in the first run.
  private static let come = 10 * mebibyte

  private let folder: TemporaryFolder
  private let origin: ScriptedOrigin
  private let content: [UInt8]
  private let phase: Phase

  private enum Manner {
    /// Each answer's body stops after some MiB.
    case holds
    /// The first answer goes on only when there is another request.
    case waits
    case serves
  }

  private final class Phase: Sendable {
    let manner = Mutex(Manner.holds)
    /// Ranges that were asked for since.
    let asked = Mutex<[Range<Int>]>([])

    func begin(_ next: Manner) {
      manner.withLock { $0 = next }
      asked.withLock { $0 = [] }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    var state: UInt32 = 1
    let content = (0..<Self.total).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    self.content = content
    let phase = Phase()
    // The file is cut before much of it has come.
    let gate = OriginGate()
    self.phase = phase
    origin = try ScriptedOrigin { request in
      let range = Self.range(request["Range"])
      phase.asked.withLock { $0.append(range) }
      let manner = phase.manner.withLock { $0 }
      let fields = ["ETag: \"v\"", "Accept-Ranges: bytes", "Content-Length: \(range.count)"]
      let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.total)"
      let head =
        request["Range"] == nil
        ? FaultContent.head("200 OK", fields)
        : FaultContent.head("206 Partial Content", fields + [place])
      if manner == .serves { return [.send(head + content[range])] }
      let body = manner == .holds ? content[range].prefix(Self.come) : content[range]
      let end: [OriginStep] = manner == .holds ? [.hold] : []
      if range.lowerBound > 0 {
        gate.open()
        return [.send(head + body)] + end
      }
      return [
        .send(head + body.prefix(Self.mebibyte)), .wait(gate),
        .send(Array(body.dropFirst(Self.mebibyte))),
      ] + end
    }
    try write("2")
  }

  private func write(_ segments: String) throws {
    try folder.write(
      "job.yaml",
      """
      version: 1
      tasks:
        - { id: f, download: '\(origin.url("/f"))', to: f, segments: \(segments) }
      """)
  }

  private static func range(_ text: String?) -> Range<Int> {
    let ends = (text ?? "bytes=0-").dropFirst(6).split(
      separator: "-", omittingEmptySubsequences: false)
    return (Int(ends[0]) ?? 0)..<((Int(ends[1]) ?? total - 1) + 1)
  }

  /// Waits until the state claims all that came of the first range.
  private func waitForClaim() throws {
    for _ in 0..<2_000 {
      let plan = try Jobrun.run(
        ["plan", "--format", "json", "--state", "st", "job.yaml"], folder: folder.path)
      if plan.out.contains("\"from_byte\": \(Self.come)") { return }
    }
    Issue.record("nothing was claimed")
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func theNextRunAsksForWhatIsMissing(signal: Int32) throws {
    let run = try Jobrun.start(["--state", "st", "job.yaml"], folder: folder.path)
    try waitForClaim()
    run.send(signal)
    #expect(run.wait().code == 128 + signal)
    if signal == SIGTERM { try expectToldInRanges() }
    phase.begin(.serves)
    let ended = try Jobrun.run(["--state", "st", "job.yaml"], folder: folder.path)
    #expect(ended.code == 0, "\(ended.err)")
    let isWhole = Self.bytes(of: folder.path + "/f") == content
    #expect(isWhole)
    let asked = phase.asked.withLock { $0 }.sorted { $0.lowerBound < $1.lowerBound }
    let missing = Self.total - 2 * Self.come
    let bytes = asked.reduce(0) { $0 + $1.count }
    // What was waited for is the first range's claim: the second's may still be under its flush.
    let lost = signal == SIGKILL ? Self.come : 0
    #expect((missing...(missing + lost)).contains(bytes), "\(asked)")
    #expect(asked.first?.lowerBound == Self.come)
    #expect((signal == SIGKILL ? 1...3 : 2...2).contains(asked.count), "\(asked)")
  }

  /// What is here of each range, and not how long the part file is.
  private func expectToldInRanges() throws {
    let plan = try Jobrun.run(["plan", "--state", "st", "job.yaml"], folder: folder.path)
    let words = "a part file is here, with \(Self.come) bytes of later ranges"
    let told = plan.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(told.contains(words), "\(plan.out)")
    let story = try Jobrun.run(["explain", "--state", "st", "job.yaml", "f"], folder: folder.path)
    let sentence =
      "A part file is there: 20.0 MiB (20971520 bytes) of 24.0 MiB (25165824 bytes),"
      + " in 2 ranges, are known to be on disk"
    let tale = story.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(tale.contains(sentence), "\(story.out)")
  }

  /// A line that brings the file within a second needs no more connections; one that doesn't gets
  /// four, and the file is whole.
  @Test func autoCutsWhatTakesItsTime() throws {
    try write("auto")
    for (manner, requests) in [(Manner.waits, 4), (.serves, 1)] {
      phase.begin(manner)
      let ended = try Jobrun.run(["--fresh", "--state", "st", "job.yaml"], folder: folder.path)
      #expect(ended.code == 0, "\(ended.err)")
      let isWhole = Self.bytes(of: folder.path + "/f") == content
      #expect(isWhole)
      #expect(phase.asked.withLock { $0.count } == requests)
      unlink(folder.path + "/f")
    }
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: total + 1) { buffer, count in
      count = fread(buffer.baseAddress, 1, total + 1, file)
    }
  }
}

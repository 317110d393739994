import Glibc
import Testing
import TransferCore

@testable import TransferIO

/// What is claimed, marked and put in place only after something else is on disk. The order as a
/// whole is the simulation's subject; these are the hands that keep it.
struct DurableOrderTests {
  private let samples = StateSamples()
  private var target: String { samples.temporary / "target" }

  private func plan(_ durability: Durability = .batch) -> Plan {
    var settings = RunSettings()
    settings.durability = durability
    let task = TaskPlan(
      id: "a", session: 0, policy: 0, work: .download(DownloadPlan(path: target)),
      request: RequestPlan(method: "GET", url: PlanText("http://h.example/a")))
    return Plan(
      job: samples.job(), settings: settings, sessions: [SessionPlan(name: "s")],
      policies: [TransferPolicy()], tasks: [task])
  }

  private func recorder(_ plan: Plan, _ store: StateStore) throws -> Recorder {
    Recorder(
      plan: plan, state: store, log: try CompletionLog(path: samples.folder.log),
      record: RunRecord(runID: "r1", job: "nightly"))
  }

  private func part(holding text: String) -> TargetPart {
    let names = PartNames(job: "nightly")
    TestFile.write(text, to: samples.temporary / names.name(ofTask: "a"))
    return TargetPart(
      DownloadPlan(path: target), task: "a", names: names,
      folders: TargetFolders(root: samples.temporary.path))
  }

  private func request(size: Int64) -> CommitRequest {
    CommitRequest(
      task: 0, url: "http://a/", validator: Validator(), sha256: nil, size: size, bytes: nil)
  }

  private let now = Instant(nanoseconds: 0)

  // MARK: Checkpoints

  /// The claim is gone from what the next start reads, before a byte is overwritten.
  @Test func aClaimIsDroppedBeforeItsBytesAreWrittenAnew() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    try store.put(StateSamples.checkpoint(), task: "a")
    try store.commit()
    let checkpoints = CheckpointWriter(plan: plan(), state: store, flusher: try Flusher {})
    let claimed = StateSamples.checkpoint()
    try checkpoints.willRewrite(0, keeping: claimed.durable)
    #expect(try store.checkpoint("a") != nil)
    try store.commit()
    // A range beyond the start is claimed too, and would be cut off.
    try checkpoints.willRewrite(0, keeping: ByteRanges([0..<claimed.durableBytes]))
    let reader = try #require(try StateStore(reading: samples.folder, job: samples.job()))
    #expect(try reader.checkpoint("a") == nil)
  }

  // MARK: A flush that failed

  @Test func whatAFailedFlushHeldIsNeitherClaimedNorPutInPlace() throws {
    let part = part(holding: "whole")
    _ = try part.open()
    // What nobody has looked at is not claimed.
    #expect(part.flushed(Validator(), 5, "http://a/")?.durableBytes == nil)
    _ = try part.finish(request(size: 5))
    #expect(part.flushed(Validator(), 5, "http://a/")?.durableBytes == 5)
    part.distrust(EIO)
    // The kernel would say that all is well now.
    #expect(part.flushed(Validator(), 5, "http://a/") == nil)
    let failure = #expect(throws: TransferFailure.self) { try part.finish(request(size: 5)) }
    #expect(failure?.kind == .disk)
    #expect(TestFile.text(target) == nil)
  }

  /// A checkpoint's flush failed while the commit's own was under way.
  @Test func aCommitUnderWayHearsOfACheckpointsFailure() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    let flusher = try Flusher {}
    let pipeline = CommitPipeline(
      plan: plan(), state: store, flusher: flusher, recorder: try recorder(plan(), store))
    let part = part(holding: "whole")
    try pipeline.add(request(size: 5), part, made: [], now: now)
    #expect(try pipeline.turn(now: now, isIdle: true).isEmpty)
    part.distrust(EIO)
    for result in flusher.drain() { pipeline.take(result, now: now) }
    let settled = try pipeline.turn(now: now, isIdle: true)
    #expect(settled.count == 1)
    guard case .failure(let failure)? = settled.first?.result else {
      Issue.record("a file that a flush failed for was put in place")
      return
    }
    #expect(failure.kind == .disk)
    #expect(TestFile.text(target) == nil)
  }

  // MARK: Intents

  /// One row serves a group: it stays until the last of its files is remembered, in one batch with
  /// that.
  @Test func aGroupsIntentsGoWithTheLastOfItsFiles() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    let flusher = try Flusher {}
    let pipeline = CommitPipeline(
      plan: plan(), state: store, flusher: flusher, recorder: try recorder(plan(), store))
    for task in ["a", "b"] {
      let part = TargetPart(
        DownloadPlan(path: samples.temporary / task), task: task, names: PartNames(job: "job"),
        folders: TargetFolders(root: samples.temporary.path))
      let whole = CommitRequest(
        task: 0, url: "http://a/", validator: Validator(), sha256: nil, size: 1, bytes: [0x41])
      try pipeline.add(whole, part, made: [], now: now)
    }
    #expect(try pipeline.turn(now: now, isIdle: true).isEmpty)
    #expect(try store.intents().map(\.file.path) == ["a", "b"].map { samples.temporary / $0 })
    for result in flusher.drain() { pipeline.take(result, now: now) }
    #expect(try pipeline.turn(now: now, isIdle: true).isEmpty)
    for result in flusher.drain() { pipeline.take(result, now: now) }
    let settled = try pipeline.turn(now: now, isIdle: true)
    #expect(settled.count == 2)
    try pipeline.release(settled[0].intents)
    #expect(try store.intents().count == 2)
    try pipeline.release(settled[1].intents)
    #expect(try store.intents().isEmpty)
  }

  // MARK: The log

  @Test func recordsCountAsLoggedOnceTheLogIsFlushed() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    let recorder = try recorder(plan(), store)
    try recorder.add(StateSamples.result(.done), now: now, wall: StateSamples.now)
    try recorder.write()
    #expect(TestFile.text(samples.folder.log)?.isEmpty == false)
    #expect(try store.unloggedRecords().count == 1)
    try recorder.writeLast()
    #expect(try store.unloggedRecords().isEmpty)
  }

  @Test func aCommitsFlushTakesTheLogAlong() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    let recorder = try recorder(plan(), store)
    let flusher = try Flusher {}
    let pipeline = CommitPipeline(
      plan: plan(), state: store, flusher: flusher, recorder: recorder)
    try recorder.add(StateSamples.result(.failed), now: now, wall: StateSamples.now)
    try recorder.write()
    try pipeline.add(request(size: 5), part(holding: "whole"), made: [], now: now)
    // Flushed: the part's data. Then: the folder, and with it the mark is written.
    for _ in 0..<2 {
      #expect(try pipeline.turn(now: now, isIdle: true).isEmpty)
      for result in flusher.drain() { pipeline.take(result, now: now) }
    }
    #expect(try pipeline.turn(now: now, isIdle: true).count == 1)
    #expect(TestFile.text(target) == "whole")
    #expect(try store.unloggedRecords().isEmpty)
  }

  /// Nothing is flushed, so nothing is waited for.
  @Test func withoutDurabilityRecordsCountAsLoggedAtOnce() throws {
    let store = try samples.open()
    try samples.begun("r1", store)
    let recorder = try recorder(plan(.none), store)
    try recorder.add(StateSamples.result(.done), now: now, wall: StateSamples.now)
    try recorder.write()
    #expect(try store.unloggedRecords().isEmpty)
  }
}

import Testing
import TransferCore

@Suite struct CheckpointScheduleTests {
  private let start = Instant(nanoseconds: 0)
  private let mebibyte: Int64 = 1_048_576

  @Test func eightMebibytesAreClaimed() {
    var schedule = CheckpointSchedule()
    #expect(schedule.claim(0, size: 8 * mebibyte - 1, at: start) == false)
    #expect(schedule.claim(0, size: 8 * mebibyte, at: start) == true)
    #expect(schedule.claim(0, size: 15 * mebibyte, at: start) == false)
    #expect(schedule.claim(0, size: 16 * mebibyte, at: start) == true)
  }

  @Test func soAreTwoSecondsIfAnythingCame() {
    var schedule = CheckpointSchedule()
    #expect(schedule.claim(0, size: 1, at: start) == false)
    #expect(schedule.claim(0, size: 2, at: start + .milliseconds(1999)) == false)
    #expect(schedule.claim(0, size: 2, at: start + .seconds(2)) == true)
    #expect(schedule.claim(0, size: 2, at: start + .seconds(9)) == false)
    #expect(schedule.claim(0, size: 3, at: start + .seconds(9)) == true)
  }

  /// What is flushed just now is not claimed of a file that was begun anew meanwhile, and the new
  /// bytes are counted from none.
  @Test func aFileThatIsBegunAnewIsForgotten() {
    var schedule = CheckpointSchedule()
    #expect(schedule.claim(0, size: 20 * mebibyte, at: start) == true)
    #expect(schedule.mayClaim(0))
    schedule.forget(0)
    #expect(!schedule.mayClaim(0))
    #expect(schedule.claim(0, size: 8 * mebibyte, at: start) == true)
  }

  @Test func looksAreAQuarterOfASecondApart() {
    var schedule = CheckpointSchedule()
    #expect(schedule.isDue(at: start))
    schedule.looked(at: start, isTransferring: true)
    #expect(!schedule.isDue(at: start + .milliseconds(249)))
    #expect(schedule.isDue(at: start + .milliseconds(250)))
    schedule.looked(at: start, isTransferring: false)
    #expect(schedule.nextLook == nil)
  }

  private func facts(inode: UInt64, size: Int64, _ kind: FileFacts.Kind = .regular) -> FileFacts {
    FileFacts(
      kind: kind, device: 1, inode: inode, size: size, modificationNanoseconds: 0, mode: 0o644)
  }

  @Test func aCheckpointSpeaksForTheSameFileWhileItIsLongEnough() {
    let checkpoint = Checkpoint(
      url: "u", path: "/p", inode: 7, durableBytes: 10, total: nil, validator: Validator())
    #expect(checkpoint.speaks(for: facts(inode: 7, size: 10)))
    #expect(checkpoint.speaks(for: facts(inode: 7, size: 11)))
    #expect(!checkpoint.speaks(for: facts(inode: 7, size: 9)))
    #expect(!checkpoint.speaks(for: facts(inode: 8, size: 10)))
    #expect(!checkpoint.speaks(for: facts(inode: 7, size: 10, .symbolicLink)))
    #expect(!checkpoint.speaks(for: nil))
  }

  @Test func rangesBeyondTheStartCountToo() {
    var checkpoint = Checkpoint(
      url: "u", path: "/p", inode: 7, durableBytes: 10, total: 100,
      validator: Validator(etag: "\"e\""))
    checkpoint.beyond = ByteRanges([20..<30])
    func part(_ size: Int64) -> FileFacts {
      FileFacts(
        kind: .regular, device: 1, inode: 7, size: size, modificationNanoseconds: 0, mode: 0o600)
    }
    #expect(checkpoint.speaks(for: part(30)))
    #expect(!checkpoint.speaks(for: part(29)))
    #expect(checkpoint.durable == ByteRanges([0..<10, 20..<30]))
    #expect(checkpoint.usableBeyond == checkpoint.beyond)
    // A shorter file, one of unknown length, and a date alone: only the start is built on.
    checkpoint.total = 29
    #expect(checkpoint.usableBeyond.isEmpty)
    checkpoint.total = nil
    #expect(checkpoint.usableBeyond.isEmpty)
    (checkpoint.total, checkpoint.validator) = (100, Validator(lastModified: "Mon"))
    #expect(checkpoint.usableBeyond.isEmpty)
    // What a damaged state may hold.
    checkpoint.durableBytes = -1
    #expect(checkpoint.durable == checkpoint.beyond)
  }

  @Test func anIntentIsCommittedWhenTheTargetIsThePartFile() {
    let file = CommittedFile(
      url: "u", path: "/t", inode: 7, size: 10, modificationNanoseconds: 0,
      validator: Validator(), sha256: nil)
    let intent = CommitIntent(task: "a", file: file)
    #expect(intent.isCommitted(at: facts(inode: 7, size: 10)))
    #expect(!intent.isCommitted(at: facts(inode: 7, size: 11)))
    #expect(!intent.isCommitted(at: facts(inode: 8, size: 10)))
    #expect(!intent.isCommitted(at: facts(inode: 7, size: 10, .folder)))
    #expect(!intent.isCommitted(at: nil))
  }
}

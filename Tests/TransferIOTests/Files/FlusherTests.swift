import Glibc
import Testing
import TransferCore

@testable import TransferIO

struct FlusherTests {
  let temporary = TemporaryFolder()

  private func file(_ name: String) -> FlushBatch.File {
    TestFile.write("data", to: temporary / name)
    return FlushBatch.File(descriptor: open(temporary / name, O_RDWR), device: 1)
  }

  private func closing(_ files: [FlushBatch.File]) {
    for file in files { close(file.descriptor) }
  }

  /// One byte a batch that is done.
  private func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    Glibc.pipe(&ends)
    return (ends[0], ends[1])
  }

  @Test(arguments: [1, 7, 8, 40])
  func batchesAreDoneInOrderAndTold(count: Int) throws {
    let ends = pipe()
    let write = ends.write
    let flusher = try Flusher(wake: { _ = Glibc.write(write, "x", 1) })
    let files = (0..<count).map { file("\($0)") }
    let folder = open(temporary.path, O_RDONLY | O_DIRECTORY)
    for id in 1...3 {
      var batch = FlushBatch(id: UInt64(id))
      batch.files = files
      batch.folders = [folder]
      batch.logs = [files[0].descriptor]
      flusher.submit(batch)
    }
    #expect(flusher.pending == 3)
    var results: [FlushResult] = []
    while results.count < 3 {
      var byte: UInt8 = 0
      #expect(read(ends.read, &byte, 1) == 1)
      results += flusher.collect()
    }
    #expect(results.map(\.id) == [1, 2, 3])
    #expect(results.allSatisfy { $0.failed.isEmpty })
    #expect(flusher.pending == 0 && flusher.collect().isEmpty)
    closing(files)
    for descriptor in [folder, ends.read, ends.write] { close(descriptor) }
  }

  @Test func drainWaitsForAll() throws {
    let flusher = try Flusher(wake: {})
    let one = file("one")
    for id in 1...20 {
      var batch = FlushBatch(id: UInt64(id))
      batch.files = [one]
      flusher.submit(batch)
    }
    #expect(flusher.drain().map(\.id) == Array(1...20))
    #expect(flusher.drain().isEmpty)
    closing([one])
  }

  @Test func whatFailedIsNamedAndNothingIsClaimedOverIt() {
    let good = file("good")
    var batch = FlushBatch(id: 1)
    // No descriptor of this process.
    batch.files = [good, FlushBatch.File(descriptor: 1_000_000, device: 1)]
    batch.logs = [good.descriptor]
    let result = FlushWork.perform(batch)
    #expect(result.failed == [1_000_000: EBADF, good.descriptor: ECANCELED])
    closing([good])
  }

  @Test func aDeviceIsNoFailure() {
    let null = open("/dev/null", O_WRONLY)
    var batch = FlushBatch(id: 1)
    batch.logs = [null]
    #expect(FlushWork.perform(batch).failed.isEmpty)
    close(null)
  }

  @Test func theWriteAheadLogIsWorkedIn() throws {
    let samples = StateSamples()
    let store = try samples.open()
    try samples.begun("r1", store)
    for index in 0..<500 {
      try store.put(StateSamples.file(), task: "task-\(index)")
      try store.add(
        StateSamples.result(.done), task: "t", line: [UInt8](repeating: 0x20, count: 4_000))
    }
    try store.commit()
    let before = try #require(TestFile.size(samples.folder.database))
    var batch = FlushBatch(id: 1)
    batch.checkpoint = samples.folder.database
    #expect(FlushWork.perform(batch).failed.isEmpty)
    #expect(try #require(TestFile.size(samples.folder.database)) > before + 1_000_000)
    try store.put(StateSamples.file(), task: "after")
    try store.commit()
    #expect(try samples.open().committedFile("after") != nil)
  }
}

/// The way without openat2.
struct FolderOpeningTests {
  let temporary = TemporaryFolder()

  private func opened(_ path: String) throws -> Bool {
    let base = open(temporary.path, O_RDONLY | O_DIRECTORY)
    defer { close(base) }
    var opening = FolderOpening.segments
    let descriptor = try opening.open(path, beneath: base, path)
    return close(descriptor) == 0
  }

  @Test func plainFoldersOpen() throws {
    mkdir(temporary / "a", 0o755)
    mkdir(temporary / "a/b", 0o755)
    #expect(try opened("a/b"))
    #expect(try opened("a/./b"))
  }

  @Test(arguments: ["link", "a/link/b", "a/../..", "missing/b", "file/b"])
  func nothingLeadsOut(path: String) {
    mkdir(temporary / "a", 0o755)
    symlink("/", temporary / "link")
    symlink("/", temporary / "a/link")
    TestFile.write("", to: temporary / "file")
    #expect(throws: FileError.self) { try opened(path) }
  }
}

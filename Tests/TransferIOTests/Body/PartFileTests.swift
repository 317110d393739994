import Glibc
import Testing
import TransferCore

@testable import TransferIO

@Suite struct PartFileTests {
  @Test func bytesAreAppendedWhereTheCutLeftOff() throws {
    let bench = try EngineBench()
    let part = try bench.part()
    try part.write(([1, 2, 3, 4] as [UInt8]).span.bytes)
    #expect(part.size == 4)
    try part.truncate(to: 2)
    #expect(part.written == ByteRanges([0..<2]))
    try part.write(([9] as [UInt8]).span.bytes)
    #expect(bench.contents("part") == [1, 2, 9])
    #expect(part.size == 3)
  }

  @Test func rangesAreWrittenWhereTheyBelong() throws {
    let bench = try EngineBench()
    let part = try bench.part()
    try part.write(([1, 2] as [UInt8]).span.bytes, at: 0)
    try part.write(([7, 8] as [UInt8]).span.bytes, at: 6)
    #expect(part.written == ByteRanges([0..<2, 6..<8]))
    #expect(part.size == 8)
    try part.write(([3, 4, 5, 6] as [UInt8]).span.bytes, at: 2)
    #expect(part.written == ByteRanges([0..<8]))
    #expect(bench.contents("part") == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func whatIsKnownIsKeptAndTheRestIsNot() throws {
    let bench = try EngineBench()
    try bench.file("part", [1, 2, 3, 4, 5, 6])
    let part = try bench.part()
    #expect(part.written.isEmpty)
    #expect(throws: FileError.self) { try part.keep(upTo: 1, and: ByteRanges([6..<9])) }
    #expect(throws: FileError.self) { try part.keep(upTo: 7, and: ByteRanges()) }
    try part.keep(upTo: 1, and: ByteRanges([3..<5]))
    #expect(part.written == ByteRanges([0..<1, 3..<5]))
    #expect(part.size == 5)
    try part.keep(upTo: 1, and: ByteRanges())
    #expect(bench.contents("part") == [1])
  }

  /// Whoever claims what was there before must see that it is other bytes now.
  @Test func aFileThatIsBegunIsMarkedAnew() throws {
    // Memory file systems of some kernels keep no attributes: on the disk, then.
    let folder = ".build/marks-\(getpid())"
    mkdir(folder, 0o700)
    defer {
      unlink(folder + "/part")
      rmdir(folder)
    }
    func begun() throws -> UInt64? {
      let part = try PartFile(path: folder + "/part")
      try part.keep(upTo: 0, and: ByteRanges())
      try part.write(([1, 2] as [UInt8]).span.bytes)
      #expect(PartMark.read(folder + "/part") == part.mark)
      return part.mark
    }
    let first = try #require(try begun())
    func goneOnWith() throws -> UInt64? {
      let part = try PartFile(path: folder + "/part")
      try part.keep(upTo: 1, and: ByteRanges())
      return part.mark
    }
    #expect(try goneOnWith() == first)
    let second = try #require(try begun())
    #expect(second != first)
  }

  @Test func anExistingFileKeepsItsBytesAndInode() throws {
    let bench = try EngineBench()
    try bench.file("part", [1, 2])
    let inode = try bench.part().inode
    let part = try bench.part()
    #expect(part.inode == inode)
    #expect(part.size == 2)
  }

  @Test func aNewFileIsPrivate() throws {
    let bench = try EngineBench()
    let part = try bench.part()
    var facts = stat()
    #expect(fstat(part.descriptor, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
  }

  @Test func asLongAsOneHoldsItAnotherIsTurnedAway() throws {
    let bench = try EngineBench()
    var first: PartFile? = try bench.part()
    #expect(first != nil)
    let error = #expect(throws: FileError.self) { _ = try bench.part() }
    #expect(error?.failure.kind == .collision)
    first = nil
    _ = try bench.part()
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let bench = try EngineBench()
    try bench.file("real", [1])
    #expect(symlink(bench.path("real"), bench.path("part")) == 0)
    let error = #expect(throws: FileError.self) { _ = try bench.part() }
    #expect(error?.cause == .system(ELOOP))
    #expect(error?.failure.kind == .localFile)
  }

  @Test func whatIsNoRegularFileIsRefused() throws {
    let bench = try EngineBench()
    #expect(mkfifo(bench.path("part"), 0o600) == 0)
    let error = #expect(throws: FileError.self) { _ = try bench.part() }
    #expect(error?.cause == .notRegular)
  }

  @Test func aFolderThatIsGoneSaysSo() throws {
    let error = #expect(throws: FileError.self) { _ = try PartFile(path: "/nowhere/at/all") }
    #expect(error?.failure.detail == "can't open /nowhere/at/all: No such file or directory")
  }

  @Test func roomIsTakenAndTheSizeStaysTrue() throws {
    let bench = try EngineBench()
    let part = try bench.part()
    try part.reserve(2 * 1_048_576)
    var facts = stat()
    #expect(fstat(part.descriptor, &facts) == 0)
    #expect(facts.st_size == 0)
    #expect(facts.st_blocks * 512 >= 2 * 1_048_576)
  }

  @Test func aFullDiskIsTheMachinesFault() throws {
    let bench = try EngineBench()
    let part = try bench.part()
    // More than any file may have.
    let error = #expect(throws: FileError.self) { try part.reserve(.max / 2) }
    #expect(error != nil)
    #expect(FileError(.system(ENOSPC), "write to", "x").failure.kind == .disk)
    #expect(FileError(.system(EDQUOT), "write to", "x").failure.kind == .disk)
    #expect(FileError(.system(EIO), "write to", "x").failure.kind == .disk)
    #expect(FileError(.system(EACCES), "write to", "x").failure.kind == .localFile)
  }

  @Test func aFailedWriteOutranksWhatLibcurlMakesOfIt() throws {
    let bench = try EngineBench()
    let origin = try Origin { _ in .answer(200, body: [UInt8](repeating: 1, count: 100_000)) }
    let part = try bench.part()
    // A descriptor that can't be written to stands in for a disk that fails.
    let readOnly = open(bench.path("part"), O_RDONLY)
    #expect(dup2(readOnly, part.descriptor) == part.descriptor)
    close(readOnly)
    let report = try bench.fetch(.download(origin.url()), part: part)
    #expect(report.failure?.kind == .localFile)
    #expect(report.failure?.detail.hasPrefix("can't write to") == true)
    #expect(report.failure?.curlCode == nil)
  }
}

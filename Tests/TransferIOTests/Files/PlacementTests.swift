import Glibc
import Testing
import TransferCore
import TransferIO

struct PlacementTests {
  let temporary = TemporaryFolder()
  let folder: TargetFolder
  private var target: String { temporary / "target" }

  init() throws {
    folder = try TargetFolders(root: temporary.path).folder(of: temporary / "target").folder
  }

  private func finished(mode: UInt32? = nil, modified: Int64? = nil) throws -> FileFacts {
    TestFile.write("whole", to: temporary / "part", mode: 0o600)
    let file = open(temporary / "part", O_RDWR)
    defer { close(file) }
    return try Placement.finish(
      descriptor: file, mode: mode, modified: modified, path: temporary / "part")
  }

  @Test func modeAndTimeAreSet() throws {
    let facts = try finished(mode: 0o640, modified: 1_000_000_000)
    #expect(facts.mode == 0o640 && facts.size == 5)
    #expect(facts.modificationNanoseconds == 1_000_000_000_000_000_000)
    #expect(try FileFacts.read(temporary / "part") == facts)
    #expect(try finished().mode & ~0o644 == 0)
    #expect(try finished().mode & 0o600 == 0o600)
  }

  @Test func aTimePast2262IsSetAndHeld() throws {
    // Fri, 31 Dec 9999 23:59:59 GMT: more nanoseconds than Int64 holds.
    let facts = try finished(modified: 253_402_300_799)
    #expect(facts.modificationNanoseconds > 0)
    #expect(try FileFacts.read(temporary / "part") == facts)
  }

  @Test func theTargetIsReplaced() throws {
    TestFile.write("old", to: target)
    let facts = try finished()
    try Placement.put("part", as: "target", in: folder, expected: facts, replaces: true)
    #expect(TestFile.text(target) == "whole")
    #expect(try FileFacts.read(target)?.inode == facts.inode)
    #expect(try FileFacts.read(temporary / "part") == nil)
  }

  @Test func aLinkAtTheTargetIsReplacedAndNotFollowed() throws {
    TestFile.write("other", to: temporary / "other")
    symlink("other", target)
    try Placement.put("part", as: "target", in: folder, expected: finished(), replaces: true)
    #expect(TestFile.text(temporary / "other") == "other")
    #expect(try FileFacts.read(target)?.kind == .regular)
  }

  @Test func anExistingFileIsLeftAloneWhereAsked() throws {
    TestFile.write("old", to: target)
    let facts = try finished()
    let error = #expect(throws: FileError.self) {
      try Placement.put("part", as: "target", in: folder, expected: facts, replaces: false)
    }
    #expect(error?.cause == .system(EEXIST))
    #expect(TestFile.text(target) == "old")
    #expect(TestFile.text(temporary / "part") == "whole")
    unlink(target)
    try Placement.put("part", as: "target", in: folder, expected: facts, replaces: false)
    #expect(TestFile.text(target) == "whole")
  }

  @Test func aFolderInTheTargetsPlaceFails() throws {
    mkdir(target, 0o755)
    let facts = try finished()
    let error = #expect(throws: FileError.self) {
      try Placement.put("part", as: "target", in: folder, expected: facts, replaces: true)
    }
    #expect(error?.failure.kind == .localFile)
  }

  @Test func anotherFileUnderThePartsNameIsNotPutInPlace() throws {
    TestFile.write("old", to: target)
    let facts = try finished()
    TestFile.write("x", to: temporary / "impostor")
    rename(temporary / "impostor", temporary / "part")
    #expect(throws: FileError.self) {
      try Placement.put("part", as: "target", in: folder, expected: facts, replaces: true)
    }
    #expect(TestFile.text(target) == "old")
  }

  @Test func removingAPartThatIsGoneIsNoError() throws {
    _ = try finished()
    try Placement.remove("part", in: folder)
    try Placement.remove("part", in: folder)
    #expect(TestFile.names(in: temporary.path) == [])
  }

  @Test func factsOfNothingAndOfALink() throws {
    #expect(try FileFacts.read(temporary / "none") == nil)
    #expect(try FileFacts.read(temporary / "none/below") == nil)
    symlink("nowhere", temporary / "link")
    #expect(try FileFacts.read(temporary / "link")?.kind == .symbolicLink)
    #expect(try FileFacts.read(temporary.path)?.kind == .folder)
  }
}

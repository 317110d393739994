import Glibc
import Testing
import TransferCore
import TransferIO

struct TargetFoldersTests {
  let temporary = TemporaryFolder()
  private var root: String { temporary / "root" }

  init() { mkdir(temporary / "root", 0o755) }

  private func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  @Test func missingFoldersAreMade() throws {
    let folders = TargetFolders(root: root)
    let (folder, name) = try folders.folder(of: root + "/a/b/c.iso")
    #expect(name == "c.iso" && folder.path == root + "/a/b")
    #expect(isFolder(root + "/a/b"))
    #expect(folders.takeChanged().map(\.path) == [root, root + "/a"])
    #expect(folders.takeChanged().isEmpty)
  }

  @Test func aFolderIsOpenedOnce() throws {
    let folders = TargetFolders(root: root)
    let first = try folders.folder(of: root + "/a/1").folder
    #expect(try folders.folder(of: root + "/a/2").folder === first)
    #expect(try folders.folder(of: root + "/3").folder.path == root)
  }

  @Test func aFolderThatWasMovedAwayIsMadeAnew() throws {
    let folders = TargetFolders(root: root)
    let first = try folders.folder(of: root + "/a/1").folder
    rename(root + "/a", root + "/b")
    let second = try folders.folder(of: root + "/a/1").folder
    #expect(second !== first)
    #expect(isFolder(root + "/a"))
  }

  @Test(arguments: ["/outside", "../outside"])
  func noLinkLeadsOutOfRoot(target: String) throws {
    mkdir(temporary / "outside", 0o755)
    symlink(target == "/outside" ? temporary / "outside" : target, root + "/link")
    let failure = #expect(throws: TransferFailure.self) {
      try TargetFolders(root: root).folder(of: root + "/link/deep/file")
    }
    #expect(failure?.kind == .localFile)
    #expect(failure?.detail.contains("symbolic link") == true)
    #expect(TestFile.names(in: temporary / "outside") == [])
  }

  @Test func aLinkThatAppearsLaterIsNotFollowedEither() throws {
    mkdir(temporary / "outside", 0o755)
    let folders = TargetFolders(root: root)
    _ = try folders.folder(of: root + "/a/1")
    rename(root + "/a", root + "/b")
    symlink(temporary / "outside", root + "/a")
    #expect(throws: TransferFailure.self) { try folders.folder(of: root + "/a/1") }
  }

  @Test func aLinkInsideRootIsFollowed() throws {
    mkdir(root + "/real", 0o755)
    symlink("real", root + "/link")
    let (folder, _) = try TargetFolders(root: root).folder(of: root + "/link/file")
    #expect(folder.device != 0)
  }

  @Test func rootItselfMayBeALink() throws {
    symlink(root, temporary / "alias")
    _ = try TargetFolders(root: temporary / "alias").folder(of: temporary / "alias/a/file")
    #expect(isFolder(root + "/a"))
  }

  @Test func anAbsolutePathElsewhereIsTaken() throws {
    mkdir(temporary / "outside", 0o755)
    symlink(temporary / "outside", temporary / "elsewhere")
    _ = try TargetFolders(root: root).folder(of: temporary / "elsewhere/a/file")
    #expect(isFolder(temporary / "outside/a"))
  }

  @Test func aFileInAFoldersPlaceFailsTheTask() throws {
    TestFile.write("", to: root + "/a")
    let failure = #expect(throws: TransferFailure.self) {
      try TargetFolders(root: root).folder(of: root + "/a/b/file")
    }
    #expect(failure?.kind == .localFile)
    #expect(failure?.detail.contains(root + "/a") == true)
  }

  @Test func manyFoldersDoNotUseUpDescriptors() throws {
    let folders = TargetFolders(root: root, limit: 4)
    for index in 0..<40 { _ = try folders.folder(of: root + "/d\(index)/file") }
    #expect(TestFile.names(in: root).count == 40)
  }

  @Test func partNamesAreStableAndDiffer() throws {
    let names = PartNames(job: "nightly")
    // printf 'nightly\0iso' | sha256sum
    #expect(names.name(ofTask: "iso") == ".jobrun-499355b203f8c185.part")
    #expect(names.name(ofTask: "iso") != PartNames(job: "nightl").name(ofTask: "yiso"))
  }
}

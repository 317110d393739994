import Foundation
import Testing
import TransferCore

@testable import TransferIO

@Suite struct TargetPartTests {
  private let temporary = TemporaryFolder()

  private let names = PartNames(job: "job")

  private func part(holding text: String? = nil) throws -> TargetPart {
    if let text { TestFile.write(text, to: temporary / names.name(ofTask: "task")) }
    return TargetPart(
      DownloadPlan(path: temporary / "target"), task: "task", names: names,
      folders: TargetFolders(root: temporary.path))
  }

  private func request(whole text: String) -> CommitRequest {
    CommitRequest(
      task: 0, url: "http://a/", validator: Validator(), sha256: nil, size: Int64(text.utf8.count),
      bytes: Array(text.utf8))
  }

  private var files: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    return all.filter { $0 != TargetClaims.fileName }.sorted()
  }

  private func request(size: Int64) -> CommitRequest {
    CommitRequest(
      task: 0, url: "http://a/", validator: Validator(), sha256: nil, size: size, bytes: nil)
  }

  /// A crash leaves bytes beyond those that were known to be on disk; 416 then says that the known
  /// ones are all.
  @Test func whatIsBeyondTheAnswersLengthIsCutOff() throws {
    let part = try part(holding: "whole and more")
    let file = try part.finish(request(size: 5))
    #expect(file.size == 5)
    try part.rename(replacing: true)
    #expect(TestFile.text(temporary / "target") == "whole")
  }

  @Test func aPartFileThatIsTooShortIsNeverPutInPlace() throws {
    let part = try part(holding: "who")
    #expect(throws: TransferFailure.self) { try part.finish(request(size: 5)) }
    #expect(TestFile.text(temporary / "target") == nil)
  }

  @Test func aWholeBodyHasNoNameBeforeItsTarget() throws {
    let part = try part()
    let file = try part.finish(request(whole: "whole"))
    #expect(files == [])
    try part.rename(replacing: false)
    #expect(files == ["target"] && TestFile.text(temporary / "target") == "whole")
    #expect(try FileFacts.read(temporary / "target")?.inode == file.inode)
  }

  @Test func aWholeBodyTakesAnOldFilesPlaceOnlyWhereItMay() throws {
    TestFile.write("old", to: temporary / "target")
    do {
      let refused = try part()
      _ = try refused.finish(request(whole: "whole"))
      #expect(throws: TransferFailure.self) { try refused.rename(replacing: false) }
      refused.discard()
    }
    #expect(files == ["target"] && TestFile.text(temporary / "target") == "old")
    let taken = try part()
    _ = try taken.finish(request(whole: "whole"))
    try taken.rename(replacing: true)
    #expect(files == ["target"] && TestFile.text(temporary / "target") == "whole")
  }

  /// Part files of a run that died are used up, and those of one that lives are not touched.
  @Test func aWholeBodyMindsThePartFileThatLiesThere() throws {
    let part = try part(holding: "longer than the rest")
    _ = try part.finish(request(whole: "whole"))
    try part.rename(replacing: true)
    #expect(files == ["target"] && TestFile.text(temporary / "target") == "whole")

    let other = try PartFile(path: temporary / names.name(ofTask: "task"))
    defer { withExtendedLifetime(other) {} }
    let late = try self.part()
    #expect { try late.finish(request(whole: "late")) } throws: {
      ($0 as? TransferFailure)?.kind == .collision
    }
  }

  /// A folder of many files isn't read: it is looked into for each name.
  @Test func thePartFileIsMindedInAFullFolderToo() throws {
    for number in 0...1_000 { TestFile.write("", to: temporary / "\(number)") }
    let part = try part(holding: "old")
    _ = try part.finish(request(whole: "whole"))
    try part.rename(replacing: true)
    #expect(TestFile.text(temporary / "target") == "whole")
    #expect(TestFile.text(temporary / names.name(ofTask: "task")) == nil)
  }

  /// Its folder was read before the other run came.
  @Test func aPartFileThatCameMeanwhileIsAnotherRuns() throws {
    TestFile.write("old", to: temporary / "target")
    let part = try part()
    _ = try part.finish(request(whole: "whole"))
    TestFile.write("other", to: temporary / names.name(ofTask: "task"))
    #expect { try part.rename(replacing: true) } throws: {
      ($0 as? TransferFailure)?.kind == .collision
    }
    #expect(TestFile.text(temporary / names.name(ofTask: "task")) == "other")
    #expect(TestFile.text(temporary / "target") == "old")
  }

  @Test func whereNoFileIsWithoutANameAPartFileServes() throws {
    let folders = TargetFolders(root: temporary.path)
    let path = temporary / "target"
    try folders.folder(of: path).folder.takesUnnamed = false
    let part = TargetPart(DownloadPlan(path: path), task: "task", names: names, folders: folders)
    _ = try part.finish(request(whole: "whole"))
    #expect(files == [names.name(ofTask: "task")])
    try part.rename(replacing: false)
    #expect(files == ["target"] && TestFile.text(path) == "whole")
  }
}

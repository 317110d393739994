import Testing
import TransferCore

@testable import TransferIO

@Suite struct TargetPartTests {
  private let temporary = TemporaryFolder()

  private func part(holding text: String) throws -> TargetPart {
    TestFile.write(text, to: temporary / ".part")
    return TargetPart(
      DownloadPlan(path: temporary / "target"), partName: ".part",
      folders: TargetFolders(root: temporary.path))
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
}

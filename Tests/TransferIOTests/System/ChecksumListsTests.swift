import Glibc
import Testing
import TransferCore
import TransferIO

struct ChecksumListsTests {
  private let scratch = TemporaryFolder()
  private let lists = ChecksumLists()
  private let one = String(repeating: "1a", count: 32)
  private let two = String(repeating: "2b", count: 32)

  private func complaint(
    _ target: String, _ list: String, _ algorithm: ChecksumAlgorithm? = nil
  ) -> String {
    do {
      return try lists.digest(of: target, in: list, algorithm: algorithm).1
    } catch {
      #expect(error.kind == .checksumList)
      return error.detail
    }
  }

  @Test func looksUpBeneathTheListsFolder() throws {
    let list = scratch.file("SHA256SUMS", "\(one)  a/x\n\(two)  b/x\n")
    let found = try lists.digest(of: "\(scratch.path)/b/x", in: list, algorithm: nil)
    #expect(found == (.sha256, two))
    #expect(complaint("/elsewhere/x", list).contains("lines 1 (a/x) and 2 (b/x)"))
  }

  @Test func looksUpByTheLastSegmentElsewhere() throws {
    let list = scratch.file("SHA256SUMS", "\(one)  a/x\n")
    #expect(try lists.digest(of: "/elsewhere/x", in: list, algorithm: .sha256) == (.sha256, one))
  }

  @Test func saysWhatIsWrongWithTheList() {
    let list = scratch.file("SHA256SUMS", "\(one)  x\n?\n\(two)  x\n\(one)  z\n")
    #expect(
      complaint("/y", list) == "\(list) doesn't list /y (3 lines are there; line 2 can't be read)")
    #expect(complaint("/x", list).contains("two digests for x, in lines 1 and 3"))
    #expect(complaint("/z", list, .sha512).contains("by sha256 and not by sha512"))
    #expect(
      complaint("/z", "\(scratch.path)/none").contains(
        "there is no checksum list \(scratch.path)/none"))
    #expect(complaint("/z", scratch.path).contains("is not a regular file"))
    #expect(complaint("/z", scratch.file("p", "<html>\n")).contains("is it a checksum list?"))
    #expect(complaint("/z", scratch.file("b", "BLAKE3 (z) = 00\n")).contains("by BLAKE3"))
  }

  @Test func aListOfMoreThanTheBoundIsRefused() {
    let list = scratch.file("SHA256SUMS", "")
    truncate(list, off_t(ChecksumLists.bound + 1))
    #expect(complaint("/z", list).contains("larger than 64 MiB"))
  }

  @Test func aListThatWasReplacedIsReadAnew() throws {
    let list = scratch.file("SHA256SUMS", "\(one)  x\n")
    #expect(try lists.digest(of: "/x", in: list, algorithm: nil) == (.sha256, one))
    let new = scratch.file("new", "\(two)  x\n")
    #expect(rename(new, list) == 0)
    #expect(try lists.digest(of: "/x", in: list, algorithm: nil) == (.sha256, two))
    remove(list)
    #expect(complaint("/x", list).contains("there is no checksum list"))
  }

  /// Linear look-ups would take minutes.
  @Test(.timeLimit(.minutes(1))) func manyLookUpsAreQuick() throws {
    var text = ""
    for number in 0..<30_000 { text += "\(one)  pool/\(number)/Packages\n" }
    let list = scratch.file("SHA256SUMS", text)
    for number in 0..<30_000 {
      let path = "\(scratch.path)/pool/\(number)/Packages"
      let found = try lists.digest(of: path, in: list, algorithm: nil)
      if found != (.sha256, one) { Issue.record("\(number)") }
    }
  }
}

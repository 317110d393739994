import Testing

@testable import TransferCore

@Suite struct DigestFieldTests {
  private static let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
  private static let hello64 = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="

  @Test(arguments: [
    "sha-256=:\(hello64):", " sha-256=:\(hello64): ", "sha-256=:\(hello64):;q=1",
    "md5=:XUFAKrxLKna5cZ2REBfFkg==:, sha-256=:\(hello64):",
    "sha-256=:\(hello64):,unknown=:AA==:", "sha-512=:AAAA:, sha-256=:\(hello64):",
    "sha-256=:AAAA:, sha-256=:\(hello64):",
  ])
  func theSHA256IsRead(_ field: String) {
    #expect(DigestField.proof(in: field) == .init(algorithm: .sha256, hex: Self.hello))
  }

  @Test func sha512ServesWhereThereIsNoOther() {
    let zeros = String(repeating: "A", count: 86) + "=="
    #expect(
      DigestField.proof(in: "sha-512=:\(zeros):")
        == .init(algorithm: .sha512, hex: String(repeating: "0", count: 128)))
  }

  @Test(arguments: [
    "", "sha-256", "sha-256=", "sha-256=\(hello64)", "sha-256=:\(hello64)", "sha-256=:AAAA:",
    "sha-256=:\(hello64.dropLast()):", "sha-256=:****:", "md5=:XUFAKrxLKna5cZ2REBfFkg==:",
    "sha-256=:\(hello64):,", "sha-256=:\(hello64): sha-512=:AA==:", "=:AA==:", ",", ":::",
    "SHA-256=:\(hello64):", "sha-256=:====:",
  ])
  func whatIsNoDigestIsNone(_ field: String) {
    #expect(DigestField.proof(in: field) == nil)
  }

  @Test func repeatedLinesAreOneList() throws {
    let raw =
      "HTTP/1.1 200 OK\r\nRepr-Digest: md5=:AA==:\r\nRepr-Digest: sha-256=:\(Self.hello64):\r\n"
    let head = try #require(ResponseHead(parsing: Array(raw.utf8)))
    #expect(head.reprProof?.hex == Self.hello)
    #expect(head.contentProof == nil)
  }
}

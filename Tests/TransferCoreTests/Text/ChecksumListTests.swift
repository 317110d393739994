import Testing
import TransferCore

struct ChecksumListTests {
  private static let one = String(repeating: "1a", count: 32)
  private static let two = String(repeating: "2b", count: 32)

  private func list(_ text: String, _ name: String = "SHA256SUMS") -> ChecksumList {
    ChecksumList(parsing: Array(text.utf8), fileName: name)
  }

  @Test(arguments: [
    "\(one)  a.deb\n", "\(one) *a.deb\n", "\(one) a.deb", "\(one)  ./a.deb\r\n",
    "\(one.uppercased())  a.deb\n", "SHA256 (a.deb) = \(one)\n", "SHA2-256 (a.deb) = \(one)\r\n",
    "SHA256(a.deb)= \(one)\n", "\u{FEFF}\(one)  a.deb\n",
    "# a.deb: 12 bytes\n\n\(one)  a.deb\n\n", "\\\(one)  a.deb",
  ])
  func readsEachForm(text: String) {
    let list = list(text)
    #expect(list.answer(for: "a.deb", algorithm: nil) == .found(.sha256, Self.one))
    #expect(list.unreadable.count == 0)
  }

  @Test(arguments: [
    ("\\\(one)  a\\\\b\\nc\\rd", "a\\b\nc\rd"), ("\\SHA256 (a\\\\b) = \(one)", "a\\b"),
    ("\(one)  a\\b", "a\\b"), ("\(one)   a", " a"), ("\(one)  *a", "*a"),
    ("SHA256 (a) = (b) = \(one)", "a) = (b"), ("\(one)  a (1) = 2", "a (1) = 2"),
  ])
  func readsOddNames(text: String, name: String) {
    #expect(list(text).lines.map(\.name) == [name])
  }

  @Test(arguments: [
    (32, ChecksumAlgorithm.md5), (40, .sha1), (56, .sha224), (64, .sha256), (96, .sha384),
    (128, .sha512),
  ])
  func theLengthTellsTheAlgorithm(digits: Int, algorithm: ChecksumAlgorithm) {
    let digest = String(repeating: "c", count: digits)
    let list = list("\(digest)  a", "sums.txt")
    #expect(list.answer(for: "a", algorithm: nil) == .found(algorithm, digest))
    #expect(list.answer(for: "a", algorithm: algorithm) == .found(algorithm, digest))
  }

  @Test(arguments: [
    "\(one.dropLast())  a", "\(one)x  a", "hello", "<html>", "SHA256 (a) = \(one)00",
    "SHA256 (a) \(one)", "SHA512 (a) = \(one)", "\\\(one)  a\\q", "SHA256 () = \(one)", one,
    "\(one)  ", "\(one)  -",
  ])
  func saysWhichLineItCouldNotRead(text: String) {
    let list = list("\(Self.two)  b\n\(text)\n?\n")
    #expect(list.lines.map(\.name) == ["b"])
    #expect(list.unreadable == (2, 2))
    #expect(list.answer(for: "a", algorithm: nil) == .notListed)
  }

  @Test func thePathFromTheListsFolderIsTaken() {
    let list = list("\(Self.one)  main/Packages\n\(Self.two)  contrib/Packages\n")
    #expect(list.answer(for: "main/Packages", algorithm: nil) == .found(.sha256, Self.one))
    #expect(list.answer(for: "./contrib//Packages", algorithm: nil) == .found(.sha256, Self.two))
  }

  @Test func elseTheLastSegmentIfItIsNotAmbiguous() {
    let list = list(
      "\(Self.one)  x/a\n\(Self.two)  y/a\n\(Self.two)  x/b\n\(Self.one)  v/c\n\(Self.one)  w/c\n")
    guard case .ambiguous(let first, let second) = list.answer(for: "z/a", algorithm: nil) else {
      Issue.record("not ambiguous")
      return
    }
    #expect([first.number, second.number] == [1, 2])
    #expect(list.answer(for: "/elsewhere/b", algorithm: nil) == .found(.sha256, Self.two))
    #expect(list.answer(for: "c", algorithm: nil) == .found(.sha256, Self.one))
    #expect(list.answer(for: "x", algorithm: nil) == .notListed)
  }

  @Test func aFileListedTwiceMustAgreeWithItself() {
    let list = list("\(Self.one)  a\n\(Self.one)  a\n\(Self.one)  b\n\(Self.two)  b\n")
    #expect(list.answer(for: "a", algorithm: nil) == .found(.sha256, Self.one))
    guard case .ambiguous = list.answer(for: "b", algorithm: nil) else {
      Issue.record("not ambiguous")
      return
    }
  }

  @Test func theStrongestIsTakenUnlessOneIsNamed() {
    let md5 = String(repeating: "0", count: 32)
    let sha512 = String(repeating: "5", count: 128)
    let list = list("MD5 (a) = \(md5)\nSHA512 (a) = \(sha512)\nSHA256 (a) = \(Self.one)\n", "SUMS")
    #expect(list.answer(for: "a", algorithm: nil) == .found(.sha512, sha512))
    #expect(list.answer(for: "a", algorithm: .sha256) == .found(.sha256, Self.one))
    #expect(list.answer(for: "a", algorithm: .md5) == .found(.md5, md5))
    #expect(list.answer(for: "a", algorithm: .sha1) == .otherAlgorithm(.md5))
  }

  @Test func anAlgorithmThatWeDontKnowIsNotTakenForOneThatWeDo() {
    let digest = String(repeating: "5", count: 128)
    #expect(
      list("BLAKE2b (a) = \(digest)").answer(for: "a", algorithm: nil)
        == .unknownAlgorithm("BLAKE2b"))
    let named = list("\(digest)  a", "B2SUMS.b2sum")
    #expect(named.answer(for: "a", algorithm: nil) == .unknownAlgorithm("BLAKE2"))
    #expect(named.answer(for: "a", algorithm: .sha512) == .found(.sha512, digest))
    #expect(
      list("\(digest)  a", "sha3-512.txt").answer(for: "a", algorithm: nil)
        == .unknownAlgorithm("SHA-3"))
    #expect(
      list("\(digest)  a", "SHA384SUMS").answer(for: "a", algorithm: nil)
        == .found(.sha512, digest))
    #expect(
      list("SHA3-256 (a) = \(Self.one)").answer(for: "a", algorithm: nil)
        == .unknownAlgorithm("SHA3-256"))
  }

  @Test(arguments: [one, "\(one)\n", "\(one)  -\n", "\(one) \n"])
  func aDigestAloneSpeaksForTheFileThatTheListIsNamedAfter(text: String) {
    for name in ["a.tar.gz.sha256", "a.tar.gz.sha256sum"] {
      let list = list(text, name)
      #expect(list.answer(for: "x/a.tar.gz", algorithm: nil) == .found(.sha256, Self.one))
      #expect(list.answer(for: "b.tar.gz", algorithm: nil) == .notListed)
    }
  }

  @Test func aSignedListIsReadAsItStands() {
    let list = list(
      """
      -----BEGIN PGP SIGNED MESSAGE-----
      Hash: SHA256

      \(Self.one)  a
      -----BEGIN PGP SIGNATURE-----
      iQIzBAEBCAAdFiEE
      """)
    #expect(list.answer(for: "a", algorithm: nil) == .found(.sha256, Self.one))
    #expect(list.lines.count == 1)
  }
}

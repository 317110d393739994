import Testing
import TransferCore

@testable import TransferIO

@Suite struct DigestTests {
  /// Of `abc`, as FIPS 180-4 and RFC 1321 have them.
  private static let known: [(ChecksumAlgorithm, String)] = [
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7"
    ),
    (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
  ]

  @Test(arguments: known) func knownAnswers(algorithm: ChecksumAlgorithm, hex: String) throws {
    let methods = DigestMethods()
    for _ in 0..<2 {
      let digest = try methods.start(algorithm)
      digest.update([UInt8](arrayLiteral: 0x61).span.bytes)
      digest.update([UInt8]().span.bytes)
      digest.update([UInt8](arrayLiteral: 0x62, 0x63).span.bytes)
      #expect(digest.finish() == hex)
    }
  }

  @Test func aWholeFileInSeveralReads() throws {
    let bench = try EngineBench()
    let path = try bench.file("f", "abc".utf8)
    let wanted = Self.known.map(\.1)
    let found = try DigestMethods().hashFile(path, Self.known.map(\.0), buffer: 2)
    #expect(found == wanted)
  }

  @Test func aMissingFileIsALocalFault() throws {
    let failure = #expect(throws: TransferFailure.self) {
      _ = try DigestMethods().hashFile("/nowhere/at/all", [.sha256])
    }
    #expect(failure?.kind == .localFile)
  }
}

import Testing

/// A repository of real Debian packages behind a real nginx, mirrored by one job. Serialized: the
/// machine has a server and a runner going at once already.
@Suite(.serialized) struct MirrorTests {
  /// Made once; later runs of the tests find it there.
  static let packages: String = Clone.root + "/.build/fixtures/debian"

  init() throws {
    let made = try Clone.run("scripts/debian-mirror-fixture", [Self.packages])
    try #require(made.code == 0, "\(made.err)")
  }

  @Test(arguments: Mirror.Way.allCases)
  func copiesEveryByteAndTransfersNothingTwice(way: Mirror.Way) throws {
    let mirror = try Mirror(of: Self.packages, by: way)
    let count = mirror.names.count
    #expect(count > 100)

    let first = try mirror.run()
    #expect(first.code == 0, "\(first.err)")
    try mirror.expectIdentical()
    #expect(mirror.outcomes(after: 0) == ["done": count])
    let asked = mirror.origin.newRequests()
    #expect(asked.count == count)
    #expect(asked.allSatisfy { $0.status == 200 && $0.method == "GET" })
    let version = way == .http2 ? "HTTP/2.0" : "HTTP/1.1"
    #expect(asked.allSatisfy { $0.version == version })

    let seen = mirror.logLines.count
    let second = try mirror.run()
    #expect(second.code == 0, "\(second.err)")
    try mirror.expectIdentical()
    #expect(mirror.outcomes(after: seen) == ["unchanged": count])
    let askedAgain = mirror.origin.newRequests()
    #expect(askedAgain.map(\.bodyBytes).reduce(0, +) == 0)
    #expect(askedAgain.allSatisfy { $0.status == 304 })
  }

  /// A file that changed is fetched, the others stay.
  @Test func fetchesOnlyWhatChanged() throws {
    let mirror = try Mirror(of: Self.packages, by: .http)
    #expect(try mirror.run().code == 0)
    let changed = try #require(mirror.names.first)
    try mirror.folder.write("origin/" + changed, "another package altogether\n")
    try mirror.refreshSums()
    _ = mirror.origin.newRequests()

    let again = try mirror.run()
    #expect(again.code == 0, "\(again.err)")
    try mirror.expectIdentical()
    let whole = mirror.origin.newRequests().filter { $0.status == 200 }
    #expect(Set(whole.map(\.path)) == ["/SHA256SUMS", "/" + changed])
    #expect(whole.count == 2)
  }

  /// A file that isn't what its digest says never takes the place of the one that is.
  @Test func keepsTheOldFileWhenTheNewOneIsWrong() throws {
    let mirror = try Mirror(of: Self.packages, by: .http)
    #expect(try mirror.run().code == 0)
    let damaged = try #require(mirror.names.first)
    let target = mirror.folder.path + "/copy/" + damaged
    let before = try Clone.run("/usr/bin/sha256sum", [target])
    try mirror.folder.write("origin/" + damaged, "damaged\n")

    let again = try mirror.run()
    #expect(again.code == 1)
    #expect(again.err.contains(damaged), "\(again.err)")
    #expect(try Clone.run("/usr/bin/sha256sum", [target]).out == before.out)
    #expect(mirror.logLines.contains { $0.contains("digest_mismatch") })
    let leftOver = try Clone.files(below: mirror.folder.path + "/copy")
      .filter { $0.contains(".part") }
    #expect(leftOver == [])
  }
}

import Testing
import TransferCore

@Suite struct ChallengeTests {
  private func challenges(_ text: String) -> [String] {
    Challenge.parse(text).map { $0.scheme + ($0.realm.map { "=\($0)" } ?? "") }
  }

  @Test(arguments: [
    ("Basic realm=\"Files\"", ["basic=Files"]),
    ("Basic realm=Files, charset=\"UTF-8\"", ["basic=Files"]),
    ("basic REALM=\"a \\\"b\\\", c\"", ["basic=a \"b\", c"]),
    ("Negotiate", ["negotiate"]), ("Negotiate YIIabc==", ["negotiate"]),
    ("Negotiate, NTLM", ["negotiate", "ntlm"]),
    ("NTLM TlRMTVNTUAAC=, Basic realm=\"x\"", ["ntlm", "basic=x"]),
    (
      "Digest realm=\"r\", qop=\"auth, auth-int\", nonce=\"n,\", Basic realm = \"b\"",
      ["digest=r", "basic=b"]
    ),
    (
      "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
      ["newauth=apps", "basic=simple"]
    ),
    ("Digest nonce=\"n\", realm=\"late\"", ["digest=late"]),
    ("Basic realm=\"one\", realm=\"two\"", ["basic=one"]),
    (", ,Basic realm=\"x\",,", ["basic=x"]),
    ("Basic realm=\"\"", ["basic="]), ("", []), ("=", []), (",", []),
    ("Basic realm=\"cut", ["basic"]), ("Digest a=b, \u{7F}x", ["digest"]),
  ])
  func aFieldIsAListOfChallenges(text: String, wanted: [String]) {
    #expect(challenges(text) == wanted)
  }

  @Test func severalLinesAreOneList() throws {
    let raw =
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nX: y\r\n"
      + "www-authenticate: Basic realm=\"r\"\r\n\r\n"
    let head = try #require(ResponseHead(parsing: Array(raw.utf8)))
    #expect(
      Challenge.all(in: head) == [
        Challenge(scheme: "negotiate"), Challenge(scheme: "basic", realm: "r"),
      ])
  }

  @Test func aListWithoutEndIsCut() {
    #expect(Challenge.parse(String(repeating: "Basic, ", count: 1000)).count == 32)
  }
}

import JobSpec
import Testing

@Suite struct NearestNameTests {
  private static let names = [
    "session", "sessions", "download", "upload", "checksum", "max_errors", "max_bytes", "to",
    "timeout_for_request", "timeout_for_resource", "allows_cellular_access", "after", "id",
    "priority",
  ]

  @Test(arguments: [
    ("dowload", "download"), ("donwload", "download"), ("downloads", "download"),
    ("checksumm", "checksum"), ("chekcsum", "checksum"), ("maxErrors", "max_errors"),
    ("max-errors", "max_errors"), ("MaxBytes", "max_bytes"), ("max bytes", "max_bytes"),
    ("allowsCellularAccess", "allows_cellular_access"), ("sesion", "session"), ("ot", "to"),
    ("allows_cellular", "allows_cellular_access"), ("prio", "priority"), ("TO", "to"),
    ("Session", "session"), ("timeout_for_reqest", "timeout_for_request"),
  ])
  func slipsAreFound(wrong: String, right: String) {
    #expect(NearestName.suggestion(for: wrong, among: Self.names) == right)
  }

  @Test(arguments: ["", "x", "url", "timeout", "mode", "zz", "🎉", "downhill_racer", "if"])
  func whatIsFarFromAllIsNot(wrong: String) {
    #expect(NearestName.suggestion(for: wrong, among: Self.names) == nil)
  }

  @Test func theNearestWinsAndTheNameItselfIsNoSuggestion() {
    #expect(NearestName.suggestion(for: "sessionz", among: Self.names) == "session")
    #expect(NearestName.suggestion(for: "after", among: ["after"]) == nil)
    #expect(NearestName.suggestion(for: "retry", among: [String]()) == nil)
  }
}

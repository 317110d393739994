import Testing
import TransferCore

@Suite struct CredentialDecisionTests {
  private func candidate(
    _ method: CredentialPlan.Method, realm: String? = nil
  ) -> CredentialCandidate { candidate(0, method, realm: realm) }

  private func candidate(
    _ index: Int, _ method: CredentialPlan.Method, realm: String? = nil
  ) -> CredentialCandidate {
    CredentialCandidate(source: .session(0, index), method: method, realm: realm)
  }

  private func answer(
    _ field: String, _ candidates: [CredentialCandidate], tried: [CredentialGrant] = [],
    isSecure: Bool = true
  ) -> String? {
    CredentialDecision.answer(
      Challenge.parse(field), candidates, tried: tried, isSecure: isSecure
    ).map { grant in
      guard case .session(_, let index) = grant.source else { return "?" }
      return "\(index) \(grant.scheme.rawValue)"
    }
  }

  private func grant(_ index: Int, _ scheme: AuthScheme) -> CredentialGrant {
    CredentialGrant(source: .session(0, index), scheme: scheme)
  }

  @Test func aMethodThatIsSaidIsSentAtOnceUnlessARealmBindsIt() {
    for method in CredentialPlan.Method.allCases {
      let first = CredentialDecision.first(of: [candidate(method)])
      #expect(first?.scheme.rawValue == (method == .any ? nil : method.rawValue))
    }
    #expect(CredentialDecision.first(of: [candidate(.basic, realm: "r")]) == nil)
    // Which of the two it is for is known after the challenge alone.
    #expect(
      CredentialDecision.first(of: [candidate(0, .basic), candidate(1, .basic, realm: "r")]) == nil)
    #expect(CredentialDecision.first(of: []) == nil)
  }

  @Test(arguments: [
    ("Basic realm=\"r\", Digest realm=\"r\", Negotiate, NTLM", "0 negotiate"),
    ("Basic realm=\"r\", NTLM, Digest realm=\"r\"", "0 digest"),
    ("Basic realm=\"r\", NTLM", "0 ntlm"), ("Basic realm=\"r\"", "0 basic"),
    ("Bearer realm=\"r\"", nil), ("Hoba x", nil), ("", nil),
  ])
  func anyIsTheStrongestThatIsOffered(field: String, wanted: String?) {
    #expect(answer(field, [candidate(.any)]) == wanted)
  }

  @Test func basicIsNotSentInClearWhereThereIsSomethingStronger() {
    #expect(answer("Basic realm=\"r\"", [candidate(.any)], isSecure: false) == "0 basic")
    let field = "Negotiate, Basic realm=\"r\""
    let tried = [grant(0, .negotiate)]
    #expect(answer(field, [candidate(.any)], isSecure: false) == "0 negotiate")
    #expect(answer(field, [candidate(.any)], tried: tried, isSecure: false) == nil)
    #expect(answer(field, [candidate(.any)], tried: tried, isSecure: true) == "0 basic")
    // It is the author's word.
    #expect(answer(field, [candidate(.basic)], isSecure: false) == "0 basic")
  }

  @Test func nothingIsSentTwiceAndARefusedPasswordIsNotShownInAnotherWay() {
    let field = "Digest realm=\"r\", Basic realm=\"r\""
    #expect(answer(field, [candidate(.any)], tried: [grant(0, .digest)]) == nil)
    #expect(answer(field, [candidate(.basic)], tried: [grant(0, .basic)]) == nil)
    #expect(
      answer("Negotiate", [candidate(.negotiate)], tried: [grant(0, .negotiate)]) == nil)
  }

  private func verdict(
    _ candidates: [CredentialCandidate],
    expecting status: [TransferCore.Expectation.Status] = [.family(2)]
  ) throws -> HeadVerdict {
    var expect = TransferCore.Expectation()
    expect.status = status
    let request = TransferRequest(
      task: 0, session: 0, url: "https://h/", shownURL: "https://h/", method: "GET",
      headerLines: [], body: .none, condition: .none, sink: .memory(limit: 9), decodes: false,
      expect: expect, jobAskedPartial: false, allowsUnframed: true,
      timeoutForRequest: .seconds(1), minimumSpeed: nil, maxBytes: nil, followsRedirects: true)
    request.candidates = candidates
    let raw = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"r\"\r\n\r\n"
    return HeadDecision.decide(request, try #require(ResponseHead(parsing: Array(raw.utf8))))
  }

  /// As a redirect is followed before anything is expected of its end.
  @Test func aChallengeIsAnsweredBeforeItsStatusIsJudged() throws {
    let wanted = HeadVerdict.challenged(grant(0, .basic))
    #expect(try verdict([candidate(.any)]) == wanted)
    #expect(try verdict([candidate(.any)], expecting: [.any]) == wanted)
    #expect(try verdict([candidate(.digest)], expecting: [.exactly(401)]) == .keep(limit: 9))
    guard case .fail(let failure) = try verdict([candidate(.digest)]) else {
      Issue.record("a 401 was taken")
      return
    }
    #expect(failure.kind == .auth && failure.status == 401)
    #expect(failure.detail.contains("shown in another way"), "\(failure.detail)")
  }

  @Test func aRealmIsAnsweredByTheCredentialBoundToIt() {
    let both = [candidate(0, .basic), candidate(1, .basic, realm: "Files")]
    #expect(answer("Basic realm=\"Files\"", both) == "1 basic")
    #expect(answer("Basic realm=\"files\"", both) == "0 basic")
    #expect(answer("Basic realm=\"Other\"", [both[1]]) == nil)
    #expect(answer("Basic", [both[1]]) == nil)
    // The realm of one scheme says nothing of another's.
    let bound = [candidate(0, .any, realm: "d")]
    #expect(answer("Digest realm=\"d\", Basic realm=\"b\"", bound) == "0 digest")
    #expect(answer("Negotiate, Basic realm=\"d\"", bound) == "0 basic")
    #expect(answer("Negotiate, Basic realm=\"d\"", bound, isSecure: false) == nil)
  }
}

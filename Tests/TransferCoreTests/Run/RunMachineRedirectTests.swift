import Testing
import TransferCore

@Suite struct RunMachineRedirectTests {
  private let headers = [
    ResolvedHeaders.Field(name: "x-key", line: "X-Key: k", scope: .origin),
    ResolvedHeaders.Field(name: "accept", line: "Accept: a", scope: .any),
    ResolvedHeaders.Field(name: "content-type", line: "Content-Type: t", scope: .any),
  ]

  private func hop(
    _ status: Int, method: String = "GET", to location: String,
    policy: TransferPolicy = TransferPolicy()
  ) -> (told: [String], last: TransferRequest?) {
    var run = MachineScript([data("a", method: method)], policy: policy)
    run.play(.started)
    run.inspect(0, body: .bytes([1]), headers: headers)
    let told = run.answer(0, status, verdict: .redirect(location: location), to: location)
    return (told, run.requests.last)
  }

  @Test func originHeadersStayBehindWhenTheHostChanges() {
    let (told, last) = hop(302, to: "http://b.test/y")
    #expect(told == ["GET http://b.test/y"])
    #expect(last?.headerLines == ["Accept: a", "Content-Type: t"])
  }

  @Test func allHeadersGoOnWithinTheOrigin() {
    #expect(hop(302, to: "http://a.test/y").last?.headerLines.count == 3)
    // http to https on the same host with default ports is no change of origin.
    #expect(hop(301, to: "https://a.test/y").last?.headerLines.count == 3)
    #expect(hop(301, to: "http://a.test:81/y").last?.headerLines.count == 2)
  }

  @Test(arguments: [301, 302, 303]) func aPostBecomesAGetAndLosesItsBody(_ status: Int) {
    let (told, last) = hop(status, method: "POST", to: "http://a.test/y")
    #expect(told == ["GET http://a.test/y"])
    #expect(last?.headerLines == ["X-Key: k", "Accept: a"])
    if case .none? = last?.body {} else { Issue.record("the body went on") }
  }

  @Test(arguments: [307, 308]) func methodAndBodyStay(_ status: Int) {
    let (told, last) = hop(status, method: "POST", to: "http://a.test/y")
    #expect(told == ["POST http://a.test/y"])
    if case .bytes([1])? = last?.body {} else { Issue.record("the body stayed behind") }
  }

  @Test func aPutStaysAPutOn302ButNotOn303() {
    #expect(hop(302, method: "PUT", to: "http://a.test/y").told == ["PUT http://a.test/y"])
    #expect(hop(303, method: "PUT", to: "http://a.test/y").told == ["GET http://a.test/y"])
    #expect(hop(303, method: "HEAD", to: "http://a.test/y").told == ["HEAD http://a.test/y"])
  }

  @Test func refusedRedirectsFailTheTask() {
    #expect(hop(302, to: "file:///etc/passwd").told.first == "failed a redirect_refused")
    #expect(hop(302, to: "ftp://a.test/x").told.first == "failed a redirect_refused")
    var policy = TransferPolicy()
    policy.redirects.follow = .sameHost
    #expect(
      hop(302, to: "http://b.test/", policy: policy).told.first == "failed a redirect_refused")
    policy.redirects.max = 0
    #expect(hop(302, to: "http://a.test/", policy: policy).told.first == "failed a redirect_limit")
  }

  @Test func httpsToHttpIsRefusedUnlessAllowed() {
    let from = Origin(scheme: "https", host: "a", port: 443)
    let to = Origin(scheme: "http", host: "a", port: 80)
    var policy = RedirectPolicy()
    func decide() -> RedirectDecision {
      RedirectDecision.decide(
        status: 302, method: "GET", from: from, to: to, hops: 0, policy: policy)
    }
    if case .refuse(let failure) = decide() {
      #expect(failure.kind == .redirectRefused)
    } else {
      Issue.record("a downgrade was followed")
    }
    policy.allowDowngrade = true
    #expect(decide() == .follow(method: "GET", dropsBody: false, leavesOrigin: true))
  }

  /// A validator speaks for one address: the condition waits for the hop that leads there.
  @Test func aRefreshIsAskedOfItsOwnAddressAlone() {
    func hops(to location: String) -> [RequestCondition] {
      var run = MachineScript([download("a")])
      run.play(.started)
      run.inspect(0, .revalidate(Validator(etag: "\"1\""), at: "http://b.test/y"))
      _ = run.answer(0, 302, verdict: .redirect(location: location), to: location)
      return run.requests.map(\.condition)
    }
    let condition = RequestCondition.refresh(Validator(etag: "\"1\""))
    #expect(hops(to: "http://b.test/y") == [.none, condition])
    #expect(hops(to: "http://c.test/y") == [.none, .none])
  }

  /// A date alone proves nothing at another address; a strong ETag and the length do.
  @Test func aResumeByDateIsAskedOfItsOwnAddressAlone() {
    func hops(_ validator: Validator?) -> [Bool] {
      var run = MachineScript([download("a")])
      run.play(.started)
      run.inspect(0, .resume(from: 5, validator: validator, total: 10))
      _ = run.answer(
        0, 302, verdict: .redirect(location: "http://b.test/y"), to: "http://b.test/y")
      return run.requests.map { $0.condition != .none }
    }
    let date = Validator(
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: "Sun, 06 Nov 1994 09:49:37 GMT")
    #expect(hops(date) == [true, false])
    #expect(hops(Validator(etag: "\"1\"")) == [true, true])
    #expect(hops(nil) == [true, true])
  }
}

import Testing
import TransferCore

@Suite struct RunMachineCredentialTests {
  private func credential(
    _ host: String, _ method: CredentialPlan.Method = .any, realm: String? = nil
  ) -> CredentialPlan {
    let origin = Origin(scheme: "http", host: host, port: 80)
    var credential = CredentialPlan(space: ProtectionSpace(origin: origin, realm: realm))
    credential.method = method
    return credential
  }

  private func run(_ credentials: [CredentialPlan], _ tasks: [TaskPlan]) -> MachineScript {
    var session = SessionPlan(name: "default")
    session.credentials = credentials
    var run = MachineScript(tasks, session: session)
    run.play(.started)
    return run
  }

  private let basic = CredentialGrant(source: .session(0, 0), scheme: .basic)

  @Test func aChallengeIsAnsweredByAnotherRequestOfTheSameTry() {
    var run = run([credential("a.test")], [data("a", method: "POST")])
    run.inspect(0, body: .bytes([1]))
    #expect(run.requests.last?.grant == nil)
    #expect(run.requests.last?.candidates.count == 1)
    #expect(run.answer(0, 401, verdict: .challenged(basic), sent: 1) == ["POST http://a.test/a"])
    #expect(run.requests.last?.grant == basic)
    #expect(run.requests.last?.tried == [basic])
    // A POST that was only asked who it is from has done nothing: it may be repeated once more.
    run.breakOff(0, .connect)
    #expect(run.wakeAfter != nil)
    #expect(run.results.isEmpty)
  }

  @Test func eachTryBeginsWithoutWhatWasTried() {
    var run = run([credential("a.test")], [data("a")])
    run.inspect(0)
    run.answer(0, 401, verdict: .challenged(basic))
    run.breakOff(0, .timeout)
    run.play(.woke, after: .seconds(1))
    #expect(run.requests.last?.grant == nil)
    #expect(run.requests.last?.tried == [])
  }

  @Test func eachHopIsLookedAtAnew() {
    var run = run([credential("a.test", .basic), credential("b.test", .digest)], [data("a")])
    run.inspect(0)
    #expect(run.requests.last?.grant == basic)
    run.answer(0, 302, verdict: .redirect(location: "l"), to: "http://c.test/")
    #expect(run.requests.last?.grant == nil)
    #expect(run.requests.last?.candidates == [])
    #expect(run.requests.last?.showsIdentity == false)
    run.answer(0, 302, verdict: .redirect(location: "l"), to: "http://b.test/")
    #expect(run.requests.last?.grant?.scheme == .digest)
    run.answer(0, 302, verdict: .redirect(location: "l"), to: "http://a.test/")
    #expect(run.requests.last?.grant == basic)
    #expect(run.requests.last?.showsIdentity == false)
  }

  @Test func whatWasAcceptedGoesWithTheNextUntilItIsRefused() {
    func task(_ id: String, _ path: String) -> TaskPlan {
      var task = data(id)
      task.request.url = PlanText("http://a.test\(path)")
      return task
    }
    var settings = RunSettings()
    settings.maxParallel = 1
    var session = SessionPlan(name: "default")
    session.credentials = [credential("a.test")]
    var run = MachineScript(
      [task("a", "/x/a"), task("b", "/x/y/b?q=/z"), task("c", "/c"), task("d", "/x/d")],
      settings: settings, session: session)
    run.play(.started)
    run.inspect(0)
    run.answer(0, 401, verdict: .challenged(basic))
    run.answer(0, verdict: .keep(limit: 9))
    run.inspect(1)
    #expect(run.requests.last?.grant == basic)
    run.answer(1, 401, verdict: .fail(TransferFailure(.auth, "no", status: 401)))
    run.inspect(2)
    #expect(run.requests.last?.grant == nil)
    run.answer(2, verdict: .keep(limit: 9))
    run.inspect(3)
    #expect(run.requests.last?.grant == nil)
  }

  @Test func aHeaderOfTheJobsOwnTakesAllCredentialsPlace() {
    var run = run([credential("a.test", .basic)], [data("a")])
    run.inspect(
      0, headers: [.init(name: "authorization", line: "Authorization: x", scope: .origin)])
    #expect(run.requests.last?.candidates == [])
    run.answer(0, 302, verdict: .redirect(location: "l"), to: "http://a.test/y")
    #expect(run.requests.last?.grant == nil)
  }

  @Test func aNetrcsEntryComesAfterTheJobs() {
    var run = run([credential("b.test", .basic)], [data("a"), data("b")])
    var request = ResolvedRequest(
      addresses: [.init(url: "http://a.test/", shownURL: "s")], headers: ResolvedHeaders([]),
      body: .none, declared: [])
    request.netrc = Netrc(parsing: "machine a.test login x password y machine b.test login z")
    run.play(.inspected(task: 0, .ready(request, .fetch(reason: ""))))
    #expect(run.requests.last?.candidates.map(\.source) == [.netrc(session: 0, 0)])
    run.answer(0, 302, verdict: .redirect(location: "l"), to: "http://b.test/")
    #expect(run.requests.last?.candidates.map(\.source) == [.session(0, 0)])
  }
}

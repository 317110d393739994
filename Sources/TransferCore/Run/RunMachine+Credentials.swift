/// Credentials: which may go with a request, and what a challenge is answered with. Looked at anew
/// for each hop, by the protection space that the hop leads to.
extension RunMachine {
  /// From so many bytes of a body on it isn't sent before the server has said whether it wants
  /// credentials first.
  private static let waitsFrom: Int64 = 65_536

  /// Says which credentials are for the request's origin, and which goes with it.
  func authorize(_ request: TransferRequest, _ current: ActiveTask) {
    request.showsIdentity = !current.hasLeftOrigin
    let candidates = candidates(current)
    if candidates.isEmpty { return }
    if current.grant == nil {
      current.grant =
        proven.grant(for: current.url, among: candidates)
        ?? CredentialDecision.first(of: candidates)
      if let grant = current.grant { current.triedGrants.append(grant) }
    }
    request.candidates = candidates
    request.grant = current.grant
    request.tried = current.triedGrants
    let isOwn = request.headerLines.contains { $0.lowercased().hasPrefix("expect:") }
    if current.grant == nil, !current.omitsExpect, !isOwn, request.body.mayExceed(Self.waitsFrom) {
      request.headerLines.append("Expect: 100-continue")
    }
  }

  /// The credentials for the origin of the task's next request; none where the job sends a header
  /// of its own.
  private func candidates(_ current: ActiveTask) -> [CredentialCandidate] {
    let planned = plan.tasks[Int(current.task)]
    let netrc = current.request?.netrc
    guard
      netrc != nil || planned.credentials != nil
        || !plan.sessions[planned.session].credentials.isEmpty,
      let origin = Origin(url: current.url),
      !current.headerLines.contains(where: { $0.lowercased().hasPrefix("authorization") })
    else { return [] }
    return plan.candidates(
      for: origin, of: current.task, isOwn: current.list == nil, netrc: netrc,
      isNamed: !current.hasLeftOrigin)
  }

  /// 401 that a credential answers: the same request with it.
  mutating func challenged(_ task: Int32, _ grant: CredentialGrant, _ now: Instant) {
    active[task]?.grant = grant
    active[task]?.triedGrants.append(grant)
    requeue(task, now)
  }

  /// What a server did with the credential that a request carried.
  mutating func prove(_ current: ActiveTask, _ head: ResponseHead) {
    guard let grant = current.grant else { return }
    if head.status == 401 {
      proven.remove(grant, of: current.url)
    } else {
      proven.add(grant, of: current.url)
    }
  }
}

extension ActiveTask {
  /// The next request goes to another address, or begins anew.
  func forgetGrants() {
    grant = nil
    triedGrants = []
  }
}

extension RequestBody {
  /// Whether it may be longer than so many bytes.
  fileprivate func mayExceed(_ count: Int64) -> Bool {
    switch self {
    case .none: false
    case .bytes(let bytes): bytes.count > count
    case .file(_, let size): size > count
    case .form: true
    }
  }
}

/// Where credentials were accepted in this run: at an address and all that lies beside and beneath
/// it they are sent at once (RFC 7617, section 2.2), and not after a challenge each time.
struct ProvenSpaces {
  private var grants: [String: [CredentialGrant]] = [:]

  func grant(for url: String, among candidates: [CredentialCandidate]) -> CredentialGrant? {
    if grants.isEmpty { return nil }
    for folder in Self.folders(of: url) {
      let known = grants[folder]?.first { grant in
        candidates.contains { $0.source == grant.source }
      }
      if let known { return known }
    }
    return nil
  }

  mutating func add(_ grant: CredentialGrant, of url: String) {
    let folders = Self.folders(of: url)
    guard let folder = folders.first else { return }
    if folders.contains(where: { grants[$0]?.contains(grant) == true }) { return }
    grants[folder, default: []].append(grant)
  }

  mutating func remove(_ grant: CredentialGrant, of url: String) {
    if grants.isEmpty { return }
    for folder in Self.folders(of: url) { grants[folder]?.removeAll { $0 == grant } }
  }

  /// `https://host/a/b/c?d` gives `https://host/a/b/`, `https://host/a/`, `https://host/`.
  private static func folders(of url: String) -> [String] {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let start = path.firstRange(of: "://")?.upperBound else { return [] }
    let slashes = path[start...].indices.filter { path[$0] == "/" }
    if slashes.isEmpty { return [path + "/"] }
    return slashes.reversed().map { String(path[...$0]) }
  }
}

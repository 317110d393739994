extension Plan {
  /// The credentials that may go with a task's request to an origin: those of the job, and where it
  /// has none for it, the netrc file's.
  /// - Parameters:
  ///   - isOwn: the request is the task's own, and not its checksum list's, which is its session's.
  ///   - isNamed: the job names the address; no redirect led to it.
  package func candidates(
    for origin: Origin, of task: Int32, isOwn: Bool = true, netrc: Netrc?, isNamed: Bool
  ) -> [CredentialCandidate] {
    let session = tasks[Int(task)].session
    let own = isOwn ? tasks[Int(task)].credentials : nil
    let known = own ?? sessions[session].credentials
    let found = known.indices.filter { known[$0].space.origin == origin }
    if !found.isEmpty {
      return found.map { index in
        CredentialCandidate(
          source: own == nil ? .session(session, index) : .task(task, index),
          method: known[index].method, realm: known[index].space.realm)
      }
    }
    guard origin.scheme == "http" || origin.scheme == "https",
      let entry = netrc?.entry(for: origin.host, allowsDefault: isNamed)
    else { return [] }
    return [CredentialCandidate(source: .netrc(session: session, entry), method: .any)]
  }
}

extension RequestPlan {
  /// The job sends an Authorization header of its own, beside which no credential goes.
  package var hasOwnAuthorization: Bool {
    headers.contains { $0.name.lowercased() == "authorization" && $0.value != nil }
  }
}

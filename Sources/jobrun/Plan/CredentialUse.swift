import TransferCore
import TransferIO

/// A credential that a task's first request may carry: where it is from, and nothing of its value.
struct CredentialUse: Equatable {
  /// `session web`, `task publish`, `netrc /home/me/.netrc`.
  var source: String
  var method: String
  var realm: String?

  var words: String {
    let realm = realm.map { " for realm \"\($0)\"" } ?? ""
    return "\(source) says (\(method))\(realm)"
  }
}

extension PlanReport {
  /// Those for the origin that the task names, in the order in which they are looked at. Of a netrc
  /// file the machines' names are read, and no more.
  func credentials(_ planned: PlannedTask) -> [CredentialUse] {
    let task = spec(planned)
    guard let origin = Origin(url: task.request.shownURLs[planned.mirror]),
      !task.request.hasOwnAuthorization
    else { return [] }
    let candidates = plan.candidates(
      for: origin, of: planned.task, netrc: machines[task.session], isNamed: true)
    return candidates.map { candidate in
      CredentialUse(
        source: words(candidate.source), method: candidate.method.rawValue, realm: candidate.realm)
    }
  }

  private func words(_ source: CredentialCandidate.Source) -> String {
    switch source {
    case .session(let index, _): "session \(plan.sessions[index].name)"
    case .task(let index, _): "task \(plan.tasks[Int(index)].id)"
    case .netrc(let session, _):
      "netrc \(NetrcFile(plan.sessions[session].credentialStorage, variable)?.path ?? "file")"
    }
  }

  /// Of each session's netrc file, the machines.
  static func machines(
    of plan: Plan, _ variable: (String) -> String?
  ) -> [Netrc?] {
    var read: [String: Netrc?] = [:]
    return plan.sessions.map { session in
      guard let file = NetrcFile(session.credentialStorage, variable) else { return nil }
      if let known = read[file.path] { return known }
      let machines = file.machines
      read[file.path] = .some(machines)
      return machines
    }
  }
}

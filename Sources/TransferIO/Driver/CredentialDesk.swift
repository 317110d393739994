import Glibc
import TransferCore

/// The values of credentials: from the job, with its secrets, and from netrc files. Got when a
/// request that carries one is about to go out, and masked from then on.
final class CredentialDesk {
  /// The most bytes of a netrc file.
  private static let bound = 1 << 20

  private let plan: Plan
  private let secrets: SecretResolver
  private var files: [String: Result<Netrc?, TransferFailure>] = [:]
  /// Of sessions, whose tasks are many.
  private var known: [CredentialCandidate.Source: Values] = [:]
  /// Sessions whose key's file was looked at.
  private var lookedAt: Set<Int> = []

  private typealias Values = (user: String, password: String)

  init(plan: Plan, secrets: SecretResolver) {
    self.plan = plan
    self.secrets = secrets
  }

  /// Puts the values of a request's credential into it.
  /// - Throws: `.secret` when one can't be had; `.stopped` as `SecretResolver` does.
  func fill(_ request: TransferRequest) throws(TransferFailure) {
    if request.showsIdentity { warnOfKey(request.session) }
    guard let grant = request.grant else { return }
    let (user, password) = try values(of: grant.source)
    var credential = ResolvedCredential(scheme: grant.scheme, user: user, password: password)
    if let planned = planned(grant.source) {
      credential.region = planned.region ?? ""
      credential.service = planned.service
    }
    request.credential = credential
  }

  private func planned(_ source: CredentialCandidate.Source) -> CredentialPlan? {
    switch source {
    case .session(let session, let index): plan.sessions[session].credentials[index]
    case .task(let task, let index): plan.tasks[Int(task)].credentials?[index]
    case .netrc: nil
    }
  }

  private func values(
    of source: CredentialCandidate.Source
  ) throws(TransferFailure) -> Values {
    if let values = known[source] { return values }
    var values = Values(user: "", password: "")
    if case .netrc(let session, let index) = source, let netrc = try netrc(of: session) {
      values = (netrc.entries[index].login, netrc.entries[index].password)
    } else if let planned = planned(source) {
      values.user = try fill(planned.user)
      values.password = try fill(planned.password)
    }
    try check(values, planned(source)?.space.origin.host)
    secrets.cover(
      values.password.isEmpty ? [] : [values.password, "\(values.user):\(values.password)"])
    if case .task = source { return values }
    known[source] = values
    return values
  }

  private func fill(_ text: PlanText?) throws(TransferFailure) -> String {
    try text?.filled { name throws(TransferFailure) in try secrets.value(name) } ?? ""
  }

  /// A line break in a token would be a header of its own.
  private func check(_ values: Values, _ host: String?) throws(TransferFailure) {
    for text in [values.user, values.password]
    where text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw TransferFailure(
        .secret,
        "the credential for \(host ?? "a netrc entry") holds a line break or a control character: "
          + "store it without one")
    }
  }

  // MARK: netrc

  /// The netrc file of a session; nil when it uses none, or the user has none that can be read.
  /// - Throws: `.secret` when one that the job names can't be read.
  func netrc(of session: Int) throws(TransferFailure) -> Netrc? {
    guard let file = NetrcFile(plan.sessions[session].credentialStorage, secrets.variable) else {
      return nil
    }
    if let known = files[file.path] { return try known.get() }
    let read: Result<Netrc?, TransferFailure>
    do throws(TransferFailure) { read = .success(try self.read(file)) } catch {
      read = .failure(error)
    }
    files[file.path] = read
    return try read.get()
  }

  private func read(_ file: NetrcFile) throws(TransferFailure) -> Netrc? {
    do {
      let contents = try BoundedFile.read(file.path, bound: Self.bound)
      warnIfOpen(file.path, contents.mode, "the netrc file")
      return Netrc(parsing: String(decoding: contents.bytes, as: UTF8.self))
    } catch {
      let words: String
      switch error {
      case .failed(let error) where error.cause == .system(ENOENT) && file.isShared: return nil
      case .failed(let error): words = error.failure.detail
      case .tooLarge: words = "\(file.path) is larger than 1 MiB: is it the right file?"
      }
      if !file.isShared {
        throw TransferFailure(.secret, "the netrc file (credentials_storage): \(words)")
      }
      // Nobody has asked for it: most requests do without.
      secrets.warn("the netrc file isn't used: \(words); credentials_storage: none does without")
      return nil
    }
  }

  private func warnIfOpen(_ path: String, _ mode: UInt32, _ what: String) {
    if mode & 0o044 == 0 { return }
    secrets.warn(
      "\(what): others can read \(path) (mode 0\(String(mode, radix: 8))): chmod 600 \(path)")
  }

  private func warnOfKey(_ session: Int) {
    guard let path = plan.sessions[session].clientKey ?? plan.sessions[session].clientCertificate,
      lookedAt.insert(session).inserted
    else { return }
    var facts = stat()
    // One that isn't there is told by the handshake.
    if unsafe stat(path, &facts) != 0 { return }
    warnIfOpen(path, UInt32(facts.st_mode & 0o7777), "the client's key")
  }
}

/// Which netrc file a session uses.
package struct NetrcFile {
  package let path: String
  /// The user's own, which needs not be there.
  package let isShared: Bool

  /// nil for none.
  /// - Parameter variable: an environment variable.
  package init?(_ storage: CredentialStorage, _ variable: (String) -> String?) {
    switch storage {
    case .none: return nil
    case .file(let path): (self.path, isShared) = (path, false)
    case .shared:
      isShared = true
      if let named = variable("NETRC"), !named.isEmpty {
        path = named
      } else if let home = variable("HOME"), !home.isEmpty {
        path = "\(home)/.netrc"
      } else {
        return nil
      }
    }
  }

  /// The machines that it has entries for, and nothing of those; nil when it can't be read.
  package var machines: Netrc? {
    guard let contents = try? BoundedFile.read(path, bound: 1 << 20) else { return nil }
    return Netrc(parsing: String(decoding: contents.bytes, as: UTF8.self)).withoutValues
  }
}

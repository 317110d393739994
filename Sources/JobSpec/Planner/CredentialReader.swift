import TransferCore

/// Makes plans of a session's or a task's credentials.
struct CredentialReader {
  let findings: Findings
  /// Of the list.
  let path: DocumentPath

  /// nil where the object says none.
  func credentials(of object: ObjectValue) -> [CredentialPlan]? {
    guard let list = object.list("credentials") else { return nil }
    return list.enumerated().compactMap { index, element in
      guard case .object(let written) = element.value else { return nil }
      let place = Place(range: element.range, path: path.appending(.index(index)))
      return credential(written, at: place)
    }
  }

  private func credential(_ written: ObjectValue, at place: Place) -> CredentialPlan? {
    guard let space = written.object("for").flatMap(space) else { return nil }
    var credential = CredentialPlan(space: space)
    credential.user = written["user"]?.value.planText
    credential.password = written["password"]?.value.planText
    credential.method = written.choice("method") ?? credential.method
    credential.region = written.string("region")
    credential.service = written.string("service") ?? credential.service
    checkNeeds(credential, written, at: place)
    checkConflicts(credential, written, at: place)
    warnClear(credential, written, at: place)
    return credential
  }

  private func space(_ written: ObjectValue) -> ProtectionSpace? {
    guard let text = written.string("host") else { return nil }
    let scheme = written.string("protocol")?.lowercased() ?? "https"
    let host = text.lowercased()
    let port = written.int("port").map { Int($0) } ?? Origin.defaultPort(scheme)
    let isBare = host.contains(":") && !host.hasPrefix("[")
    let origin = Origin(scheme: scheme, host: isBare ? "[\(host)]" : host, port: port)
    return ProtectionSpace(origin: origin, realm: written.string("realm"))
  }

  private func checkNeeds(
    _ credential: CredentialPlan, _ written: ObjectValue, at place: Place
  ) {
    let needs: [String] =
      switch credential.method {
      case .any, .basic, .digest, .ntlm: ["user", "password"]
      case .negotiate: []
      case .bearer: ["password"]
      case .awsSigV4: ["user", "password", "region"]
      }
    // Those for SFTP have a key in a password's place.
    let missing = needs.filter { !written.has($0) && !written.has("ssh_key") }
    guard !missing.isEmpty else { return }
    let method = credential.method.rawValue
    let hints: [CredentialPlan.Method: String] = [
      .bearer: "the token is its `password`",
      .awsSigV4: "`user` is the key's id, `password` the secret key, `region` like eu-central-1",
    ]
    findings.error(
      .missingKey,
      "a credential with `method: \(method)` needs `\(missing.joined(separator: "` and `"))`",
      at: place,
      hint: hints[credential.method] ?? "like `user: me, password: ${secrets.NAME}`")
  }

  private func checkConflicts(
    _ credential: CredentialPlan, _ written: ObjectValue, at place: Place
  ) {
    let method = credential.method
    func refuse(_ key: String, in object: ObjectValue, _ steps: [String], _ why: String) {
      guard let entry = object[key] else { return }
      var path = place.path
      for step in steps + [key] { path.push(.key(step)) }
      findings.error(
        .conflict, "`\(key)` doesn't go with `method: \(method.rawValue)`",
        at: Place(range: entry.keyRange, path: path), hint: why)
    }
    if method != .awsSigV4 {
      for key in ["region", "service"] { refuse(key, in: written, [], "it is for aws_sigv4") }
    }
    if method == .bearer || method == .negotiate {
      let why =
        method == .bearer
        ? "the token alone says who we are: leave it out"
        : "the Kerberos ticket says who we are: leave it out"
      refuse("user", in: written, [], why)
      if method == .negotiate { refuse("password", in: written, [], why) }
    }
    if [.negotiate, .ntlm, .awsSigV4].contains(method), let space = written.object("for") {
      refuse("realm", in: space, ["for"], "servers name no realm with it: leave it out")
    }
  }

  private func warnClear(
    _ credential: CredentialPlan, _ written: ObjectValue, at place: Place
  ) {
    let host = credential.space.origin.host
    guard credential.space.origin.scheme == "http",
      [.basic, .bearer].contains(credential.method), let entry = written["method"],
      host != "localhost", host != "[::1]", !host.hasPrefix("127.")
    else { return }
    findings.warning(
      .clearPassword, "`method: \(credential.method.rawValue)` over http sends it in clear",
      at: Place(range: entry.keyRange, path: place.path.appending(.key("method"))),
      hint: "use https, or `method: digest` where the server has it")
  }
}

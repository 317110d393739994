import TransferCore

/// Makes a session's plan from its fields.
struct SessionReader {
  let findings: Findings
  /// Makes a path of a session absolute.
  let resolvePath: (String) -> String?

  func plan(_ name: String, _ object: ObjectValue, at place: Place?) -> SessionPlan {
    var plan = SessionPlan(name: name)
    plan.kind = object.choice("type") ?? plan.kind
    plan.connectTimeout = object.duration("connect_timeout") ?? plan.connectTimeout
    plan.ipVersion = object.choice("ip_version") ?? plan.ipVersion
    plan.httpVersion = object.choice("http_version") ?? plan.httpVersion
    plan.multiplexes = object.bool("should_use_pipelining") ?? plan.multiplexes
    plan.maxConnectionsPerHost =
      object.int("max_connections_per_host").map { Int($0) } ?? plan.maxConnectionsPerHost
    plan.rateLimit = PolicyReader.rateLimit(object) ?? plan.rateLimit
    applyProxy(object, to: &plan, at: place)
    if let protocols = object.strings("protocols") {
      plan.protocols = protocols.map { $0.lowercased() }
    }
    plan.identifier = object.string("identifier")
    plan.sharedContainer = object.string("shared_container").flatMap(resolvePath)
    plan.cookies = cookies(object, of: plan, at: place)
    applyTLS(object, to: &plan, at: place)
    applyCredentials(object, to: &plan, at: place)
    plan.resolve = pairs(object, "resolve").map { "\($0.key):\($0.value)" }
    plan.connectTo = pairs(object, "connect_to").map { "\($0.key):\($0.value)" }
    return plan
  }

  private func applyTLS(_ object: ObjectValue, to plan: inout SessionPlan, at place: Place?) {
    guard let tls = object.object("tls") else { return }
    plan.tlsMinimum = tls.choice("minimum") ?? plan.tlsMinimum
    plan.tlsMaximum = tls.choice("maximum")
    plan.caFile = tls.string("ca_file").flatMap(resolvePath)
    plan.insecure = tls.bool("insecure") ?? false
    plan.clientCertificate = tls.string("client_certificate").flatMap(resolvePath)
    plan.clientKey = tls.string("client_key").flatMap(resolvePath)
    plan.pinnedPublicKey = tls.string("pinned_public_key").flatMap { pin in
      pin.hasPrefix("sha256//") ? pin : resolvePath(pin)
    }
    guard let maximum = plan.tlsMaximum, maximum < plan.tlsMinimum, let entry = tls["maximum"]
    else { return }
    let path = (entry.home ?? place?.path ?? DocumentPath()).appending(.key("tls"))
    findings.error(
      .tlsOrder,
      "`maximum` \(maximum.rawValue) is below `minimum` \(plan.tlsMinimum.rawValue)",
      at: Place(range: entry.range, path: path.appending(.key("maximum"))),
      hint: tls.has("minimum") ? nil : "say the `minimum` too: without it, it is \"1.2\"")
  }

  private func applyProxy(_ object: ObjectValue, to plan: inout SessionPlan, at place: Place?) {
    guard let entry = object["proxy"] else { return }
    if case .object(let proxy) = entry.value {
      let path = (entry.home ?? place?.path ?? DocumentPath()).appending(.key("proxy"))
      let reader = ProxyReader(findings: findings, path: path)
      plan.proxy = .own(reader.plan(proxy, at: entry.keyRange))
    } else if entry.value.string == "none" {
      plan.proxy = .none
    }
  }

  private func applyCredentials(
    _ object: ObjectValue, to plan: inout SessionPlan, at place: Place?
  ) {
    let home = object["credentials"]?.home ?? place?.path ?? DocumentPath()
    let reader = CredentialReader(
      findings: findings, path: home.appending(.key("credentials")))
    plan.credentials = reader.credentials(of: object) ?? []
    switch object.string("credentials_storage") {
    case "shared": plan.credentialStorage = .shared
    case "none": plan.credentialStorage = .none
    case let path?: plan.credentialStorage = resolvePath(path).map { .file($0) } ?? .none
    case nil: plan.credentialStorage = plan.kind == .ephemeral ? .none : .shared
    }
  }

  private func pairs(_ object: ObjectValue, _ key: String) -> [(key: String, value: String)] {
    guard case .map(let pairs)? = object[key]?.value else { return [] }
    return pairs.compactMap { pair in pair.value.string.map { (pair.key, $0) } }
  }
}

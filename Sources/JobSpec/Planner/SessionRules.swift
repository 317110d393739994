import TransferCore

/// What a session may say together.
struct SessionRules {
  let findings: Findings
  let session: SessionTable.Written

  func check() {
    checkBackground()
    checkTLS()
    checkPipelining()
    checkProtocols()
  }

  private func checkProtocols() {
    guard let entry = object["protocols"], case .list(let elements) = entry.value else { return }
    let known = SessionPlan(name: "").protocols
    for (index, element) in elements.enumerated() {
      guard let scheme = element.value.string, !known.contains(scheme.lowercased()) else {
        continue
      }
      let path = session.place.path.appending(.key("protocols")).appending(.index(index))
      let near = nearest(to: scheme, in: known)
      findings.error(
        .badValue, "`\(shortened(scheme))` is not a scheme that jobrun speaks",
        at: Place(range: element.range, path: path),
        hint: near.map { "did you mean `\($0)`?" } ?? "known are " + known.joined(separator: ", "))
    }
  }

  private var object: ObjectValue { session.object }

  private func place(_ entry: ObjectValue.Entry, _ keys: String...) -> Place {
    var path = session.place.path
    for key in keys { path.push(.key(key)) }
    return Place(range: entry.keyRange, path: path)
  }

  private func checkBackground() {
    let isBackground = object.string("type") == "background"
    if isBackground, !object.has("identifier") {
      findings.error(
        .missingKey, "a background session needs an `identifier`", at: session.place,
        hint: "like `identifier: org.example.nightly`")
    }
    guard !isBackground else { return noteForeground() }
    if let entry = object["identifier"] {
      findings.error(
        .backgroundOnly, "`identifier` is for background sessions alone",
        at: place(entry, "identifier"), hint: "leave it out, or write `type: background`")
    }
    for (key, usual) in [("discretionary", false), ("sends_launch_events", true)] {
      guard let entry = object[key], case .bool(let value) = entry.value, value != usual else {
        continue
      }
      findings.error(
        .backgroundOnly, "`\(key): \(value)` is for background sessions alone",
        at: place(entry, key), hint: "leave it out, or write `type: background`")
    }
    if let entry = object["shared_container"] {
      findings.error(
        .backgroundOnly, "`shared_container` is for background sessions alone",
        at: place(entry, "shared_container"), hint: "a job's `root` says where downloads go")
    }
  }

  private func noteForeground() {
    guard let entry = object["type"] else { return }
    findings.note(
      .notInThisVersion,
      "not in this version: one that outlives its terminal and waits for a network",
      at: place(entry, "type"),
      hint: "`run` does its tasks in the foreground; nohup or a systemd unit keeps it going")
  }

  private func checkTLS() {
    guard let tls = object.object("tls") else { return }
    if let entry = tls["insecure"], case .bool(true) = entry.value {
      findings.warning(
        .insecure, "`insecure: true` trusts any server, also one that poses as yours",
        at: place(entry, "tls", "insecure"), hint: "`ca_file` trusts an authority of your own")
    }
    checkIdentity(tls)
    for key in ["minimum", "maximum"] {
      guard let entry = tls[key], let version = entry.value.string, version < "1.2" else {
        continue
      }
      findings.warning(
        .weakTLS, "TLS \(version) is broken, and lets in weak ciphers",
        at: place(entry, "tls", key), hint: "use \"1.2\" or \"1.3\" where the server has it")
    }
  }

  private func checkIdentity(_ tls: ObjectValue) {
    if let entry = tls["client_key"], !tls.has("client_certificate"), !object.has("extends") {
      findings.error(
        .missingKey, "`client_key` needs the `client_certificate` that it belongs to",
        at: place(entry, "tls", "client_key"), hint: "one PEM file may hold both")
    }
    guard let entry = tls["pinned_public_key"], let text = entry.value.string,
      text.hasPrefix("sha256"), !PinText.isValid(text)
    else { return }
    findings.error(
      .badValue, "`\(shortened(text))` is no digest of a public key",
      at: Place(
        range: entry.range,
        path: session.place.path.appending(.key("tls")).appending(.key("pinned_public_key"))),
      hint: "write `sha256//` and 44 characters of base64, several parted by `;`, or a file's path")
  }

  private func checkPipelining() {
    guard let entry = object["should_use_pipelining"], case .bool(true) = entry.value else {
      return
    }
    findings.note(
      .pipelining, "`should_use_pipelining` means HTTP/2 multiplexing: HTTP/1.1 has none here",
      at: place(entry, "should_use_pipelining"))
  }
}

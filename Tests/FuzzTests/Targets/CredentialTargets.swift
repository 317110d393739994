import TransferCore

extension FuzzTarget {
  /// What decides about who is told who we are.
  static let credentials: [FuzzTarget] = [
    FuzzTarget(name: "challenge", check: challenge),
    FuzzTarget(name: "netrc", check: netrc),
  ]

  private static func quoted(_ text: String) -> String {
    // Scalar by scalar: an accent makes another character of a quote.
    "\""
      + text.unicodeScalars.map { "\\\"".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
      .joined() + "\""
  }

  /// A realm that was read is read again from its quoted form.
  private static func challenge(_ bytes: [UInt8]) -> String? {
    let challenges = Challenge.parse(text(bytes))
    if challenges.count > 32 { return "\(challenges.count) challenges" }
    for challenge in challenges {
      if challenge.scheme.isEmpty || challenge.scheme != challenge.scheme.lowercased() {
        return "scheme \(challenge.scheme)"
      }
      guard let realm = challenge.realm else { continue }
      let again = Challenge.parse("\(challenge.scheme) realm=\(quoted(realm)), x=y")
      if again != [challenge] { return "\(challenge) became \(again)" }
    }
    return nil
  }

  /// Entries that were read are read again from their quoted form, and the default entry is no
  /// machine's.
  private static func netrc(_ bytes: [UInt8]) -> String? {
    let netrc = Netrc(parsing: text(bytes))
    var written = ""
    for (index, entry) in netrc.entries.enumerated() {
      written += entry.machine.map { "machine \(quoted($0))" } ?? "default"
      written += " login \(quoted(entry.login)) password \(quoted(entry.password))\n"
      guard let machine = entry.machine else { continue }
      guard let found = netrc.entry(for: machine, allowsDefault: false), found <= index else {
        return "\(machine) is not found"
      }
    }
    let isDefault = netrc.entry(for: "no such\nhost", allowsDefault: false)
      .map { netrc.entries[$0].machine == nil }
    if isDefault == true { return "the default entry speaks for a machine" }
    return Netrc(parsing: written) == netrc ? nil : "\(netrc) became \(Netrc(parsing: written))"
  }
}

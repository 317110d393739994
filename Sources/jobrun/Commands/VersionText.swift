import TransferIO

/// What `--version` prints: ours, and libcurl's with what it was built with.
enum VersionText {
  static var text: String {
    let libraries = Prose.wrap(CurlVersion.text, width: HelpPage.width)
    let protocols = "Protocols: " + CurlVersion.protocols.joined(separator: " ")
    let lines = libraries + Prose.wrap(protocols, width: HelpPage.width)
    return (["jobrun \(ProgramVersion.number)"] + lines).map { $0 + "\n" }.joined()
  }
}

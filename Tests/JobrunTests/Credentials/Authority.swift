import Testing

/// A certificate authority of a test's own, and what it signs, by the `openssl` command.
final class Authority {
  /// A certificate and its key, PEM files.
  struct Identity {
    var certificate: String
    var key: String
    /// Keeps the files.
    var folder: TemporaryFolder?
  }

  private let folder: TemporaryFolder
  private let name: String
  let certificate: String

  init(_ name: String = "authority") throws {
    folder = try TemporaryFolder()
    self.name = name
    certificate = folder.path + "/ca.pem"
    try Self.openssl(
      ["req", "-x509"] + Self.newKey + [
        "-days", "7", "-subj", "/CN=\(name)", "-keyout", folder.path + "/ca.key", "-out",
        certificate,
      ])
  }

  /// For `127.0.0.1` and `localhost`, or whoever shows it.
  func identity(_ name: String) throws -> Identity {
    let base = folder.path + "/" + name
    try folder.write("\(name).ext", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    try Self.openssl(
      ["req"] + Self.newKey + ["-subj", "/CN=\(name)", "-keyout", base + ".key", "-out", base])
    try Self.openssl([
      "x509", "-req", "-in", base, "-CA", certificate, "-CAkey", folder.path + "/ca.key",
      "-CAcreateserial", "-days", "7", "-extfile", base + ".ext", "-out", base + ".pem",
    ])
    return Identity(certificate: base + ".pem", key: base + ".key", folder: folder)
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
  ]

  @discardableResult
  static func openssl(_ arguments: [String]) throws -> String {
    let ended = try Clone.run("/usr/bin/openssl", arguments)
    try #require(ended.code == 0, "\(ended.err)")
    return ended.out
  }

  /// `sha256//…` of a certificate's public key, as openssl makes it.
  static func pin(_ identity: Identity, in folder: TemporaryFolder) throws -> String {
    let key = try openssl(["x509", "-in", identity.certificate, "-noout", "-pubkey"])
    let path = try folder.write("public.pem", key)
    let der = folder.path + "/public.der"
    let digest = folder.path + "/public.sha256"
    try openssl(["pkey", "-pubin", "-in", path, "-outform", "DER", "-out", der])
    try openssl(["dgst", "-sha256", "-binary", "-out", digest, der])
    return try "sha256//" + openssl(["base64", "-A", "-in", digest])
  }
}

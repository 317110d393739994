import FaultOrigin
import Glibc
import Testing

/// A real Kerberos realm on loopback: MIT's KDC with a database of its own, one user and one
/// service. Nothing of the machine's own Kerberos is read or written.
final class KerberosRealm {
  let folder: TemporaryFolder
  /// What programs of this realm need to know.
  let environment: [String]

  init() throws {
    folder = try TemporaryFolder()
    let probe = try ScriptedOrigin { _ in [] }
    let port = probe.port
    probe.stop()
    environment = [
      "KRB5_CONFIG=\(folder.path)/krb5.conf", "KRB5_KDC_PROFILE=\(folder.path)/kdc.conf",
      "KRB5CCNAME=FILE:\(folder.path)/tickets", "KRB5RCACHENAME=none:",
    ]
    try folder.write(
      "krb5.conf",
      """
      [libdefaults]
        default_realm = JOBRUN.TEST
        dns_lookup_kdc = false
        dns_lookup_realm = false
        dns_canonicalize_hostname = false
        rdns = false
      [realms]
        JOBRUN.TEST = {
          kdc = 127.0.0.1:\(port)
        }
      [domain_realm]
        localhost = JOBRUN.TEST
      """)
    try folder.write(
      "kdc.conf",
      """
      [kdcdefaults]
        kdc_listen = 127.0.0.1:\(port)
        kdc_tcp_listen = 127.0.0.1:\(port)
      [realms]
        JOBRUN.TEST = {
          database_name = \(folder.path)/principal
          key_stash_file = \(folder.path)/stash
          acl_file = \(folder.path)/acl
        }
      [logging]
        kdc = FILE:\(folder.path)/kdc.log
      """)
    try run("/usr/sbin/kdb5_util", ["create", "-s", "-P", "master"])
    for query in [
      "addprinc -pw pass me", "addprinc -randkey HTTP/localhost",
      "ktadd -k \(folder.path)/keytab HTTP/localhost",
    ] { try run("/usr/sbin/kadmin.local", ["-q", query]) }
    // It goes to the background when it listens.
    try run("/usr/sbin/krb5kdc", ["-P", folder.path + "/kdc.pid"])
  }

  deinit {
    if let id = folder.read("kdc.pid").flatMap({ Int32($0.prefix { $0.isNumber }) }) {
      kill(id, SIGTERM)
    }
  }

  /// Gets the user a ticket.
  func logIn() throws { try run("/usr/bin/kinit", ["me"], input: "pass\n") }

  private func run(_ program: String, _ arguments: [String], input: String = "") throws {
    let ended = try ChildProcess(
      program, arguments, environment: environment + ["PATH=/usr/bin:/bin"], input: input
    ).wait()
    try #require(ended.code == 0, "\(program): \(ended.out)\(ended.err)")
  }
}

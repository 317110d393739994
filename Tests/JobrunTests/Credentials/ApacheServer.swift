import FaultOrigin
import Glibc
import Testing

/// A real Apache on loopback with directives of a test's own: what nginx hasn't, digest and
/// Negotiate. It serves and takes files in `www`.
final class ApacheServer {
  /// One line of its log.
  struct Request: Equatable {
    var method: String
    var status: Int
    /// `-` for nobody.
    var user: String
    /// Bytes that came, head and body.
    var received: Int
  }

  let port: UInt16
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - folder: its own; Apache doesn't serve as root, so that others must come to it.
  ///   - environment: `NAME=VALUE`.
  init(
    in folder: TemporaryFolder, modules: [String], _ directives: String,
    environment: [String] = []
  ) throws {
    self.folder = folder
    let probe = try ScriptedOrigin { _ in [] }
    port = probe.port
    probe.stop()
    try folder.write("www/a", "whole\n")
    chmod(folder.path, 0o755)
    try folder.write("dav/locks", "")
    for name in ["www", "dav", "dav/locks"] { chmod(folder.path + "/" + name, 0o777) }
    let usual = ["mpm_event", "authn_core", "authz_core", "authz_user", "dav", "dav_fs"]
    let loaded = (usual + modules).map { name in
      "LoadModule \(name)_module /usr/lib/apache2/modules/mod_\(name).so"
    }.joined(separator: "\n")
    try folder.write(
      "apache.conf",
      """
      ServerRoot \(folder.path)
      ServerName localhost
      DefaultRuntimeDir \(folder.path)
      PidFile \(folder.path)/apache.pid
      Mutex pthread
      ErrorLog \(folder.path)/error.log
      Listen 127.0.0.1:\(port)
      \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
      \(loaded)
      LogFormat "%m %>s %u %I" short
      CustomLog \(folder.path)/access.log short
      DavLockDB \(folder.path)/dav/lock
      DocumentRoot \(folder.path)/www
      <Directory \(folder.path)/www>
        Dav On
        Require valid-user
        \(directives)
      </Directory>
      """)
    let started = try apache("start", environment)
    try #require(started.code == 0, "\(started.err)\(folder.read("error.log") ?? "")")
  }

  deinit { _ = try? apache("stop", []) }

  var url: String { "http://localhost:\(port)" }

  /// The path of a file that it serves or has taken.
  func file(_ name: String) -> String? {
    let path = folder.path + "/www/" + name
    return access(path, R_OK) == 0 ? path : nil
  }

  var requests: [Request] {
    (folder.read("access.log") ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let status = Int(words[1]), let received = Int(words[3]) else {
        return nil
      }
      return Request(
        method: String(words[0]), status: status, user: String(words[2]), received: received)
    }
  }

  private func apache(_ word: String, _ environment: [String]) throws -> ChildProcess.Ended {
    try ChildProcess(
      "/usr/sbin/apache2", ["-f", folder.path + "/apache.conf", "-k", word],
      environment: ["PATH=/usr/bin:/bin"] + environment
    ).wait()
  }
}

import FaultOrigin
import Glibc
import Testing

/// A real nginx over TLS on loopback, with server directives of a test's own. It answers each
/// request with what it knows of the client.
final class SecureServer {
  let port: UInt16
  private let folder: TemporaryFolder

  /// - Parameter directives: in its server block.
  init(_ identity: Authority.Identity, _ directives: String = "", http2: Bool = false) throws {
    folder = try TemporaryFolder()
    // A port that was free a moment ago; the kernel hands out others for a while.
    let probe = try ScriptedOrigin { _ in [] }
    port = probe.port
    probe.stop()
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
    try folder.write(
      "nginx.conf",
      """
      daemon on; worker_processes 1; pid \(folder.path)/pid;
      \(getuid() == 0 ? "user root;" : "")
      events { worker_connections 128; }
      http {
        access_log off; \(temporary)
        server {
          listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
          ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key);
          \(directives)
          location / {
            return 200 "$ssl_client_verify $ssl_client_s_dn $ssl_protocol $ssl_session_reused";
          }
        }
      }
      """)
    try #require(try nginx([]).code == 0)
  }

  deinit { _ = try? nginx(["-s", "stop"]) }

  var url: String { "https://127.0.0.1:\(port)" }

  private func nginx(_ more: [String]) throws -> ChildProcess.Ended {
    let own = ["-p", folder.path, "-c", folder.path + "/nginx.conf"]
    return try Clone.run("/usr/sbin/nginx", own + ["-e", folder.path + "/error.log"] + more)
  }
}

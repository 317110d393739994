import FaultOrigin
import Glibc
import Testing

/// `openssl s_server` that takes no client without a certificate of its authority.
final class StrictServer {
  private let port: UInt16
  private let process: ChildProcess

  init(_ identity: Authority.Identity, authority: Authority) throws {
    let probe = try ScriptedOrigin { _ in [] }
    port = probe.port
    probe.stop()
    process = try ChildProcess(
      "/usr/bin/openssl",
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-cert", identity.certificate, "-key",
        identity.key, "-CAfile", authority.certificate, "-Verify", "1", "-verify_return_error",
        "-www",
      ], environment: ["PATH=/usr/bin:/bin"])
    try #require(process.waitForOutput(containing: "ACCEPT"))
  }

  deinit { process.send(SIGKILL) }

  var url: String { "https://127.0.0.1:\(port)" }
}

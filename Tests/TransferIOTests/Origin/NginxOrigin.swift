import Glibc

/// An nginx of the test's own, with TLS and HTTP/2 on a free port of loopback; ended with it.
final class NginxOrigin {
  let port: UInt16
  private let folder: String

  init(_ identity: OriginIdentity) throws {
    folder = try EngineBench.freshFolder()
    mkdir(folder + "/www", 0o755)
    // A port that was free a moment ago; what else would take it on this machine tests too, and
    // the kernel hands out others for a while.
    let probe = try Origin { _ in [] }
    port = probe.port
    probe.stop()
    try write(Self.configuration(folder, port, identity), to: folder + "/nginx.conf")
    try start()
  }

  deinit {
    // Not by `nginx -s stop`, which reads its certificate again: that may be gone by now.
    if let file = fopen(folder + "/pid", "r") {
      var number: Int32 = 0
      if withUnsafeMutablePointer(to: &number, { withVaList([$0]) { vfscanf(file, "%d", $0) } })
        == 1
      {
        kill(number, SIGTERM)
      }
      fclose(file)
    }
    _ = system("rm -r '\(folder)'")
  }

  func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

  func file(_ name: String, _ bytes: [UInt8]) throws {
    try write(String(decoding: bytes, as: UTF8.self), to: folder + "/www/" + name)
  }

  private func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw OriginError(call: "fopen", number: errno) }
    fputs(text, file)
    fclose(file)
  }

  /// nginx goes to the background when it listens, and not before: its end says that it is ready.
  private func start() throws {
    guard try Self.nginx(in: folder, []) == 0 else {
      throw OriginError(call: "nginx's start", number: 0)
    }
  }

  private static func nginx(in folder: String, _ more: [String]) throws -> Int32 {
    let words =
      ["nginx", "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log"] + more
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil,
    ]
    defer { free(environment[0]) }
    var process = pid_t()
    let code = posix_spawn(&process, "/usr/sbin/nginx", nil, nil, &arguments, &environment)
    guard code == 0 else { throw OriginError(call: "posix_spawn nginx", number: code) }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
  }

  private static func configuration(
    _ folder: String, _ port: UInt16, _ identity: OriginIdentity
  ) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    return """
      daemon on; worker_processes 1; pid \(folder)/pid;
      \(getuid() == 0 ? "user root;" : "")
      events { worker_connections 128; }
      http {
        access_log off; \(temporary)
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key);
          root \(folder)/www;
        }
      }
      """
  }
}

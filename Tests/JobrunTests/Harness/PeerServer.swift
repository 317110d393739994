import Glibc
import Testing

/// Another program that serves on a port of loopback while this object lives.
final class PeerServer {
  let port: UInt16
  private let process: ChildProcess

  /// Starts the program and waits until its port answers.
  /// - Parameter arguments: made for the port that it shall serve.
  init(_ program: String, folder: String, _ arguments: (UInt16) throws -> [String]) throws {
    port = try Self.freePort()
    process = try ChildProcess(
      program, try arguments(port), environment: ["PATH=/usr/bin:/bin"], folder: folder)
    let waiting = try ChildProcess(
      "/usr/bin/timeout",
      [
        "20", "bash", "-c",
        "until (: <>/dev/tcp/127.0.0.1/\(port)) 2>&-; do kill -0 \(process.id); done",
      ],
      environment: ["PATH=/usr/bin:/bin"]
    ).wait()
    try #require(waiting.code == 0, "\(program) does not answer on port \(port)")
  }

  /// A port that nobody has, for programs that can't be told to take any.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
      }
    }
    try #require(code == 0)
    return UInt16(bigEndian: address.sin_port)
  }
}

import Glibc
import Synchronization
import Testing

/// A server on loopback that answers each request with the bytes that a script says, or holds the
/// connection. One request a connection; bodies by Content-Length.
final class TinyServer: Sendable {
  struct Request: Sendable {
    /// `POST /x`.
    var line: String
    var head: String
    var body: String
  }

  /// What is sent back; nil keeps the connection open and says nothing.
  typealias Script = @Sendable (Request) -> String?

  let port: UInt16
  private let listener: Int32
  private let script: Script
  private let state = Mutex(State())
  private let bell: (read: Int32, write: Int32)

  private struct State {
    var seen: [Request] = []
    var held: [Int32] = []
  }

  init(_ script: @escaping Script) throws {
    self.script = script
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    bell = (ends[0], ends[1])
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(made, pointer, length) + listen(made, 64) + getsockname(made, pointer, &length)
      }
    }
    try #require(code == 0)
    listener = made
    port = UInt16(bigEndian: address.sin_port)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let started = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<TinyServer>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, context)
    try #require(started == 0)
    pthread_detach(thread)
  }

  deinit {
    for descriptor in state.withLock({ $0.held }) + [bell.read, bell.write] { close(descriptor) }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  var seen: [Request] { state.withLock { $0.seen } }

  /// Waits until one more whole request is there.
  func waitForRequest() {
    var byte: UInt8 = 0
    _ = read(bell.read, &byte, 1)
  }

  /// Ends the thread, which keeps this object alive.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve() {
    while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
      guard let request = Self.request(on: descriptor) else {
        close(descriptor)
        continue
      }
      state.withLock { $0.seen.append(request) }
      _ = write(bell.write, "x", 1)
      if let answer = script(request) {
        let bytes = Array(answer.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(descriptor)
      } else {
        state.withLock { $0.held.append(descriptor) }
      }
    }
    close(listener)
  }

  private static func request(on descriptor: Int32) -> Request? {
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = text.firstRange(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        let lengths = head.split(separator: "\r\n").compactMap { line -> Int? in
          let parts = line.lowercased().split(separator: ":")
          guard parts.first == "content-length", parts.count == 2 else { return nil }
          return Int(parts[1].drop { $0 == " " })
        }
        let body = text[end.upperBound...]
        if body.utf8.count >= lengths.first ?? 0 {
          let words = head.split(separator: " ")
          return Request(
            line: words.prefix(2).joined(separator: " "), head: head, body: String(body))
        }
      }
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { return nil }
      text += String(decoding: chunk[..<count], as: UTF8.self)
    }
  }

  /// A whole answer that ends with its connection.
  static func answer(_ status: String, _ fields: [String] = [], body: String = "") -> String {
    let lines =
      ["HTTP/1.1 \(status)", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }
}

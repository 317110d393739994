import Glibc
import Synchronization

/// A scripted HTTP/1.1 server for tests: on loopback, on a port of its own, a thread for each
/// connection. What it answers is bytes, so that it can be as wrong as a test wants it.
///
/// ```swift
/// let origin = try ScriptedOrigin { request in .answer(200, body: "hello") }
/// // … origin.url("/file") … origin.seen …
/// ```
package final class ScriptedOrigin: Sendable {
  package typealias Script = @Sendable (SeenRequest) -> [OriginStep]

  package let port: UInt16
  private let identity: OriginIdentity?
  private let state: OriginState

  /// `script` answers each whole request. `beforeBody` is asked when a request's head is there
  /// and its body is not: nil goes on as a server does (100 Continue where it was expected).
  /// Steps that end the connection end it before the body was read.
  ///
  /// With an `identity` it speaks TLS.
  package init(
    identity: OriginIdentity? = nil, handshake: OriginHandshake = .right,
    beforeBody: (@Sendable (SeenRequest) -> [OriginStep]?)? = nil, _ script: @escaping Script
  ) throws {
    self.identity = identity
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw OriginError(call: "socket", number: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard bound else {
      let number = errno
      close(listener)
      throw OriginError(call: "bind", number: number)
    }
    port = UInt16(bigEndian: address.sin_port)
    state = OriginState(
      listener: listener, identity: identity, handshake: handshake, script: script,
      beforeBody: beforeBody)
    let state = state
    OriginThread.run { state.acceptAll() }
  }

  deinit { stop() }

  /// `http://127.0.0.1:PORT` (or https) and `path`.
  package func url(_ path: String = "/") -> String {
    (identity == nil ? "http" : "https") + "://127.0.0.1:\(port)\(path)"
  }

  /// The requests so far, in the order in which they were whole (or broke off).
  package var seen: [SeenRequest] { state.inner.withLock { $0.seen } }

  /// Connections accepted so far.
  package var connections: Int { state.inner.withLock { $0.accepted } }

  /// Closes the port and every connection; those that are held go on and end.
  package func stop() { state.stop() }
}

/// A request as it arrived.
package struct SeenRequest: Sendable {
  package var method = ""
  package var target = ""
  package var fields: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// False when the client went away within the body.
  package var isWhole = false
  /// Which connection, from 0.
  package var connection = 0
  /// Which request on it, from 0.
  package var number = 0

  /// The first field of that name, compared without case.
  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var text: String { String(decoding: body, as: UTF8.self) }
}

/// What the origin does next on a connection.
package enum OriginStep: Sendable {
  case send([UInt8])
  /// Nothing until the client goes away or the origin stops.
  case hold
  /// Nothing until the gate is opened.
  case wait(OriginGate)
  case pause(milliseconds: UInt32)
  /// Before a body: it isn't read, and the next request follows.
  case skipBody
  /// Bytes below TLS, where the connection has it: what no record holds.
  case sendBare([UInt8])
  /// One byte after another, so far apart.
  case dribble([UInt8], milliseconds: UInt32)
  /// Ends the connection with FIN, over TLS with close_notify before it.
  case close
  /// Ends the connection with FIN alone, also over TLS.
  case cut
  /// Ends the connection with RST.
  case reset

  package static func send(_ text: String) -> OriginStep { .send(Array(text.utf8)) }
}

extension [OriginStep] {
  /// A well-formed answer with a Content-Length.
  package static func answer(
    _ status: Int, _ fields: [String] = [], body: some Sequence<UInt8>
  ) -> [OriginStep] {
    let body = [UInt8](body)
    let lines = ["HTTP/1.1 \(status) Test", "Content-Length: \(body.count)"] + fields
    return [.send([UInt8]((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)]
  }

  package static func answer(
    _ status: Int, _ fields: [String] = [], body: String = ""
  ) -> [OriginStep] {
    answer(status, fields, body: body.utf8)
  }

  /// These bytes, and nothing else.
  package static func raw(_ text: String) -> [OriginStep] { [.send(text)] }
}

/// Holds steps back until a test lets them go.
package final class OriginGate: Sendable {
  private let pipe: (read: Int32, write: Int32)

  package init() {
    var ends: [Int32] = [0, 0]
    precondition(Glibc.pipe(&ends) == 0, "no pipe")
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  package func open() { _ = write(pipe.write, "x", 1) }
  package func wait() {
    var byte: UInt8 = 0
    _ = read(pipe.read, &byte, 1)
  }
}

package struct OriginError: Error {
  package var call: String
  package var number: Int32

  package init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }
}

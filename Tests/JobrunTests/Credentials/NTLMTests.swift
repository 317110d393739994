import FaultOrigin
import Synchronization
import Testing

/// NTLM authenticates a connection: who comes by it later is taken for the same. The server here
/// plays its side of the handshake, and keeps who each connection belongs to.
@Suite struct NTLMTests {
  private let scene: AuthScene

  init() throws { scene = try AuthScene() }

  /// The server's side: 401 with a challenge to message 1, then whoever message 3 names.
  private final class Domain: Sendable {
    private let owners = Mutex<[Int: String]>([:])

    /// Who a request is from; nil when the handshake goes on.
    func answer(_ request: SeenRequest) -> [OriginStep] {
      let message = request["Authorization"].map { AuthText.bytes(String($0.dropFirst(5))) } ?? []
      switch message.count > 8 ? message[8] : 0 {
      case 1:
        return .answer(401, ["WWW-Authenticate: NTLM \(Self.challenge)"])
      case 3:
        let user = Self.user(of: message)
        owners.withLock { $0[request.connection] = user }
        return .answer(200, body: "\(user) \(request.text)")
      default:
        guard let owner = owners.withLock({ $0[request.connection] }) else {
          return .answer(401, ["WWW-Authenticate: NTLM"])
        }
        return .answer(200, body: "\(owner) \(request.text)")
      }
    }

    /// Message 2: no target, Unicode and NTLM, eight bytes of challenge.
    private static let challenge: String = {
      let bytes: [UInt8] =
        Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [1, 0x82, 0, 0]
        + [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 16)
      return AuthText.base64(bytes)
    }()

    /// The user's name in message 3 (UTF-16).
    private static func user(of message: [UInt8]) -> String {
      guard message.count > 44 else { return "?" }
      let length = Int(message[36]) | Int(message[37]) << 8
      let start = Int(message[40]) | Int(message[41]) << 8
      guard message.count >= start + length else { return "?" }
      let units = stride(from: start, to: start + length, by: 2).map { index in
        UInt16(message[index]) | UInt16(message[index + 1]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    }
  }

  private func space(_ origin: ScriptedOrigin) -> String {
    "{ host: 127.0.0.1, port: \(origin.port), protocol: http }"
  }

  private func credential(_ origin: ScriptedOrigin, _ user: String, _ method: String = "ntlm")
    -> String
  {
    "[{ for: \(space(origin)), method: \(method), user: \(user), password: p }]"
  }

  private func started() throws -> ScriptedOrigin {
    let domain = Domain()
    return try ScriptedOrigin { domain.answer($0) }
  }

  @Test(arguments: ["ntlm", "any"])
  func theHandshakeIsOnOneConnection(method: String) throws {
    let origin = try started()
    let outcome = try scene.run(
      "tasks: [{ id: a, data: '\(origin.url())', credentials: "
        + "\(credential(origin, "me", method)) }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(outcome.task("a")?["body"]?.text == "me ")
    let shaking = origin.seen.filter { $0["Authorization"] != nil }
    #expect(shaking.count == 2)
    #expect(Set(shaking.map(\.connection)).count == 1)
    #expect(outcome.statuses("a") == (method == "any" ? [401, 200] : [200]))
  }

  @Test func aBodyIsSentOnceWithItsThirdMessage() throws {
    try scene.folder.write("file", String(repeating: "x", count: 200_000))
    let origin = try started()
    let outcome = try scene.run(
      "tasks: [{ id: a, upload: file, to: '\(origin.url("/up"))', credentials: "
        + "\(credential(origin, "me")) }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(origin.seen.map(\.body.count) == [0, 200_000])
  }

  @Test func aLaterTaskUsesItsCredentialsConnection() throws {
    let origin = try started()
    let outcome = try scene.run(
      """
      sessions: { default: { credentials: \(credential(origin, "me")) } }
      tasks:
      - { id: a, data: '\(origin.url())' }
      - { id: b, data: '\(origin.url())', after: [a] }
      """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(Set(origin.seen.map(\.connection)).count == 1)
  }

  /// One host, and five who come to it: each is taken for who they are, and one for nobody.
  @Test func connectionsAreKeptApartByCredentialAndSession() throws {
    let origin = try started()
    let outcome = try scene.run(
      """
      sessions:
        one: { credentials: \(credential(origin, "one")) }
        two: { credentials: \(credential(origin, "two")) }
      defaults: { retry: { attempts: 1 } }
      tasks:
      - { id: a, session: one, data: '\(origin.url())' }
      - { id: b, session: two, data: '\(origin.url())', after: [a] }
      - id: c
        session: one
        data: '\(origin.url())'
        after: [b]
        credentials: \(credential(origin, "three"))
      - { id: d, session: one, data: '\(origin.url())', after: [c], credentials: [],
          expect: { status: 401 } }
      - { id: e, session: one, data: '\(origin.url())', after: [d] }
      """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    let bodies = ["a", "b", "c", "d", "e"].map { outcome.task($0)?["body"]?.text ?? "nobody" }
    #expect(bodies == ["one ", "two ", "three ", "nobody", "one "])
  }

  @Test func aRefusalIsFinal() throws {
    let origin = try ScriptedOrigin { _ in .answer(401, ["WWW-Authenticate: NTLM"]) }
    let outcome = try scene.run(
      "tasks: [{ id: a, data: '\(origin.url())', credentials: \(credential(origin, "me")) }]\n")
    #expect(outcome.code("a") == "auth")
    #expect(origin.seen.count <= 2)
  }
}

import FaultOrigin
import Testing
import TransferCore

@testable import TransferIO

/// `aws_sigv4` by the real binary, to a server that signs what it received by itself, as the
/// services do, and compares.
@Suite struct SignedRequestTests {
  private let scene: AuthScene

  init() throws { scene = try AuthScene() }

  private static let key = "AKIDEXAMPLE"
  private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  /// Why a request isn't signed as it must be; nil when it is. Written from what a server knows:
  /// the bytes that came.
  private static func fault(_ request: SeenRequest, service: String) -> String? {
    guard let field = request["Authorization"], field.hasPrefix("AWS4-HMAC-SHA256 ") else {
      return "no signature"
    }
    var parts: [String: String] = [:]
    for part in field.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
    }
    guard let time = request["X-Amz-Date"], let hash = request["X-Amz-Content-Sha256"],
      let names = parts["SignedHeaders"], let signature = parts["Signature"]
    else { return "parts are missing" }
    let scope = "\(time.prefix(8))/eu-central-1/\(service)/aws4_request"
    if parts["Credential"] != "\(key)/\(scope)" { return "credential \(parts["Credential"] ?? "")" }
    let signed = names.split(separator: ";").map(String.init)
    let wanted = request.fields.map { $0.name.lowercased() }.filter {
      $0 == "host" || $0.hasPrefix("x-amz-")
    }
    if Set(signed) != Set(wanted) || signed != signed.sorted() { return "headers \(names)" }
    if hash != "UNSIGNED-PAYLOAD", hash != Digest.sha256(request.body) { return "hash \(hash)" }
    let target = request.target.split(separator: "?", maxSplits: 1)
    let query = target.count > 1 ? String(target[1]) : ""
    // It comes sorted and encoded, so that nothing is to be done about it.
    if query != query.split(separator: "&").sorted().joined(separator: "&") { return query }
    let path = service == "s3" ? String(target[0]) : String(target[0]).replacing("%", with: "%25")
    let lines =
      [request.method, path, query]
      + signed.map { name in
        "\(name):" + (request[name] ?? "").split(separator: " ").joined(separator: " ")
      } + ["", names, hash]
    let digest = Digest.sha256(Array(lines.joined(separator: "\n").utf8))
    let toSign = ["AWS4-HMAC-SHA256", time, scope, digest].joined(separator: "\n")
    func keyed(_ key: [UInt8], _ text: String) -> [UInt8] {
      RequestSigner.hashing.keyed(key, Array(text.utf8))
    }
    var derived = Array("AWS4\(secret)".utf8)
    for part in scope.split(separator: "/") { derived = keyed(derived, String(part)) }
    let own = keyed(derived, toSign).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return own == signature ? nil : "signature \(signature), not \(own)"
  }

  private func origin(_ service: String) throws -> ScriptedOrigin {
    try ScriptedOrigin { request in
      if let fault = Self.fault(request, service: service) { return .answer(403, body: fault) }
      return .answer(200, ["ETag: \"e\""], body: "signed")
    }
  }

  private func session(_ origin: ScriptedOrigin, _ more: String = "") -> String {
    """
    secrets: { key: { env: KEY } }
    sessions:
      default:
        retry: { attempts: 1 }
        credentials:
        - for: { host: 127.0.0.1, port: \(origin.port), protocol: http }
          method: aws_sigv4
          user: \(Self.key)
          password: ${secrets.key}
          region: eu-central-1
    \(more)
    """
  }

  private func run(_ job: String) throws -> AuthScene.Outcome {
    scene.environment = ["KEY=\(Self.secret)"]
    return try scene.run(job)
  }

  @Test(arguments: [
    "/", "/bucket/a%20b/c", "/a?z=1&b=2&a", "/a?prefix=x/y&q=a+b&e=%C3%A9", "/a?t=%7e(1)'*",
    "/bucket//double/./x/../y",
  ])
  func aGetIsSigned(path: String) throws {
    let origin = try origin("s3")
    let outcome = try run(
      session(origin) + "tasks: [{ id: a, data: \"\(origin.url(path))\" }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(origin.seen.count == 1)
  }

  @Test func bodiesHeadersAndFilesAreSigned() throws {
    try scene.folder.write("file", "of some bytes")
    let origin = try origin("s3")
    let outcome = try run(
      session(origin)
        + """
        defaults: { headers: { X-Amz-Meta-Note: '  two   words ', X-Amz-Acl: private } }
        tasks:
        - { id: text, data: '\(origin.url("/t"))', method: PUT, body: hello }
        - { id: post, data: '\(origin.url("/p"))', method: POST, json: { a: 1 } }
        - { id: file, upload: file, to: '\(origin.url("/f"))' }
        - { id: form, upload: { form: [{ name: n, file: file }] }, to: '\(origin.url("/m"))' }
        - { id: get, download: '\(origin.url("/g"))', to: got }
        """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    let hashes = Dictionary(
      uniqueKeysWithValues: origin.seen.map { ($0.target, $0["X-Amz-Content-Sha256"]) })
    #expect(hashes["/f"] == Digest.sha256(Array("of some bytes".utf8)))
    #expect(hashes["/m"] == "UNSIGNED-PAYLOAD")
  }

  @Test func anotherServiceSignsThePathAsItIsSent() throws {
    let origin = try origin("execute-api")
    let job = session(origin, "      service: execute-api\n")
    let outcome = try run(job + "tasks: [{ id: a, data: \"\(origin.url("/a%20b"))\" }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
  }

  @Test func eachTryAndEachHopIsSignedAnew() throws {
    let origin = try ScriptedOrigin { request in
      if let fault = Self.fault(request, service: "s3") { return .answer(403, body: fault) }
      return request.target == "/a" ? .answer(307, ["Location: /b?x=2&a=1"]) : .answer(200)
    }
    let outcome = try run(
      session(origin) + "tasks: [{ id: a, data: '\(origin.url("/a"))' }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(origin.seen.map(\.target) == ["/a", "/b?a=1&x=2"])
  }

  @Test func aRefusalSaysWhatToCheck() throws {
    let origin = try ScriptedOrigin { _ in .answer(401) }
    let outcome = try run(
      session(origin) + "tasks: [{ id: a, data: '\(origin.url("/a"))' }]\n")
    #expect(outcome.code("a") == "auth")
    #expect(outcome.message("a").contains("key, region and service"))
  }
}

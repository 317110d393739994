import Glibc
import Testing
import TransferCore

@testable import TransferIO

/// Digest (RFC 7616), to a real Apache.
@Suite struct DigestTests {
  private let scene: AuthScene
  private let apache: ApacheServer

  init() throws {
    scene = try AuthScene()
    let folder = try TemporaryFolder()
    let digest = try DigestMethods().start(.md5)
    digest.update(Array("me:The Vault:pw".utf8).span.bytes)
    try folder.write("users", "me:The Vault:\(digest.finish())\n")
    apache = try ApacheServer(
      in: folder, modules: ["auth_digest", "authn_file"],
      """
      AuthType Digest
      AuthName "The Vault"
      AuthDigestProvider file
      AuthUserFile \(folder.path)/users
      """)
  }

  private func credentials(_ more: String, realm: String = "") -> String {
    let space = "{ host: localhost, port: \(apache.port), protocol: http\(realm) }"
    return "credentials: [{ for: \(space), user: me, \(more) }]"
  }

  @Test(arguments: [
    ("password: pw, method: digest", ""), ("password: pw", ""),
    ("password: pw", ", realm: The Vault"), ("password: pw, method: digest", ", realm: The Vault"),
  ])
  func aFileIsFetched(more: String, realm: String) throws {
    let outcome = try scene.run(
      "tasks: [{ id: a, download: '\(apache.url)/a', to: got, "
        + "\(credentials(more, realm: realm)) }]\n")
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    #expect(scene.folder.read("got") == "whole\n")
    #expect(apache.requests.last?.user == "me")
  }

  @Test func aBodyGoesOutOnce() throws {
    let body = String(repeating: "0123456789", count: 30_000)
    try scene.folder.write("file", body)
    let outcome = try scene.run(
      """
      tasks:
      - { id: said, upload: file, to: '\(apache.url)/said',
          \(credentials("password: pw, method: digest")) }
      - { id: any, upload: file, to: '\(apache.url)/any', \(credentials("password: pw")) }
      """)
    #expect(outcome.ended.code == 0, "\(outcome.ended.out)")
    for name in ["said", "any"] {
      #expect(try TemporaryFolder.text(of: #require(apache.file(name))) == body)
    }
    let large = apache.requests.filter { $0.received > 20_000 }
    #expect(large.map(\.status) == [201, 201])
  }

  @Test(arguments: [
    ("password: wrong", "", "refused"), ("password: pw", ", realm: Other", "\"Other\""),
  ])
  func whatDoesNotFitFails(more: String, realm: String, says: String) throws {
    let outcome = try scene.run(
      "tasks: [{ id: a, data: '\(apache.url)/a', \(credentials(more, realm: realm)) }]\n")
    #expect(outcome.code("a") == "auth")
    #expect(outcome.message("a").contains("\"The Vault\""))
    #expect(outcome.message("a").contains(says), "\(outcome.message("a"))")
    #expect(apache.requests.allSatisfy { $0.status == 401 })
    #expect(apache.requests.count <= 4)
  }
}

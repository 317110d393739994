import Synchronization
import Testing

/// `checksum: { file: ADDRESS }` with the real binary.
@Suite struct RemoteChecksumListTests {
  private let folder: TemporaryFolder
  private let one = "bytes of one\n"
  private let two = "bytes of two\n"
  /// By sha256sum.
  private static let digestOfOne =
    "0bf5ed3e58d85d8cf22f8d78239c29957df29b57109b715634111fbcdfe74ac2"
  private static let digestOfTwo =
    "a47b512dc1774be4853a1f65e73fc79f42aaa6cc498bcd4219a6767504463778"

  init() throws { folder = try TemporaryFolder() }

  /// What the server has, by path.
  private final class Site: Sendable {
    let files: Mutex<[String: String]>
    init(_ files: [String: String]) { self.files = Mutex(files) }
    subscript(path: String) -> String? {
      get { files.withLock { $0[path] } }
      set { files.withLock { $0[path] = newValue } }
    }
  }

  private func server(_ site: Site) throws -> TinyServer {
    try TinyServer { request in
      let path = String(request.line.dropFirst(4).prefix { $0 != "?" })
      guard let body = site[path] else { return TinyServer.answer("404 Not Found") }
      let tag = "\"\(body.utf8.reduce(0) { $0 &* 31 &+ Int($1) })\""
      if request.head.contains("If-None-Match: \(tag)") {
        return TinyServer.answer("304 Not Modified", ["ETag: \(tag)"])
      }
      return TinyServer.answer("200 OK", ["ETag: \(tag)"], body: body)
    }
  }

  private func line(_ bytes: String, _ name: String) -> String {
    "\(bytes == one ? Self.digestOfOne : Self.digestOfTwo)  \(name)\n"
  }

  private func write(_ tasks: String, head: String = "") throws {
    try folder.write("job.yaml", "version: 1\nname: sums\n\(head)tasks:\n\(tasks)")
  }

  /// A task that fetches `/d/NAME`.
  private func task(_ name: String, _ server: TinyServer, _ list: String = "/d/SUMS") -> String {
    "  - { id: \(name), download: \"\(server.url)/d/\(name)\", to: out/\(name), "
      + "checksum: { file: \"\(server.url)\(list)\", algorithm: sha256 } }\n"
  }

  private func run(_ arguments: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(
      ["--state", "st"] + arguments + ["job.yaml"], environment: ["TOKEN=s3cr3t"],
      folder: folder.path)
  }

  private func lists(_ server: TinyServer) -> [TinyServer.Request] {
    server.seen.filter { $0.line.contains("SUMS") }
  }

  @Test func oneRequestServesAllTasksAndEachRunAsksAnew() throws {
    let site = Site(["/d/one": one, "/d/two": two, "/d/sub/x": one])
    site["/d/SUMS"] = line(one, "one") + line(two, "two") + line(one, "sub/x")
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server) + task("two", server) + task("sub/x", server))
    let first = try run()
    #expect(first.code == 0, "\(first.err)")
    #expect(folder.read("out/one") == one)
    #expect(folder.read("out/sub/x") == one)
    #expect(lists(server).count == 1)
    #expect(lists(server).first?.head.contains("If-") == false)
    let log = folder.read("st/completion.jsonl") ?? ""
    #expect(log.components(of: "\"event\":\"task_finished\"") == 3)
    #expect(log.components(of: "\"url\":\"\(server.url)/d/SUMS\"") == 1)
    let second = try run()
    #expect(second.code == 0, "\(second.err)")
    #expect(second.err.contains("unchanged  one"), "\(second.err)")
    #expect(lists(server).count == 2)
    #expect(server.seen.count == 8)
  }

  @Test func aListThatNamesAnotherDigestBringsTheFileAnew() throws {
    let site = Site(["/d/one": one, "/d/SUMS": line(one, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server))
    #expect(try run().code == 0)
    site["/d/one"] = two
    site["/d/SUMS"] = line(two, "one")
    let second = try run()
    #expect(second.code == 0, "\(second.err)")
    #expect(folder.read("out/one") == two)
    #expect(server.seen.last?.head.contains("If-None-Match") == false)
  }

  @Test func aFileHereIsKeptByItsListedDigest() throws {
    let site = Site(["/d/one": one, "/d/SUMS": line(one, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server))
    try folder.write("out/one", one)
    let ended = try run()
    #expect(ended.err.contains("unchanged  one"), "\(ended.err)")
    #expect(server.seen.map(\.line) == ["GET /d/SUMS"])
  }

  @Test func aFileThatIsNotListedFailsAndIsNotAskedFor() throws {
    let site = Site(["/d/one": one, "/d/two": two, "/d/SUMS": line(one, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server) + task("two", server))
    let ended = try run(["--json"])
    #expect(ended.code == 1)
    #expect(ended.out.contains("checksum_list"), "\(ended.out)")
    #expect(ended.out.contains("\(server.url)/d/SUMS doesn't list two"), "\(ended.out)")
    #expect(folder.read("out/one") == one)
    #expect(!server.seen.map(\.line).contains("GET /d/two"))
  }

  @Test func aListThatIsNotThereFailsItsTasksAndNoOthers() throws {
    let site = Site(["/d/one": one, "/d/two": two])
    let server = try server(site)
    defer { server.stop() }
    try write(
      task("one", server) + task("two", server)
        + "  - { id: free, download: \"\(server.url)/d/two\", to: out/free }\n")
    let ended = try run(["--json"])
    #expect(ended.code == 1)
    #expect(ended.out.components(of: "\"code\": \"checksum_list\"") == 2, "\(ended.out)")
    #expect(
      ended.out.contains(
        "the checksum list \(server.url)/d/SUMS can't be had: the server answered 404 Not Found"),
      "\(ended.out)")
    #expect(folder.read("out/free") == two)
    #expect(folder.read("out/one") == nil)
    #expect(lists(server).count == 1)
  }

  @Test func bytesThatAreNotTheListedOnesAreRefused() throws {
    let site = Site(["/d/one": one, "/d/SUMS": line(two, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server))
    let ended = try run(["--json"])
    #expect(ended.code == 1)
    #expect(ended.out.contains("digest_mismatch"), "\(ended.out)")
    #expect(folder.read("out/one") == nil)
    #expect(lists(server).count == 1)
  }

  @Test func itsAddressHoldsASecretThatNobodySees() throws {
    let site = Site(["/d/one": one, "/d/SUMS": line(one, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(
      task("one", server, "/d/SUMS?t=${secrets.token}") + task("two", server, "/d/NO-SUMS"),
      head: "secrets: { token: { env: TOKEN } }\n")
    let ended = try run(["--json", "-v"])
    #expect(folder.read("out/one") == one)
    #expect(server.seen.contains { $0.line == "GET /d/SUMS?t=s3cr3t" })
    #expect(!(ended.out + ended.err).contains("s3cr3t"))
    #expect(folder.read("st/completion.jsonl")?.contains("s3cr3t") == false)
    #expect(folder.read("st/completion.jsonl")?.contains("SUMS?t=***") == true)
  }

  @Test func aPlanAsksForNothingAndSaysThatTheRunWill() throws {
    let site = Site(["/d/one": one, "/d/SUMS": line(one, "one")])
    let server = try server(site)
    defer { server.stop() }
    try write(task("one", server))
    func plan() throws -> ChildProcess.Ended {
      try Jobrun.run(
        ["plan", "--format", "json", "--exit-code", "--state", "st", "job.yaml"],
        folder: folder.path)
    }
    let before = try plan()
    #expect(before.code == 10)
    #expect(
      before.out.contains(
        "\"\(server.url)/d/SUMS is asked for its digest; no file is here yet\""), "\(before.out)")
    #expect(before.out.contains("\"file:\(server.url)/d/SUMS\""), "\(before.out)")
    #expect(server.seen.isEmpty)
    #expect(try run().code == 0)
    let after = try plan()
    #expect(after.out.contains("\"action\": \"revalidate\""), "\(after.out)")
    #expect(after.code == 10)
  }

  @Test func aListOfAFileAddressIsRead() throws {
    let site = Site(["/d/one": one])
    let server = try server(site)
    defer { server.stop() }
    try folder.write("lists/SUMS", line(one, "one"))
    let list = "file://\(folder.path)/lists/"
    let local = task("one", server).replacing("\(server.url)/d/SUMS", with: list + "SUMS")
    try write(local, head: "sessions: { default: { protocols: [http, file] } }\n")
    let ended = try run()
    #expect(ended.code == 0, "\(ended.err)")
    try write(
      local.replacing("SUMS", with: "NONE"),
      head: "sessions: { default: { protocols: [http, file] } }\n")
    let missing = try run(["--json"])
    #expect(missing.code == 1)
    #expect(missing.out.contains("checksum_list"), "\(missing.out)")
    #expect(missing.out.contains("\(list)NONE can't be had"), "\(missing.out)")
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

import Synchronization
import Testing

/// An ETag speaks for one address only: a file that came by a redirect is asked for where it came
/// from, and a condition never goes to another address.
@Suite struct RefreshBehindRedirectTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// `/file` leads to where it is said to; every place has its own bytes under one ETag.
  private func server(_ place: Place) throws -> TinyServer {
    try TinyServer { request in
      let leads = place.name.withLock { $0 }
      let tag = ["ETag: \"one\""]
      if request.line == "GET /file", !leads.isEmpty {
        return TinyServer.answer("302 Found", ["Location: \(leads)"])
      }
      if request.head.contains("If-None-Match: \"one\"") {
        return TinyServer.answer("304 Not Modified", tag)
      }
      return TinyServer.answer("200 OK", tag, body: "bytes of \(request.line)")
    }
  }

  private final class Place: Sendable {
    let name: Mutex<String>
    init(_ name: String) { self.name = Mutex(name) }
  }

  private func run(_ server: TinyServer, path: String = "/file") throws -> ChildProcess.Ended {
    try folder.write(
      "job.yaml",
      "version: 1\ntasks:\n  - { id: file, download: \"\(server.url)\(path)\", to: out }\n")
    return try Jobrun.run(["--state", "st", "job.yaml"], folder: folder.path)
  }

  private func plan() throws -> String {
    try Jobrun.run(["plan", "--state", "st", "job.yaml"], folder: folder.path).out
  }

  @Test func theSameRedirectIsAskedAtItsEnd() throws {
    let server = try server(Place("/there"))
    defer { server.stop() }
    #expect(try run(server).code == 0)
    #expect(try plan().contains("revalidate  file"))
    let again = try run(server)
    #expect(again.err.contains("unchanged  file"), "\(again.err)")
    #expect(folder.read("out") == "bytes of GET /there")
    let conditions = server.seen.map { $0.head.contains("If-None-Match") }
    #expect(conditions == [false, false, false, true])
  }

  @Test(arguments: ["/there", ""])
  func anotherPlaceIsAskedWithoutACondition(first: String) throws {
    let place = Place(first)
    let server = try server(place)
    defer { server.stop() }
    #expect(try run(server).code == 0)
    place.name.withLock { $0 = "/elsewhere" }
    let again = try run(server)
    #expect(again.err.contains("done       file"), "\(again.err)")
    #expect(folder.read("out") == "bytes of GET /elsewhere")
  }

  @Test func anotherAddressInTheJobIsFetched() throws {
    let server = try server(Place("/there"))
    defer { server.stop() }
    #expect(try run(server).code == 0)
    let again = try run(server, path: "/other")
    #expect(again.err.contains("done       file"), "\(again.err)")
    #expect(folder.read("out") == "bytes of GET /other")
    #expect(try plan().contains("revalidate  file"))
  }
}

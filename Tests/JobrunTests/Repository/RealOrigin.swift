import Testing

/// A real nginx over a folder, on loopback: HTTP, and HTTPS with HTTP/1.1 and HTTP/2 under an
/// authority of its own. It ends with the value, or with the process of the tests.
final class RealOrigin {
  /// One line of its access log.
  struct Request: Equatable {
    var method: String
    var path: String
    var status: Int
    var bodyBytes: Int
    /// `HTTP/1.1` or `HTTP/2.0`.
    var version: String
  }

  let http: String
  let https: String
  /// The authority's certificate, a PEM file.
  let ca: String
  /// Where PUT requests to `/upload/` end.
  let uploads: String
  /// Its own, so that it is there for as long as the server is.
  private let state: TemporaryFolder
  private let log: String
  private var told = 0

  /// - Parameter folder: what it serves, absolute.
  init(serving folder: String) throws {
    state = try TemporaryFolder()
    uploads = state.path + "/uploads"
    let started = try Clone.run(
      "scripts/origin",
      [
        "start", state.path, folder, "--tls", "--access-log", "--uploads", uploads, "--with",
        String(Clone.processID),
      ])
    try #require(started.code == 0, "\(started.err)")
    let facts = Dictionary(
      started.out.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }, uniquingKeysWith: { first, _ in first })
    http = try #require(facts["http"])
    https = try #require(facts["https"])
    ca = try #require(facts["ca"])
    log = try #require(facts["log"])
  }

  deinit {
    do {
      _ = try Clone.run("scripts/origin", ["stop", state.path])
    } catch {
      Issue.record("the origin at \(http) was not stopped: \(error)")
    }
  }

  /// What it was asked since the last call.
  func newRequests() -> [Request] {
    let lines = (TemporaryFolder.text(of: log) ?? "").split(separator: "\n")
    defer { told = lines.count }
    return lines.dropFirst(told).compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 5, let status = Int(words[words.count - 3]),
        let bytes = Int(words[words.count - 2])
      else { return nil }
      return Request(
        method: String(words[0]), path: words[1..<(words.count - 3)].joined(separator: " "),
        status: status, bodyBytes: bytes, version: String(words[words.count - 1]))
    }
  }
}

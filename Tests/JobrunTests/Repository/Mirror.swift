import Testing

/// One mirror job and all around it: the origin's folder, the server, the job's file and root.
final class Mirror {
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case http = "HTTP/1.1"
    case tls = "HTTPS, HTTP/1.1"
    case http2 = "HTTPS, HTTP/2"
    var testDescription: String { rawValue }
  }

  let folder: TemporaryFolder
  let origin: RealOrigin
  private let job: String

  /// - Parameter content: a folder with `list` and `SHA256SUMS`, absolute; it is copied.
  init(of content: String, by way: Way) throws {
    folder = try TemporaryFolder()
    // Files of long ago: nginx makes ETags of size and second, and a test is faster than that.
    let copied = try Clone.run(
      "/bin/sh",
      ["-c", "cp -r \(content) origin && find origin -type f -exec touch -d 2026-01-02 {} +"],
      folder: folder.path)
    try #require(copied.code == 0, "\(copied.err)")
    origin = try RealOrigin(serving: folder.path + "/origin")
    let address = way == .http ? origin.http : origin.https
    job = try folder.write(
      "mirror.yaml",
      """
      version: 1
      name: mirror
      root: copy
      sessions:
        web:
          http_version: "\(way == .http2 ? "2" : "1.1")"
          should_use_pipelining: \(way == .http2)
          tls: { ca_file: \(origin.ca) }
          retry: { attempts: 1 }
      defaults: { session: web }
      tasks:
        - id: sums
          download: \(address)/SHA256SUMS
          to: SHA256SUMS
        - id: file
          items: { file: origin/list, format: lines }
          download: \(address)/${item|path}
          to: ${item}
          checksum: { file: SHA256SUMS }
      """ + "\n")
  }

  /// Runs the job, with state and log in the folder.
  func run() throws -> ChildProcess.Ended {
    try Jobrun.run(
      ["run", "--state", folder.path + "/state", "--progress", "none", job],
      folder: folder.path)
  }

  /// Paths of the list, and the list of digests.
  var names: [String] {
    (folder.read("origin/list") ?? "").split(separator: "\n").map(String.init) + ["SHA256SUMS"]
  }

  /// Records each file of the copy that differs from the origin's, lacks, or is too many.
  func expectIdentical() throws {
    let difference = try Clone.run(
      "/usr/bin/diff",
      [
        "-r", "--brief", "--exclude=list", "--exclude=source",
        folder.path + "/origin", folder.path + "/copy",
      ])
    #expect(difference.code == 0, "\(difference.out)\(difference.err)")
    let copied = try Clone.files(below: folder.path + "/copy")
    #expect(copied.count == names.count)
  }

  /// Writes the digests of the origin's files anew.
  func refreshSums() throws {
    let sums = try Clone.run(
      "/bin/sh", ["-c", "tr '\\n' '\\0' < list | xargs -0 sha256sum > SHA256SUMS"],
      folder: folder.path + "/origin")
    try #require(sums.code == 0, "\(sums.err)")
  }

  /// How often each outcome stands in the lines that the log gained after its first `seen`.
  func outcomes(after seen: Int) -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in logLines.dropFirst(seen) where line.contains("\"event\":\"task_finished\"") {
      for outcome in ["done", "unchanged", "cached", "failed", "cancelled", "skipped", "deferred"]
      where line.contains("\"outcome\":\"\(outcome)\"") {
        counts[outcome, default: 0] += 1
      }
    }
    return counts
  }

  var logLines: [Substring] {
    (folder.read("state/completion.jsonl") ?? "").split(separator: "\n")
  }
}

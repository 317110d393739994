import Testing

/// Jobs of a user with a home folder of its own, against a server that goes by many names.
final class CookieScene {
  let folder: TemporaryFolder
  let server: TinyServer

  init(_ script: @escaping TinyServer.Script) throws {
    folder = try TemporaryFolder()
    server = try TinyServer(script)
  }

  deinit { server.stop() }

  /// Names that lead to the server.
  static let hosts = [
    "www.shop.example", "shop.example", "api.shop.example", "other.example", "github.io",
    "me.github.io", "you.github.io", "a.co.uk", "b.co.uk", "co.uk", "example",
  ]

  /// The address of a path on a host.
  func url(_ host: String, _ path: String) -> String { "http://\(host):\(server.port)\(path)" }

  /// The user's shared jar.
  var shared: String? { folder.read("data/jobrun/cookies.txt") }

  /// The lines of a jar that hold cookies.
  static func lines(_ jar: String?) -> [String] {
    (jar ?? "").split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }
  }

  /// Writes a job.
  /// - Parameters:
  ///   - sessions: name and fields in braces; every one knows the hosts.
  ///   - tasks: lines of a list, run one after the other.
  @discardableResult
  func write(
    _ name: String = "job", sessions: [(String, String)] = [("s", "")], tasks: [String]
  ) throws -> String {
    let names = Self.hosts.map { "\"\($0):\(server.port)\": 127.0.0.1" }.joined(separator: ", ")
    var text = "version: 1\nmax_parallel: 1\nsessions:\n"
    for (name, fields) in sessions {
      let fields = fields.isEmpty ? "" : fields + ", "
      text += "  \(name): { \(fields)retry: { attempts: 1 }, resolve: { \(names) } }\n"
    }
    text += "tasks:\n"
    for (index, task) in tasks.enumerated() {
      let after = index > 0 ? ", after: [t\(index - 1)]" : ""
      text += "  - { id: t\(index)\(after), \(task) }\n"
    }
    return try folder.write("\(name).yaml", text)
  }

  func environment(_ more: [String] = []) -> [String] {
    ["XDG_DATA_HOME=\(folder.path)/data", "XDG_STATE_HOME=\(folder.path)/state"] + more
  }

  @discardableResult
  func run(_ name: String = "job", _ options: [String] = []) throws -> ChildProcess.Ended {
    try Jobrun.run(
      options + ["\(name).yaml"], environment: environment(), folder: folder.path)
  }

  /// One data task of the session `s`.
  func get(_ host: String, _ path: String, _ more: String = "") -> String {
    "session: s, data: \"\(url(host, path))\"" + (more.isEmpty ? "" : ", " + more)
  }

  /// What each request had as Cookie, in order: its lines joined by `|`; empty without any.
  var sent: [String] { server.seen.map(Self.cookie(of:)) }

  static func cookie(of request: TinyServer.Request) -> String {
    request.head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cookie:") }
      .map { $0.dropFirst("cookie: ".count) }.joined(separator: "|")
  }

  /// Answers with a Set-Cookie line for each of a request's `c=` parameters, in which `+` stands
  /// for a space and `~` for a semicolon.
  static func setting(_ request: TinyServer.Request) -> String {
    let query = request.line.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let lines = query.split(separator: "&").filter { $0.hasPrefix("c=") }.map { pair in
      "Set-Cookie: "
        + pair.dropFirst(2).map { $0 == "+" ? " " : $0 == "~" ? ";" : String($0) }.joined()
    }
    let to = query.split(separator: "&").first { $0.hasPrefix("to=") }?.dropFirst(3)
    if let to { return TinyServer.answer("302 Found", lines + ["Location: \(to)"]) }
    return TinyServer.answer("200 OK", lines, body: "ok")
  }
}

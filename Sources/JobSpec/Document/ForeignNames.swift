/// Keys of other programs, and of what one expects a job to have, that mean one of ours.
enum ForeignNames {
  private static let meant: [String: [String]] = [
    "url": ["download", "data"], "uri": ["download", "data"], "source": ["download"],
    "src": ["download"], "get": ["download"], "fetch": ["download"], "request": ["data"],
    "mirrors": ["download"],
    "output": ["to"], "out": ["to"], "dest": ["to"], "destination": ["to"], "target": ["to"],
    "path": ["to", "file"], "filename": ["to", "file"],
    "depends_on": ["after"], "needs": ["after"], "requires": ["after"], "dependencies": ["after"],
    "sha256": ["checksum"], "sha512": ["checksum"], "sha1": ["checksum"], "md5": ["checksum"],
    "hash": ["checksum"], "digest": ["checksum"], "integrity": ["checksum"],
    "timeout": ["timeout_for_request", "timeout_for_resource"],
    "concurrency": ["max_parallel"], "parallel": ["max_parallel"], "jobs": ["max_parallel"],
    "retries": ["retry"], "max_retries": ["retry"], "tries": ["retry"],
    "limit_rate": ["rate_limit"], "bandwidth": ["rate_limit"], "max_speed": ["rate_limit"],
    "max_filesize": ["max_bytes"], "max_size": ["max_bytes"], "size": ["expected_bytes"],
    "user_agent": ["headers"], "header": ["headers"], "range": ["segments"],
    "username": ["credentials", "user"], "auth": ["credentials"], "token": ["credentials"],
    "cacert": ["ca_file"], "cert": ["client_certificate"], "key": ["client_key"],
    "verify": ["insecure"], "status_code": ["status"], "code": ["status"],
    "variables": ["vars"], "env": ["vars"], "title": ["name"], "workdir": ["root"],
    "payload": ["body"], "verb": ["method"], "continue_on_error": ["optional"],
    "strategy": ["matrix"], "foreach": ["items"], "loop": ["items"],
    "connections": ["max_connections_per_host", "segments"],
    "cookie_jar": ["cookies"], "dns": ["resolve"], "location": ["redirects"],
  ]

  /// The keys of `known` that are meant, in quotes and joined by "or"; nil when none is.
  static func suggestion(for name: String, among known: [String]) -> String? {
    let key = name.lowercased().map { $0 == "-" ? "_" : String($0) }.joined()
    let found = (meant[key] ?? []).filter { known.contains($0) && $0 != name }
    return found.isEmpty ? nil : found.map { "`\($0)`" }.joined(separator: " or ")
  }
}

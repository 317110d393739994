/// What the state keeps of a task's end beside its log line: the tries that failed and the
/// redirects that were followed. A task that went straight through has none, and costs nothing.
package enum TriesEncoding {
  /// The first tries and the last ones are told; what lies between is counted.
  static let toldAtEachEnd = 10
  /// Bytes of a message, at most.
  static let messageLimit = 500

  /// A JSON object with `attempt_log`, `attempts_left_out` and `redirects`; nil when there is
  /// nothing to tell.
  package static func notes(_ result: TaskResult) -> [UInt8]? {
    if result.attemptLog.isEmpty && result.redirects.isEmpty { return nil }
    var json = JSONWriter()
    json.beginObject()
    let notes = result.attemptLog
    let leftOut = max(0, notes.count - 2 * toldAtEachEnd)
    json.key("attempt_log")
    json.beginArray()
    for (index, note) in notes.enumerated() {
      let isTold = index < toldAtEachEnd || index >= notes.count - toldAtEachEnd
      if isTold { attempt(note, number: index + 1, to: &json) }
    }
    json.endArray()
    if leftOut > 0 { json.member("attempts_left_out", leftOut) }
    json.key("redirects")
    json.beginArray()
    for hop in result.redirects.suffix(2 * toldAtEachEnd) {
      json.beginObject()
      json.member("status", hop.status)
      json.member("url", short(hop.url))
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.bytes
  }

  private static func attempt(
    _ note: TaskResult.AttemptNote, number: Int, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("try", number)
    if let failure = note.failure {
      json.member("code", failure.kind.rawValue)
      json.member("message", short(failure.detail))
    }
    json.member("status", note.status)
    if let delay = note.delay {
      json.member("delay", Double(delay.nanoseconds) / 1_000_000_000)
    }
    json.endObject()
  }

  private static func short(_ text: String) -> String {
    if text.utf8.count <= messageLimit { return text }
    return String(decoding: text.utf8.prefix(messageLimit), as: UTF8.self) + "..."
  }
}

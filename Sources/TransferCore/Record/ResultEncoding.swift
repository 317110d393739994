/// Writes what `run --json` prints: one document, the run's end with every task's result.
package enum ResultEncoding {
  /// A body that is text and no longer than this is part of the result; others are not.
  package static let inlineBodyLimit = 64 * 1_024

  /// Writes the whole document: the `run_finished` object with `tasks` in it.
  package static func run(
    _ end: RunEnd, results: [TaskResult], in plan: Plan, of run: RunRecord, at time: WallTime,
    to json: inout JSONWriter
  ) {
    RecordEncoding.begin("run_finished", of: run, at: time, to: &json)
    RecordEncoding.endMembers(end, to: &json)
    json.key("tasks")
    json.beginArray()
    for result in results { task(result, in: plan, of: run, at: time, to: &json) }
    json.endArray()
    json.endObject()
  }

  private static func task(
    _ result: TaskResult, in plan: Plan, of run: RunRecord, at time: WallTime,
    to json: inout JSONWriter
  ) {
    RecordEncoding.begin("task_finished", of: run, at: time, to: &json)
    RecordEncoding.taskMembers(result, in: plan, to: &json)
    json.member("source", result.source?.rawValue)
    if result.isUnframed { json.member("unframed", true) }
    if let head = result.head {
      json.key("response_headers")
      fields(of: head, to: &json)
    }
    interim(result.interim, to: &json)
    redirects(result.redirects, to: &json)
    attempts(result.attemptLog, to: &json)
    body(of: result, to: &json)
    json.endObject()
  }

  private static func interim(_ heads: [ResponseHead], to json: inout JSONWriter) {
    json.key("interim")
    json.beginArray()
    for head in heads {
      json.beginObject()
      json.member("status", head.status)
      json.key("headers")
      fields(of: head, to: &json)
      json.endObject()
    }
    json.endArray()
  }

  private static func redirects(_ hops: [TaskResult.Redirect], to json: inout JSONWriter) {
    json.key("redirects")
    json.beginArray()
    for hop in hops {
      json.beginObject()
      json.member("status", hop.status)
      json.member("url", hop.url)
      json.endObject()
    }
    json.endArray()
  }

  private static func attempts(_ notes: [TaskResult.AttemptNote], to json: inout JSONWriter) {
    json.key("attempt_log")
    json.beginArray()
    for note in notes {
      json.beginObject()
      if let failure = note.failure {
        json.key("error")
        RecordEncoding.error(failure, isRetryable: nil, to: &json)
      }
      json.member("status", note.status)
      if let delay = note.delay {
        json.member("delay", Double(delay.nanoseconds) / 1_000_000_000)
      }
      json.endObject()
    }
    json.endArray()
  }

  private static func body(of result: TaskResult, to json: inout JSONWriter) {
    if let path = result.path {
      json.member("body_path", path)
    } else if !result.body.isEmpty, result.body.count <= inlineBodyLimit,
      let text = String(validating: result.body, as: UTF8.self), !text.utf8.contains(0)
    {
      json.member("body", text)
    }
  }

  /// The fields of a head as `[name, value]` pairs in their order, repeats kept; a folded line
  /// (RFC 9112, section 5.2) goes on the one before it.
  private static func fields(of head: ResponseHead, to json: inout JSONWriter) {
    json.beginArray()
    var field: (name: ArraySlice<UInt8>, value: [UInt8])?
    for line in head.raw.split(separator: UInt8(ascii: "\n")).dropFirst() {
      if isSpace(line.first) {
        field?.value.append(UInt8(ascii: " "))
        field?.value.append(contentsOf: trimmed(line))
        continue
      }
      pair(field, to: &json)
      field = line.firstIndex(of: UInt8(ascii: ":")).map { colon in
        (trimmed(line[..<colon]), Array(trimmed(line[(colon + 1)...])))
      }
    }
    pair(field, to: &json)
    json.endArray()
  }

  private static func pair(
    _ field: (name: ArraySlice<UInt8>, value: [UInt8])?, to json: inout JSONWriter
  ) {
    guard let field else { return }
    json.beginArray()
    json.string(utf8: field.name)
    if CookieMask.isSecret(field.name) {
      json.string(CookieMask.shown(String(decoding: field.value, as: UTF8.self)))
    } else {
      json.string(utf8: field.value)
    }
    json.endArray()
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: { isSpace($0) })
    while isSpace(line.last) { line.removeLast() }
    return line
  }

  private static func isSpace(_ byte: UInt8?) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }
}

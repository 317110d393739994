import TransferCore
import TransferIO

/// How a task ended in one run, in sentences made of its record and of what was tried.
enum EndWords {
  static func title(_ end: PastEnd) -> String {
    let outcome = end.record["outcome"]?.text ?? "ended"
    return "Run \(end.runID): \(outcome)"
  }

  static func sentences(_ end: PastEnd) -> [String] {
    let record = end.record
    return counted(record) + tries(end.tries, record["attempts"]?.integer ?? 0) + answer(record)
      + moved(record) + outcome(record)
  }

  /// `2026-11-30 07:54:11 UTC`.
  static func time(_ time: WallTime) -> String { self.time(time.rfc3339) }

  private static func time(_ text: String) -> String {
    text.prefix(19).replacing("T", with: " ") + " UTC"
  }

  private static func counted(_ record: JSONNode) -> [String] {
    let requests = record["transactions"]?.elements.count ?? 0
    let tries = Int(record["attempts"]?.integer ?? 0)
    let at = record["time"]?.text.map { "It ended at \(time($0))" } ?? "It ended"
    if requests == 0 { return ["\(at); nothing was sent."] }
    return ["\(at), after \(count(tries, "try", "tries")) and \(Prose.count(requests, "request"))."]
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  /// Tries that failed and were followed by another, and where redirects led.
  private static func tries(_ tries: JSONNode?, _ made: Int64) -> [String] {
    var words: [String] = []
    var last: Int64 = 0
    for note in tries?["attempt_log"]?.elements ?? [] {
      let number = note["try"]?.integer ?? last + 1
      if number > last + 1 { words.append("Tries \(last + 1) to \(number - 1) failed as well.") }
      last = number
      words.append("Try \(number) failed: \(attempt(note, wasLast: number == made)).")
    }
    for hop in tries?["redirects"]?.elements ?? [] {
      let status = hop["status"]?.integer.map { StatusPhrase.text(Int($0)) } ?? "A redirect"
      words.append("\(status) led on to \(hop["url"]?.text ?? "another address")")
    }
    return words
  }

  private static func attempt(_ note: JSONNode, wasLast: Bool) -> String {
    let status = note["status"]?.integer.map { StatusPhrase.text(Int($0)) }
    var words = note["message"]?.text ?? status ?? "no answer"
    if let code = note["code"]?.text { words += " [\(code)]" }
    guard let delay = note["delay"]?.double else { return words }
    if delay <= 0 { return "\(words); it was tried again at once" }
    let time = Duration.milliseconds(Int64(min(delay * 1000, 9e15)))
    let next = wasLast ? "the next was due" : "the next was made"
    return "\(words); \(next) \(HumanText.duration(time)) later"
  }

  /// The last request and what came back.
  private static func answer(_ record: JSONNode) -> [String] {
    guard let last = record["transactions"]?.elements.last else { return [] }
    let status = last["status"]?.integer.map { Int($0) } ?? 0
    let name = last["network_protocol_name"]?.text
    if status == 0, name != "file" { return ["The last request got no answer."] }
    var facts = name.map { [$0] } ?? []
    if let address = last["remote_address"]?.text {
      facts.append("\(address) port \(last["remote_port"]?.integer ?? 0)")
    }
    if let version = last["tls_protocol_version"]?.text { facts.append(version) }
    if last["is_proxy_connection"] == .bool(true) { facts.append("by proxy") }
    let how = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
    let what =
      status == 0 ? "The file was read" : "The last answer was \(StatusPhrase.text(status))"
    return ["\(what)\(how)."]
  }

  private static func moved(_ record: JSONNode) -> [String] {
    var words: [String] = []
    let received = record["bytes_received"]?.integer ?? 0
    let sent = record["bytes_sent"]?.integer ?? 0
    let resumed = record["bytes_resumed"]?.integer ?? 0
    if sent > 0 { words.append("\(DiskWords.size(sent)) of body were sent.") }
    if resumed > 0 {
      words.append("\(DiskWords.size(resumed)) were here already and were not fetched again.")
    }
    if received > 0 { words.append("\(DiskWords.size(received)) of body came.") }
    return words
  }

  private static func outcome(_ record: JSONNode) -> [String] {
    let reason = record["reason"]?.text
    let path = record["path"]?.text
    var words: [String] = []
    if let checksum = record["checksum"]?.text { words.append("The checksum: \(checksum)") }
    switch Outcome(rawValue: record["outcome"]?.text ?? "") {
    case .done:
      words.append(path.map { "The whole file was put in place: \($0)" } ?? "It was done.")
    case .unchanged, .cached:
      words.append("The file was left as it is" + (reason.map { ": \($0)." } ?? "."))
    case .deferred: words.append("It was put off" + (reason.map { ": \($0)." } ?? "."))
    case .skipped: words.append("It was left out" + (reason.map { ": \($0)." } ?? "."))
    case .failed, .cancelled: words += failure(record)
    case nil: break
    }
    return words
  }

  private static func failure(_ record: JSONNode) -> [String] {
    guard let error = record["error"] else { return ["It failed."] }
    let code = error["code"]?.text ?? "?"
    let message = error["message"]?.text ?? "no message"
    var words = ["It failed for good: \(message) [\(code)]."]
    if error["retryable"] == .bool(true) { words.append("Trying again later may help.") }
    if record["excused"] == .bool(true) { words.append("It is optional, and wasn't counted.") }
    // Words that name their own way out have it after a semicolon.
    if !message.contains("; "), let kind = TransferFailure.Kind(rawValue: code) {
      let status = record["status"]?.integer.map { Int($0) }
      words.append("What to do: \(kind.wayOut(status: status)).")
    }
    return words
  }
}

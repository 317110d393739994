import TransferCore

/// The lines of `-v` below a task's own: where it went, what was tried, how long each step took.
enum TaskDetail {
  static func lines(_ result: TaskResult) -> [String] {
    var lines: [String] = []
    if result.originalURL != result.currentURL || !result.transactions.isEmpty {
      lines.append("from \(start(of: result))")
    }
    lines += result.redirects.map { "\(StatusPhrase.text($0.status)), on to \($0.url)" }
    for (index, note) in result.attemptLog.enumerated() {
      let why = note.failure.map { "\($0.detail) [\($0.kind.rawValue)]" }
      let wait = note.delay.map { ", waited \(HumanText.duration($0))" } ?? ""
      lines.append("try \(index + 1): \(why ?? note.status.map(StatusPhrase.text) ?? "?")\(wait)")
    }
    if let code = result.failure?.curlCode { lines.append("libcurl's code \(code)") }
    if let last = result.transactions.last { lines += transaction(last) }
    if let checksum = result.checksum { lines.append(checksum) }
    return lines.map { String(repeating: " ", count: 11) + Prose.printable($0) }
  }

  /// Where the last try began: another of several addresses than the first, perhaps.
  private static func start(of result: TaskResult) -> String {
    let steps = result.transactions
    guard !steps.isEmpty else { return result.originalURL }
    return steps[max(0, steps.count - 1 - result.redirects.count)].url
  }

  private static func transaction(_ step: Transaction) -> [String] {
    var connection: [String] = []
    if let name = step.networkProtocolName { connection.append(name) }
    if let address = step.remoteAddress {
      connection.append("\(address) port \(step.remotePort ?? 0)")
    }
    if let version = step.tlsProtocolVersion { connection.append(version) }
    if step.isReusedConnection { connection.append("connection reused") }
    if step.isProxyConnection { connection.append("by proxy") }
    return [connection, times(step)].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
  }

  private static func times(_ step: Transaction) -> [String] {
    let spans: [(name: String, from: WallTime?, to: WallTime?)] = [
      ("name", step.domainLookupStart, step.domainLookupEnd),
      ("connect", step.connectStart, step.secureConnectionStart ?? step.connectEnd),
      ("TLS", step.secureConnectionStart, step.secureConnectionEnd),
      ("answer", step.requestStart, step.responseStart),
      ("body", step.responseStart, step.responseEnd),
    ]
    return spans.compactMap { span in
      guard let from = span.from, let to = span.to else { return nil }
      let time = Duration.microseconds(max(0, to.microseconds - from.microseconds))
      return "\(span.name) \(HumanText.shortDuration(time))"
    }
  }
}

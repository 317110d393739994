private typealias Content = FaultContent

extension FaultCase {
  /// Heads that are none, or that say what can't be.
  static let heads: [FaultCase] = [
    head("head-not-http", "a banner of another protocol comes in the head's place", "RFC 9112, 4") {
      _ in .raw("220 ready for something else\r\n") + [.close]
    }.failing("protocol"),
    head("head-status-two-digits", "the status has two digits", "RFC 9112, 4") { _ in
      [.send(Array("HTTP/1.1 20 OK\r\n\(Content.length(Content.one))\r\n\r\n".utf8) + Content.one)]
    }.failing("protocol"),
    head("head-cut-in-field", "the connection ends within a field of the head", "RFC 9112, 8") {
      _ in .raw("HTTP/1.1 200 OK\r\nContent-Le") + [.cut]
    }.failing("truncated", requests: 5),
    head(
      "head-cut-before-empty-line", "the connection ends before the head's empty line",
      "RFC 9112, 8"
    ) { _ in .raw("HTTP/1.1 200 OK\r\n\(Content.length(Content.one))\r\n") + [.cut] }
    .failing("truncated", requests: 5),
    head("head-endless-line", "a field's line of 300 KB", "RFC 9110, 5.4") { _ in
      let long = String(repeating: "a", count: 300_000)
      return [.send(Content.head("200 OK", ["X-Long: \(long)", Content.length(Content.one)]))]
        + [.send(Content.one)]
    }.failing("protocol"),
    head("head-too-many-fields", "a head of 2 MB in short fields", "RFC 9110, 5.4") { _ in
      let fields = (0..<20_000).map { "X-Field-\($0): \(String(repeating: "b", count: 80))" }
      return [.send(Content.head("200 OK", fields + [Content.length(Content.one)]) + Content.one)]
    }.failing("protocol"),
    head("head-nul", "a NUL stands in a field", "RFC 9110, 5.5") { _ in
      [.send(Content.head("200 OK", ["X-Nul: a\0b", Content.length(Content.one)]) + Content.one)]
    }.failing("protocol"),
    head("length-negative", "Content-Length is negative", "RFC 9110, 8.6") { _ in
      [.send(Content.head("200 OK", ["Content-Length: -5"]) + Content.one), .close]
    }.failing("protocol"),
    head(
      "length-no-number", "Content-Length begins with digits and ends in letters", "RFC 9110, 8.6"
    ) { _ in
      [.send(Content.head("200 OK", ["Content-Length: 100abc"]) + Content.one), .close]
    }.failing("protocol"),
    head("length-overflows", "Content-Length has 30 digits", "RFC 9110, 8.6") { _ in
      let digits = String(repeating: "9", count: 30)
      return [.send(Content.head("200 OK", ["Content-Length: \(digits)"]) + Content.one), .close]
    }.failing("protocol"),
    head("length-twice", "two Content-Lengths differ", "RFC 9112, 6.3") { _ in
      let short = "Content-Length: \(Content.half)"
      return [.send(Content.head("200 OK", [short, Content.length(Content.one)]) + Content.one)]
        + [.close]
    }.failing("protocol"),
    head(
      "length-and-chunks", "a Content-Length beside chunks names another length", "RFC 9112, 6.3"
    ) { _ in
      let fields = ["Content-Length: \(Content.half)", Content.chunked]
      return [
        .send(Content.head("200 OK", fields) + Content.chunks(Content.one) + Content.lastChunk)
      ]
    }.failing("protocol").with {
      $0.does = "fails as protocol: the two can't both be right"
    },
  ]

  /// Answers that hold more than one, and codings that nobody asked for between them.
  static let framings: [FaultCase] = [
    framing(
      "coding-of-the-transfer", "Transfer-Encoding: gzip, chunked, and the gzip is cut",
      "RFC 9112, 7"
    ) { _ in
      let coded = Array(FaultGzip.stored(Content.one).dropLast(20))
      let head = Content.head("200 OK", ["Transfer-Encoding: gzip, chunked"])
      return [.send(head + Content.chunks(coded) + Content.lastChunk)]
    }.failing("protocol").with { $0.does = "fails as protocol: only chunked was to be expected" },
    framing(
      "coding-of-the-transfer-unknown", "Transfer-Encoding: x-unknown, chunked", "RFC 9112, 7"
    ) {
      _ in
      let head = Content.head("200 OK", ["Transfer-Encoding: x-unknown, chunked"])
      return [.send(head + Content.chunks(Content.two) + Content.lastChunk)]
    }.failing("protocol"),
    framing("coding-after-chunks", "Transfer-Encoding: chunked, gzip", "RFC 9112, 6.3") { _ in
      let head = Content.head("200 OK", ["Transfer-Encoding: chunked, gzip"])
      return [.send(head + Content.chunks(Content.two) + Content.lastChunk), .close]
    }.failing("protocol"),
    framing("coding-identity", "Transfer-Encoding: identity beside a length", "RFC 9112, 7") { _ in
      let fields = [Content.length(Content.one), "Transfer-Encoding: identity"]
      return [.send(Content.head("200 OK", fields) + Content.one)]
    }.failing("protocol").with { $0.task += ", timeout_for_request: 300ms" },
    smuggled(
      "answer-behind-a-length", "another answer follows the declared length",
      Content.head("200 OK", ["Content-Length: 6"]) + Array("first\n".utf8)),
    smuggled(
      "answer-behind-chunks", "another answer follows the last chunk",
      Content.head("200 OK", [Content.chunked]) + Content.chunks(Array("first\n".utf8))
        + Content.lastChunk),
    smuggled(
      "answer-behind-404", "another answer follows a 404 without a body",
      Content.head("404 Not Found", ["Content-Length: 0"])
    ).with { $0.runs = [Run(exit: 1, error: "status")] },
  ]

  private static func framing(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    head(name, situation, section, script).with { $0.peers = .none }
  }

  /// The first task's answer brings another, a moment later, which the last task must not take for
  /// its own. Between them a task waits for another server, so that it has come by then: what comes
  /// after a request went out looks like an answer to it.
  private static func smuggled(
    _ name: String, _ situation: String, _ first: [UInt8]
  ) -> FaultCase {
    let other = Content.head("200 OK", ["Content-Length: 6"]) + Array("wrong\n".utf8)
    return framing(name, situation, "RFC 9112, 11.2") { exchange in
      switch exchange.request.target {
      case "/first": [.send(first), .pause(milliseconds: 20), .send(other)]
      case "/slow": [.pause(milliseconds: 150)] + Content.whole()
      default: Content.whole(Content.two)
      }
    }.with {
      $0.settings = "max_parallel: 1"
      $0.task = "download: HTTP/first, to: out/first }\n"
      $0.task += "  - { id: m, download: OTHER/slow, to: out/slow }\n"
      $0.task += "  - { id: g, after: [m], download: HTTP/file.bin, to: out/file.bin"
      $0.does = "no other request takes it for its own: the connection is not used again"
      $0.requests = 3
      $0.ending = .bytes(Content.two)
    }
  }

  private static func head(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.head, name, situation, section, "", script: script).with { $0.peers = .fetch }
  }

  /// Fails for good, and leaves nothing under the target's name.
  func failing(_ code: String, requests: Int = 1) -> FaultCase {
    with { fault in
      if fault.does.isEmpty {
        fault.does =
          requests > 1 ? "tries five times, then fails as \(code)" : "fails as \(code), at once"
      }
      fault.runs = [Run(before: fault.runs[0].before, exit: 1, error: code)]
      fault.requests = requests
      fault.ending = .none
    }
  }
}

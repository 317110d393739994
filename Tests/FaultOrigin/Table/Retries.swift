private typealias Content = FaultContent

extension FaultCase {
  /// What is tried again, and what isn't.
  static let retries: [FaultCase] = [
    retry("retry-429", "429, then the file", "RFC 6585, 4") {
      $0.number == 0 ? .answer(429, ["Retry-After: 0"]) : Content.whole()
    }.whole(requests: 2).with { $0.peers = .fetch },
    retry("retry-408", "408, then the file", "RFC 9110, 15.5.9") {
      $0.number == 0 ? .answer(408) : Content.whole()
    }.whole(requests: 2),
    retry("retry-403", "403", "RFC 9110, 15.5.4") { _ in .answer(403) }
      .failing("status").with { $0.peers = .fetch },
    retry("retry-401", "401", "RFC 9110, 15.5.2") { _ in
      .answer(401, ["WWW-Authenticate: Basic realm=\"x\""])
    }.failing("auth").with { $0.peers = .fetch },
    retry("retry-listed", "404, and the task lists it under also", "the contract") {
      $0.number == 0 ? .answer(404) : Content.whole()
    }.whole(requests: 2).with {
      $0.does = "tries again, because the task says so"
      $0.task += ", retry: { also: [404], backoff: 1ms }"
    },
    retry("retry-after-past", "503 with a date that has passed", "RFC 9110, 10.2.3") {
      $0.number == 0
        ? .answer(503, ["Retry-After: Mon, 01 Jan 2024 00:00:00 GMT"]) : Content.whole()
    }.whole(requests: 2).with { $0.does = "takes it as no wait" },
    retry("retry-after-past-850", "the same date as RFC 850 has it", "RFC 9110, 5.6.7") {
      $0.number == 0
        ? .answer(503, ["Retry-After: Monday, 01-Jan-24 00:00:00 GMT"]) : Content.whole()
    }.whole(requests: 2).with { $0.does = "takes it as no wait" },
    retry("retry-after-past-asctime", "the same date as asctime has it", "RFC 9110, 5.6.7") {
      $0.number == 0
        ? .answer(503, ["Retry-After: Mon Jan  1 00:00:00 2024"]) : Content.whole()
    }.whole(requests: 2).with { $0.does = "takes it as no wait" },
    retry("retry-progress", "each try is cut after more than 1 MiB", "the contract") { exchange in
      let start = exchange.rangeStart ?? 0
      let whole = FaultContent.large.count
      let rest = whole - start
      let head =
        start == 0
        ? Content.head("200 OK", [Content.length(FaultContent.large), Content.etagOne])
        : Content.head(
          "206 Partial Content",
          [
            "Content-Length: \(rest)", Content.etagOne,
            "Content-Range: bytes \(start)-\(whole - 1)/\(whole)",
          ])
      return [.send(head + FaultContent.large[start..<(start + min(rest, 1_200_000))]), .cut]
    }.with {
      $0.task += ", retry: { attempts: 2, backoff: 1ms }"
      $0.does = "goes on: such a try is not counted against attempts"
      $0.ending = .bytes(FaultContent.large)
      $0.requests = 5
    },
    retry("retry-after-seconds", "503 with a second to wait", "RFC 9110, 10.2.3") {
      $0.number == 0 ? .answer(503, ["Retry-After: 1"]) : Content.whole()
    }.whole(requests: 2).with {
      $0.does = "waits, then tries again"
      $0.complaint = { FaultCase.waited($0) }
    },
    retry(
      "retry-after-other-session", "the same, and a task of another session", "RFC 9110, 10.2.3"
    ) {
      $0.number == 0 ? .answer(503, ["Retry-After: 1"]) : Content.whole()
    }.with {
      $0.settings = "max_parallel: 1"
      $0.session = "}\n  second: { headers: { X-Second: 'yes' }"
      $0.task += " }\n  - { id: g, session: second, download: HTTP/other.bin, to: out/"
      $0.does = "the whole host is left alone for so long"
      $0.requests = 3
      $0.complaint = { FaultCase.waited($0) }
    },
    retry("retry-after-nonsense", "503 with a Retry-After that is neither", "RFC 9110, 10.2.3") {
      $0.number == 0 ? .answer(503, ["Retry-After: soon"]) : Content.whole()
    }.whole(requests: 2).with { $0.does = "tries again by its own backoff" },
    retry(
      "retry-after-past-deadline", "503 with an hour to wait; the run has a minute",
      "RFC 9110, 10.2.3"
    ) { _ in .answer(503, ["Retry-After: 3600"]) }.with {
      $0.settings = "deadline: 1m"
      $0.does = "is deferred with the time of its next try; an earlier run sends nothing"
      $0.runs = [
        Run(exit: 75, error: "status", tells: "not before"),
        Run(exit: 75, tells: "not before"),
      ]
      $0.requests = 1
      $0.ending = .none
    },
    retry(
      "retry-after-other-tasks", "the same, and another task for that host",
      "RFC 9110, 10.2.3"
    ) { _ in .answer(503, ["Retry-After: 3600"]) }.with {
      $0.settings = "deadline: 1m\nmax_parallel: 1"
      $0.task += " }\n  - { id: g, download: HTTP/other.bin, to: out/"
      $0.does = "both are deferred at once; one request in all"
      $0.runs = [Run(exit: 75, error: "status", tells: "not before")]
      $0.requests = 1
      $0.ending = .none
    },
    retry("refused", "nobody listens on the port", "RFC 9112, 9") { _ in [] }
      .failing("connect", requests: 0).with {
        $0.does = "connects five times, then fails as connect"
        $0.task = "download: 'http://127.0.0.1:1/file.bin', to: out/file.bin"
      },
    retry("retry-dead-connection", "the kept connection was closed in between", "RFC 9112, 9.3.1") {
      $0.number == 0 ? Content.whole() + [.cut] : Content.whole()
    }.with {
      $0.settings = "max_parallel: 1"
      $0.task += " }\n  - { id: g, download: HTTP/other.bin, to: out/"
      $0.does = "opens another one"
      $0.requests = 2
    },
  ]

  /// Whether a second lies between the first request and the next.
  private static func waited(_ exchanges: [FaultExchange]) -> String? {
    guard exchanges.count > 1 else { return "one request" }
    let gap = exchanges[1].milliseconds - exchanges[0].milliseconds
    return gap >= 1_000 ? nil : "the second request came after \(gap) ms"
  }

  private static func retry(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.retry, name, situation, section, "", script: script)
  }
}

private typealias Content = FaultContent

extension FaultCase {
  /// Answers that send elsewhere.
  static let redirects: [FaultCase] =
    [301, 302, 303, 307, 308].map { status in
      redirect("redirect-\(status)", "\(status) to another path", "RFC 9110, 15.4") { exchange in
        exchange.request.target == "/next"
          ? Content.whole() : .answer(status, ["Location: /next"], body: "moved")
      }.with {
        $0.does = "follows it; its page is in no file"
        $0.requests = 2
        $0.peers = .fetch
      }
    } + refused + scoped

  private static let refused: [FaultCase] = [
    redirect("redirect-300", "300 with a Location", "RFC 9110, 15.4.1") { _ in
      .answer(300, ["Location: /next"], body: "choose")
    }.failing("status"),
    redirect("redirect-304", "304 with a Location, unasked", "RFC 9110, 15.4.5") { _ in
      .answer(304, ["Location: /next"])
    }.failing("unexpected_content"),
    redirect("redirect-305", "305 with a Location", "RFC 9110, 15.4.6") { exchange in
      .answer(305, ["Location: \(exchange.url(.other, "/"))"])
    }.failing("status"),
    redirect("redirect-nowhere", "302 without a Location", "RFC 9110, 15.4") { _ in
      .answer(302, body: "somewhere")
    }.failing("status").with { $0.peers = .fetch },
    redirect("redirect-nowhere-expected", "the same, and expect accepts it", "RFC 9110, 15.4") {
      _ in .answer(302, body: Content.two)
    }.with {
      $0.task += ", expect: { status: [302] }"
      $0.does = "is final: its body is the file"
      $0.ending = .bytes(Content.two)
    },
    redirect("redirect-bad-location", "302 whose Location makes no address", "RFC 9110, 10.2.2") {
      _ in .answer(302, ["Location: http://[::1/x"])
    }.failing("protocol").with { $0.peers = .fetch },
    redirect("redirect-circle", "302 to itself", "RFC 9110, 15.4") { _ in
      .answer(302, ["Location: /file.bin"])
    }.failing("redirect_limit", requests: 21).with {
      $0.does = "follows 20, then fails as redirect_limit"
      $0.peers = .fetch
    },
    redirect("redirect-file", "302 to a file of this machine", "RFC 9110, 17.1") { _ in
      .answer(302, ["Location: file:///etc/hostname"])
    }.failing("redirect_refused").with { $0.peers = .fetch },
    redirect("redirect-ftp", "302 to ftp", "RFC 9110, 15.4") { _ in
      .answer(302, ["Location: ftp://127.0.0.1:1/file.bin"])
    }.failing("redirect_refused"),
    redirect("redirect-downgrade", "302 from https to http", "RFC 9110, 15.4") { exchange in
      exchange.place == .https
        ? .answer(302, ["Location: \(exchange.url(.http, "/next"))"]) : Content.whole()
    }.failing("redirect_refused").with {
      $0.task = "download: HTTPS/file.bin, to: out/file.bin"
    },
    redirect("redirect-downgrade-allowed", "the same, and allow_downgrade", "RFC 9110, 15.4") {
      exchange in
      exchange.place == .https
        ? .answer(302, ["Location: \(exchange.url(.http, "/next"))"]) : Content.whole()
    }.with {
      $0.task = "download: HTTPS/file.bin, to: out/file.bin, redirects: { allow_downgrade: true }"
      $0.does = "follows it"
      $0.requests = 2
    },
    redirect("redirect-other-host", "302 elsewhere, and follow: same_host", "the contract") {
      _ in .answer(302, ["Location: http://localhost:1/"])
    }.failing("redirect_refused").with { $0.task += ", redirects: { follow: same_host }" },
    redirect("redirect-body-cut", "the page of a 302 is cut", "RFC 9112, 8") { exchange in
      exchange.request.target == "/next"
        ? Content.whole()
        : [
          .send(Content.head("302 Found", ["Location: /next", "Content-Length: 100"])), .cut,
        ]
    }.with {
      $0.does = "follows it: the head said all"
      $0.requests = 2
    },
  ]

  private static let scoped: [FaultCase] = [
    redirect("redirect-secret", "302 to another port, with headers of the job", "RFC 9110, 15.4") {
      exchange in
      exchange.place == .other
        ? Content.whole() : .answer(302, ["Location: \(exchange.url(.other, "/next"))"])
    }.with {
      $0.task += ", headers: { Authorization: Bearer sesame, X-Api-Key: sesame, Cookie: k=sesame }"
      $0.does = "follows it; the headers stay behind, Authorization and every other"
      $0.requests = 2
      $0.complaint = { FaultCase.leak($0) }
      $0.peers = .secret
    },
    redirect("redirect-secret-back", "the same, and from there back", "RFC 9110, 15.4") {
      exchange in
      switch (exchange.place, exchange.request.target) {
      case (.other, _): .answer(307, ["Location: \(exchange.url(.http, "/back"))"])
      case (_, "/back"): Content.whole()
      default: .answer(302, ["Location: \(exchange.url(.other, "/next"))"])
      }
    }.with {
      $0.task += ", headers: { X-Api-Key: sesame }"
      $0.does = "what stayed behind doesn't come back: another chose that address"
      $0.requests = 3
      $0.complaint = { exchanges in
        exchanges.last?.request["X-Api-Key"] == nil ? FaultCase.leak(exchanges) : "it came back"
      }
    },
    redirect("redirect-scope-any", "a header that says scope: any", "the contract") { exchange in
      exchange.place == .other
        ? Content.whole() : .answer(302, ["Location: \(exchange.url(.other, "/next"))"])
    }.with {
      $0.task += ", headers: { X-Tag: { value: open, scope: any } }"
      $0.does = "goes along"
      $0.requests = 2
      $0.complaint = { $0.last?.request["X-Tag"] == "open" ? nil : "X-Tag didn't go along" }
    },
    redirect("redirect-same-origin", "302 on the same origin, with headers", "RFC 9110, 15.4") {
      $0.request.target == "/next" ? Content.whole() : .answer(302, ["Location: /next"])
    }.with {
      $0.task += ", headers: { Authorization: Bearer sesame }"
      $0.does = "the headers go along"
      $0.requests = 2
      $0.complaint = {
        $0.last?.request["Authorization"] == "Bearer sesame" ? nil : "Authorization didn't go along"
      }
    },
  ]

  /// What another origin than the first saw of `sesame`.
  package static func leak(_ exchanges: [FaultExchange]) -> String? {
    let seen = exchanges.filter { $0.place == .other }.flatMap(\.request.fields)
      .filter { $0.value.contains("sesame") }.map(\.name)
    return seen.isEmpty ? nil : "the other origin saw \(seen.joined(separator: ", "))"
  }

  private static func redirect(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.redirects, name, situation, section, "", script: script)
  }
}

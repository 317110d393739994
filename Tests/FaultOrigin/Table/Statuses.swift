private typealias Content = FaultContent

extension FaultCase {
  /// Answers whose status, range, type, size or coding isn't what was asked.
  static let statuses: [FaultCase] = [
    status("status-404", "404 with a page", "RFC 9110, 15.5.5") { _ in
      .answer(404, body: "nothing here")
    }.failing("status").with { $0.does = "fails as status after one request; the page is no file" },
    status("status-404-endless", "404 with a page that never ends", "RFC 9112, 6.3") { _ in
      [.send(Content.head("404 Not Found", []) + Array("nothing".utf8)), .hold]
    }.failing("status").with {
      $0.does = "waits as long as for any byte, then fails as status: the head said all"
      $0.task += ", timeout_for_request: 300ms"
      $0.peers = .none
    },
    status("status-410", "410 with a page", "RFC 9110, 15.5.11") { _ in
      .answer(410, body: "gone")
    }.failing("status"),
    status("status-500-once", "500 with a page, then the file", "RFC 9110, 15.6.1") { exchange in
      exchange.number == 0 ? .answer(500, body: "oops") : Content.whole()
    }.with {
      $0.does = "tries again; nothing of the page is in the file"
      $0.requests = 2
    },
    status("status-500-always", "500 with a page, always", "RFC 9110, 15.6.1") { _ in
      .answer(500, body: "oops")
    }.failing("status", requests: 5),
    status("status-204", "204 to a download", "RFC 9110, 15.3.5") { _ in
      [.send(Content.head("204 No Content", []))]
    }.failing("unexpected_content"),
    status("status-205", "205 to a download", "RFC 9110, 15.3.6") { _ in
      [.send(Content.head("205 Reset Content", ["Content-Length: 0"]))]
    }.failing("unexpected_content"),
    status("status-206-unasked", "206 with a half, though no Range was asked", "RFC 9110, 15.3.7") {
      _ in
      let range = "Content-Range: bytes 0-\(Content.half - 1)/\(Content.one.count)"
      let body = Array(Content.one[..<Content.half])
      return [
        .send(Content.head("206 Partial Content", [Content.length(body), range]) + body)
      ]
    }.failing("unexpected_content"),
    status("status-304-unasked", "304, though no condition was asked", "RFC 9110, 15.4.5") { _ in
      [.send(Content.head("304 Not Modified", [Content.etagOne]))]
    }.failing("unexpected_content"),
    status("status-101-unasked", "101, though no upgrade was asked", "RFC 9110, 15.2.2") { _ in
      [.send(Content.head("101 Switching Protocols", ["Upgrade: other"]) + Content.one), .close]
    }.failing("protocol"),
    status("interim-answers", "103 and 102 come before the answer", "RFC 9110, 15.2") { _ in
      [.send(Content.head("103 Early Hints", ["Link: </x>"]) + Content.head("102 Wait", []))]
        + Content.whole()
    }.with { $0.does = "waits for the final answer" },
    status("interim-endless", "interim answers without end", "RFC 9110, 15.2") { _ in
      (0..<200).map { _ in .send(Content.head("103 Early Hints", ["Link: </x>"])) }
        + Content.whole()
    }.failing("protocol").with { $0.peers = .none },
    status("type-differs", "an HTML page comes with 200", "RFC 9110, 8.3") { _ in
      Content.whole(Array("<html>sign in</html>".utf8), ["Content-Type: text/html; charset=utf-8"])
    }.failing("unexpected_content").with {
      $0.task += ", expect: { content_type: application/octet-stream }"
      $0.peers = .none
    },
    status("size-differs", "the declared size is not the expected one", "RFC 9110, 8.6") { _ in
      Content.whole()
    }.failing("unexpected_content").with {
      $0.task += ", expect: { size: 7 }"
      $0.peers = .none
    },
    status("estimate-differs", "the size is not that of expected_bytes", "the contract") { _ in
      Content.whole()
    }.with {
      $0.task += ", expected_bytes: 7"
      $0.does = "takes the file: an estimate proves nothing"
      $0.peers = .none
    },
    status("size-over-limit", "the declared size is above max_bytes", "RFC 9110, 8.6") { _ in
      Content.whole()
    }.failing("too_large").with {
      $0.task += ", max_bytes: 1 KiB"
      $0.peers = .none
    },
    status("chunks-over-limit", "chunks without a declared size go past max_bytes", "RFC 9112, 7.1")
    { _ in
      [
        .send(Content.head("200 OK", [Content.chunked]) + Content.chunks(Content.one)),
        .send(Content.lastChunk),
      ]
    }.failing("too_large").with {
      $0.task += ", max_bytes: 8 KiB"
      $0.peers = .none
    },
    status("coding-unasked", "a coding comes unasked", "RFC 9110, 8.4") { _ in
      Content.whole(Content.one, ["Content-Encoding: x-unknown"])
    }.with { $0.does = "stores the body as it came" },
    status("coding-cut", "a coded body is cut; its ETag is strong", "RFC 9110, 8.8.3") { exchange in
      let fields = [Content.etagOne, "Content-Encoding: gzip", "Accept-Ranges: bytes"]
      return exchange.number == 0
        ? Content.cut(Content.one, fields) : Content.whole(Content.one, fields)
    }.with {
      $0.does = "fetches it anew, without Range"
      $0.requests = 2
      $0.peers = .none
      $0.complaint = FaultCase.noRange
    },
  ]

  private static func status(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.head, name, situation, section, "", script: script).with { $0.peers = .fetch }
  }

  /// No request may ask for a range.
  static let noRange: @Sendable ([FaultExchange]) -> String? = { exchanges in
    let ranges = exchanges.compactMap { $0.request["Range"] }
    return ranges.isEmpty ? nil : "Range was asked: \(ranges)"
  }
}

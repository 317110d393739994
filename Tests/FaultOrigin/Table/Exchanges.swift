private typealias Content = FaultContent

extension FaultCase {
  /// Data tasks and uploads: bodies that are sent, and answers that are kept in memory.
  static let exchanges: [FaultCase] = [
    sent("post-503", "POST answered by 503", "RFC 9110, 9.2.2") { _ in .answer(503) }
      .posting("x").failing("status").with { $0.does = "fails as status after one request" },
    sent("post-429", "POST answered by 429", "RFC 6585, 4") { _ in
      .answer(429, ["Retry-After: 0"])
    }.posting("x").failing("status").with { $0.does = "fails as status after one request" },
    sent("post-no-answer", "POST that is sent, and no answer comes", "RFC 9110, 9.2.2") { _ in
      [.cut]
    }.posting("x").failing("connect").with {
      $0.does = "fails as connect: the server may have done it"
    },
    sent("post-unsafe", "the same, and retry: { unsafe: true }", "RFC 9110, 9.2.2") {
      $0.number == 0 ? [.cut] : .answer(200, body: Content.one)
    }.posting("x").with {
      $0.task += ", retry: { unsafe: true, backoff: 1ms }"
      $0.does = "sends it again"
      $0.requests = 2
    },
    sent("put-503", "PUT answered by 503, then by 200", "RFC 9110, 9.2.2") {
      $0.number == 0 ? .answer(503) : .answer(200, body: Content.one)
    }.posting("x", method: "PUT").with {
      $0.does = "sends it again: PUT may be repeated"
      $0.requests = 2
    },
    sent("redirect-post-303", "303 to a POST", "RFC 9110, 15.4.4") {
      $0.request.target == "/next"
        ? .answer(200, body: Content.one) : .answer(303, ["Location: /next"])
    }.posting("x").with {
      $0.does = "becomes GET, without body and content headers"
      $0.requests = 2
      $0.complaint = { FaultCase.secondIs("GET", body: "", $0) }
    },
    sent("redirect-post-301", "301 to a POST", "RFC 9110, 15.4.2") {
      $0.request.target == "/next"
        ? .answer(200, body: Content.one) : .answer(301, ["Location: /next"])
    }.posting("x").with {
      $0.does = "becomes GET, without body and content headers"
      $0.requests = 2
      $0.complaint = { FaultCase.secondIs("GET", body: "", $0) }
    },
    sent("redirect-put-301", "301 to a PUT", "RFC 9110, 15.4.2") {
      $0.request.target == "/next"
        ? .answer(200, body: Content.one) : .answer(301, ["Location: /next"])
    }.posting("x", method: "PUT").with {
      $0.does = "stays PUT, with its body from the start"
      $0.requests = 2
      $0.complaint = { FaultCase.secondIs("PUT", body: "x", $0) }
    },
    sent("redirect-put-303", "303 to a PUT", "RFC 9110, 15.4.4") {
      $0.request.target == "/next"
        ? .answer(200, body: Content.one) : .answer(303, ["Location: /next"])
    }.posting("x", method: "PUT").with {
      $0.does = "becomes GET"
      $0.requests = 2
      $0.complaint = { FaultCase.secondIs("GET", body: "", $0) }
    },
    sent("post-refused", "POST, and nobody listens", "RFC 9110, 9.2.2") { _ in [] }
      .posting("x").failing("connect", requests: 0).with {
        $0.task = $0.task.replacing("HTTP/", with: "'http://127.0.0.1:1/").replacing(
          ".bin, save", with: ".bin', save")
        $0.does = "connects five times, then fails as connect: no byte was sent"
        $0.runs[0].tells = "\"attempts\": 5"
      },
    sent("redirect-post-307", "307 to a POST", "RFC 9110, 15.4.8") {
      $0.request.target == "/next"
        ? .answer(200, body: Content.one) : .answer(307, ["Location: /next"])
    }.posting("x").with {
      $0.does = "stays POST, with its body from the start"
      $0.requests = 2
      $0.complaint = { FaultCase.secondIs("POST", body: "x", $0) }
    },
    expecting("expect-417", "417 to Expect: 100-continue") { exchange in
      exchange.request["Expect"] == nil ? nil : .answer(417) + [.skipBody]
    },
    expecting("expect-417-closed", "417 with Connection: close to Expect: 100-continue") {
      exchange in
      exchange.request["Expect"] == nil ? nil : .answer(417, ["Connection: close"]) + [.close]
    },
    expecting("expect-417-always", "417 with and without Expect") { exchange in
      .answer(417, ["Connection: close"]) + [.close]
    }.failing("status").with {
      $0.requests = 2
      $0.does = "repeats it once without Expect, then fails as status"
    },
    sent("data-cut", "the answer of a data task is cut", "RFC 9112, 8") {
      $0.number == 0 ? Content.cut() : Content.whole()
    }.whole(requests: 2),
    sent("data-unframed", "the answer of a data task ends with the connection", "RFC 9112, 6.3") {
      _ in [.send(Content.head("200 OK", []) + Content.one), .close]
    }.with {
      $0.does = "takes it, and says unframed in the result"
      $0.runs[0].tells = "\"unframed\": true"
    },
    sent("data-own-range", "206 to a Range of the job's own", "RFC 9110, 14.2") {
      Content.served($0, Content.one, etag: "\"one\"")
    }.with {
      $0.task += ", headers: { Range: bytes=100- }"
      $0.does = "takes it: it was asked for"
      $0.ending = .bytes(Array(Content.one[100...]))
    },
    sent("data-too-large", "chunks go past max_bytes", "RFC 9112, 7.1") { _ in
      [
        .send(Content.head("200 OK", [Content.chunked]) + Content.chunks(Content.one)),
        .send(Content.lastChunk),
      ]
    }.failing("too_large").with { $0.task += ", max_bytes: 8 KiB" },
    coded("data-gzip", "a gzip body", []).with { $0.does = "is undone" },
    coded("data-gzip-unframed-cut", "an unframed gzip body that is cut", [.cut(20)])
      .failing("truncated", requests: 5).with {
        $0.does = "tries five times, then fails as truncated: gzip's own end is missing"
      },
    coded("data-gzip-short", "a gzip body, whole by its length, without gzip's end", [.cut(8)])
      .failing("truncated", requests: 5).with {
        $0.does = "tries five times, then fails as truncated: gzip's own end is missing"
      },
    coded("data-gzip-damaged", "a gzip body with a wrong byte", [.damaged])
      .failing("unexpected_content"),
    coded("data-not-gzip", "a plain body that is called gzip", [.plain])
      .failing("unexpected_content"),
    coded("data-gzip-bomb", "a gzip body that grows past max_bytes", []).failing("too_large").with {
      $0.task += ", max_bytes: 8 KiB"
      $0.does = "fails as too_large; what is undone is counted"
    },
  ]

  static func secondIs(
    _ method: String, body: String, _ exchanges: [FaultExchange]
  ) -> String? {
    guard exchanges.count == 2 else { return "\(exchanges.count) requests" }
    let second = exchanges[1].request
    return second.method == method && second.text == body
      && (!body.isEmpty || second["Content-Type"] == nil)
      ? nil : "the second request is \(second.method) \(second.fields) \(second.text)"
  }

  private static func sent(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.requests, name, situation, section, "", script: script).with {
      $0.task = "data: HTTP/file.bin, save: out/file.bin"
    }
  }

  private func posting(_ body: String, method: String = "POST") -> FaultCase {
    with { $0.task += ", method: \(method), body: '\(body)'" }
  }

  private static func expecting(
    _ name: String, _ situation: String,
    _ head: @escaping @Sendable (FaultExchange) -> [OriginStep]?
  ) -> FaultCase {
    sent(name, situation, "RFC 9110, 10.1.1") { _ in .answer(200, body: Content.one) }.with {
      $0.beforeBody = head
      $0.task = "data: HTTP/file.bin, save: out/file.bin, method: PUT, body: { file: large }"
      $0.runs[0].before = .file("large", [UInt8](repeating: 0x61, count: 1_500_000))
      $0.does = "repeats it once, without Expect"
      $0.requests = 2
    }
  }

  private enum GzipFault {
    case cut(Int)
    case damaged, plain
  }

  private static func coded(
    _ name: String, _ situation: String, _ faults: [GzipFault]
  ) -> FaultCase {
    sent(name, situation, "RFC 1952, 2.3") { _ in
      var bytes = FaultGzip.stored(Content.one)
      for fault in faults {
        switch fault {
        case .cut(let count): bytes.removeLast(count)
        case .damaged: bytes[bytes.count / 2] ^= 1
        case .plain: bytes = Content.one
        }
      }
      let isFramed = !name.contains("unframed")
      let fields = ["Content-Encoding: gzip"] + (isFramed ? [Content.length(bytes)] : [])
      return [.send(Content.head("200 OK", fields) + bytes)] + (isFramed ? [] : [.close])
    }
  }
}

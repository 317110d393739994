private typealias Content = FaultContent

extension FaultCase {
  /// A body that was cut, and a server that keeps to the RFC about the rest.
  static let resumes: [FaultCase] = [
    resume("resume-strong-etag", "cut in the middle; the ETag is strong", "RFC 9110, 14.2") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "asks for the rest by Range and If-Range, and goes on with it"
      $0.requests = 2
      $0.complaint = rest(ifRange: "\"one\"")
    },
    resume("resume-cut-again", "the rest is cut as well", "RFC 9110, 14.2") { exchange in
      exchange.number == 1
        ? cutPartial(exchange) : Content.cutThenServed(exchange)
    }.with {
      $0.does = "asks for what is then missing"
      $0.requests = 3
      $0.complaint = rest(ifRange: "\"one\"")
    },
    resume("resume-changed", "the file is another one by then", "RFC 9110, 13.1.5") {
      Content.cutThenServed($0, Content.two, etag: "\"two\"")
    }.with {
      $0.does = "takes the new file whole, out of the same answer"
      $0.requests = 2
      $0.ending = .bytes(Content.two)
    },
    resume("resume-changed-shorter", "the file is shorter than what is here", "RFC 9110, 13.1.5") {
      Content.cutThenServed($0, Array("short\n".utf8), etag: "\"two\"")
    }.with {
      $0.does = "takes the new file whole"
      $0.requests = 2
      $0.ending = .bytes(Array("short\n".utf8))
    },
    resume("resume-last-modified", "no ETag; Last-Modified is older than Date", "RFC 9110, 8.8.2.2")
    {
      dated($0, date: "Date: Tue, 02 Jan 2024 00:00:00 GMT")
    }.with {
      $0.does = "goes on, with the date in If-Range"
      $0.requests = 2
      $0.complaint = rest(ifRange: "Mon, 01 Jan 2024 00:00:00 GMT")
    },
    resume("resume-weak-date", "Last-Modified in the second of Date", "RFC 9110, 8.8.2.2") {
      dated($0, date: "Date: Mon, 01 Jan 2024 00:00:00 GMT")
    }.anew(),
    resume("resume-no-date", "Last-Modified without Date", "RFC 9110, 8.8.2.2") {
      dated($0, date: "X-None: 1")
    }.anew(),
    resume("resume-weak-etag", "the ETag is weak", "RFC 9110, 8.8.3") { exchange in
      exchange.number == 0
        ? Content.cut(Content.one, ["ETag: W/\"one\""])
        : Content.served(exchange, Content.one, etag: "W/\"one\"")
    }.anew(),
    resume("resume-no-validator", "neither ETag nor date; the file changes", "RFC 9110, 13.1.5") {
      exchange in
      exchange.number == 0
        ? Content.cut() : Content.served(exchange, Content.two, etag: "\"two\"")
    }.anew().with { $0.ending = .bytes(Content.two) },
    resume("resume-bad-etag", "the ETag holds a control character", "RFC 9110, 5.5") { exchange in
      exchange.number == 0
        ? Content.cut(Content.one, ["ETag: \"a\u{1}b\""]) : Content.whole()
    }.anew(),
    resume("resume-416-complete", "all bytes are here, only the end was cut", "RFC 9110, 15.5.17") {
      exchange in
      exchange.number > 0
        ? Content.served(exchange, Content.one, etag: "\"one\"")
        : [
          .send(
            Content.head("200 OK", [Content.chunked, Content.etagOne])
              + Content.chunks(Content.one)), .cut,
        ]
    }.with {
      $0.does = "416 names the length that is here: checks and finishes"
      $0.requests = 2
      $0.peers = .none
    },
    resume("resume-redirected", "the rest is behind a redirect", "RFC 9110, 15.4") { exchange in
      switch exchange.request.target {
      case "/moved": Content.served(exchange, Content.one, etag: "\"one\"")
      default:
        exchange.number == 0
          ? Content.cut(Content.one, [Content.etagOne])
          : .answer(302, ["Location: \(exchange.url(.other, "/moved"))"])
      }
    }.with {
      $0.does = "goes on there: the ETag and the length say that it is the same"
      $0.requests = 3
      $0.complaint = rest(ifRange: "\"one\"")
    },
    resume("resume-date-elsewhere", "a date, and the rest is behind a redirect", "RFC 9110, 13.1.5")
    {
      exchange in
      let fields = [
        "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Tue, 02 Jan 2024 00:00:00 GMT",
      ]
      if exchange.number == 0 { return Content.cut(Content.one, fields) }
      if exchange.place == .http {
        return .answer(302, ["Location: \(exchange.url(.other, "/moved"))"])
      }
      return exchange.rangeStart.map { Content.partial(Content.two, from: $0, fields) }
        ?? Content.whole(Content.two, fields)
    }.with {
      $0.does = "starts anew: a date proves nothing about another address"
      $0.requests = 3
      $0.ending = .bytes(Content.two)
      $0.peers = .none
    },
    resume("resume-ranges-ignored", "the server knows no ranges", "RFC 9110, 14.2") { exchange in
      switch exchange.number {
      case 0, 1: Content.cut(Content.one, [Content.etagOne])
      default: Content.whole(Content.one, [Content.etagOne])
      }
    }.with {
      $0.does = "starts anew, and asks that server for no range again in this run"
      $0.requests = 3
      $0.complaint = { exchanges in
        let asked = exchanges.filter { $0.request["Range"] != nil }.map(\.number)
        return asked == [1] ? nil : "Range was asked by requests \(asked)"
      }
      $0.peers = .none
    },
    resume(
      "resume-if-range-ignored", "200 to If-Range though the ETag is the same", "RFC 9110, 13.1.5"
    ) { exchange in
      let fields = [Content.etagOne, "Accept-Ranges: bytes"]
      if exchange.number == 0 { return Content.cut(Content.one, fields) }
      if exchange.request["If-Range"] != nil { return Content.whole(Content.one, fields) }
      return Content.served(exchange, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "asks once more, with Range and If-Match"
      $0.requests = 3
      $0.complaint = { exchanges in
        exchanges.last?.request["If-Match"] == "\"one\"" && exchanges.last?.rangeStart != nil
          ? nil : "the last request has no Range with If-Match"
      }
      $0.peers = .none
    },
    resume(
      "resume-if-match-ignored", "200 to Range with If-Match as well", "RFC 9110, 13.1.1"
    ) { exchange in
      let fields = [Content.etagOne, "Accept-Ranges: bytes"]
      return exchange.number == 0
        ? Content.cut(Content.one, fields) : Content.whole(Content.one, fields)
    }.with {
      $0.does = "takes the whole file; two requests at most ask for the rest"
      $0.requests = 3
      $0.peers = .none
    },
    resume("resume-if-match-fails", "412 to Range with If-Match", "RFC 9110, 15.5.13") { exchange in
      let fields = [Content.etagOne, "Accept-Ranges: bytes"]
      if exchange.number == 0 { return Content.cut(Content.one, fields) }
      if exchange.request["If-Range"] != nil { return Content.whole(Content.one, fields) }
      return Content.served(exchange, Content.two, etag: "\"two\"")
    }.with {
      $0.does = "starts anew"
      $0.requests = 4
      $0.ending = .bytes(Content.two)
      $0.peers = .none
    },
  ]

  static func resume(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.resume, name, situation, section, "", script: script).with { $0.peers = .resume }
  }

  /// Starts anew, without a Range.
  private func anew() -> FaultCase {
    with {
      $0.does = "starts anew, without Range"
      $0.requests = 2
      $0.complaint = FaultCase.noRange
    }
  }

  /// All but the first request ask for a rest, with this If-Range.
  private static func rest(
    ifRange: String
  ) -> @Sendable ([FaultExchange]) -> String? {
    { exchanges in
      for exchange in exchanges.dropFirst() {
        if exchange.rangeStart == nil { return "request \(exchange.number) asks for no range" }
        if exchange.request["If-Range"] != ifRange {
          return "request \(exchange.number) has If-Range \(exchange.request["If-Range"] ?? "none")"
        }
      }
      return nil
    }
  }

  private static func cutPartial(_ exchange: FaultExchange) -> [OriginStep] {
    let start = min(exchange.rangeStart ?? 0, Content.half)
    let tail = Array(Content.one[start...])
    let range = "Content-Range: bytes \(start)-\(Content.one.count - 1)/\(Content.one.count)"
    let head = Content.head("206 Partial Content", [Content.length(tail), range, Content.etagOne])
    return [.send(head + tail[..<(tail.count / 2)]), .cut]
  }

  private static func dated(_ exchange: FaultExchange, date: String) -> [OriginStep] {
    let modified = "Mon, 01 Jan 2024 00:00:00 GMT"
    let fields = ["Last-Modified: \(modified)", date]
    if exchange.number == 0 { return Content.cut(Content.one, fields) }
    guard let start = exchange.rangeStart, exchange.request["If-Range"] == modified else {
      return Content.whole(Content.one, fields)
    }
    return Content.partial(Content.one, from: start, fields)
  }
}

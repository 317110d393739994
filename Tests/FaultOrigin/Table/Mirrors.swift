private typealias Content = FaultContent

extension FaultCase {
  /// Files with more than one address.
  static let mirrors: [FaultCase] = [
    mirror("mirror-404", "the first address has no such file") { exchange in
      exchange.place == .http ? .answer(404) : Content.whole()
    }.with {
      $0.does = "asks the next address at once"
      $0.requests = 2
    },
    mirror("mirror-dead", "nobody listens at the first address") { _ in Content.whole() }.with {
      $0.task = "download: ['http://127.0.0.1:9/file.bin', HTTP/file.bin], to: out/file.bin"
      $0.does = "asks the next address at once"
      $0.requests = 1
    },
    mirror("mirror-continues", "cut; the other address has the same strong ETag") { exchange in
      exchange.number == 0
        ? Content.cut(Content.one, [Content.etagOne])
        : Content.served(exchange, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "goes on at the other address by Range and If-Range"
      $0.requests = 2
      $0.complaint = { exchanges in
        exchanges[1].place == .other && exchanges[1].rangeStart == Content.half
          && exchanges[1].request["If-Range"] == "\"one\""
          ? nil : "the second request doesn't go on at the other address"
      }
    },
    mirror("mirror-dated", "cut; only Last-Modified is known") { exchange in
      let dates = [
        "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Tue, 02 Jan 2024 00:00:00 GMT",
      ]
      return exchange.number == 0 ? Content.cut(Content.two, dates) : Content.whole()
    }.with {
      $0.does = "starts anew: a date says nothing of another server's file"
      $0.requests = 2
      $0.complaint = FaultCase.noConditions
    },
    mirror("mirror-other-version", "cut; the other address has another version") { exchange in
      exchange.number == 0
        ? Content.cut(Content.two, [Content.etagTwo])
        : Content.served(exchange, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "starts anew in the same answer"
      $0.requests = 2
    },
    mirror("mirror-splice", "the same, and it answers 206 against If-Range") { exchange in
      if exchange.number == 0 { return Content.cut(Content.two, [Content.etagTwo]) }
      return exchange.rangeStart.map { Content.partial(Content.one, from: $0, [Content.etagOne]) }
        ?? Content.whole(Content.one, [Content.etagOne])
    }.with {
      $0.does = "sees the other ETag and starts anew"
      $0.requests = 3
    },
    mirror("mirror-digest", "the first address has another file than the declared one") {
      exchange in Content.whole(exchange.place == .http ? Content.two : Content.one)
    }.with {
      $0.task += ", checksum: 'sha256:\(FaultDigest.one)'"
      $0.does = "makes its one clean transfer from the other address"
      $0.requests = 2
    },
    mirror("mirror-none", "no address has it") { _ in .answer(404) }
      .failing("status", requests: 2).with { $0.does = "fails once all were asked" },
    mirror("mirror-passing", "the first has no such file, the second is busy") { exchange in
      if exchange.place == .http { return .answer(404) }
      return exchange.number == 1 ? .answer(503) : Content.whole()
    }.with {
      $0.does = "waits and asks both again"
      $0.requests = 4
    },
    mirror("mirror-refresh", "the file here came from the second address") { exchange in
      exchange.place == .http
        ? .answer(404) : Content.served(exchange, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "asks that address first, with its ETag"
      $0.runs = [Run(), Run()]
      $0.requests = 3
      $0.complaint = { exchanges in
        exchanges[2].place == .other && exchanges[2].request["If-None-Match"] == "\"one\""
          ? nil : "the second run doesn't ask the second address"
      }
    },
    mirror("mirror-refresh-redirected", "the second address redirects to where the file is") {
      exchange in
      if exchange.place == .http { return .answer(404) }
      if exchange.request.target == "/file.bin" {
        return .answer(302, ["Location: /elsewhere.bin"])
      }
      return Content.served(exchange, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "asks the second address first, and where it leads with the ETag"
      $0.runs = [Run(), Run()]
      $0.requests = 5
      $0.complaint = { exchanges in
        exchanges[3].place == .other && exchanges[3].request["If-None-Match"] == nil
          && exchanges[4].request["If-None-Match"] == "\"one\""
          ? nil : "the second run doesn't go where the file came from"
      }
    },
  ]

  private static func mirror(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.mirrors, name, situation, "the contract", "", script: script).with {
      $0.task = "download: [HTTP/file.bin, OTHER/file.bin], to: out/file.bin"
    }
  }
}

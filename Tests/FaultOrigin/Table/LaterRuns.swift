private typealias Content = FaultContent

extension FaultCase {
  /// A run that failed in the middle of a file, and the one after it.
  static let laterRuns: [FaultCase] = [
    later("later-strong-etag", "the next run finds a part file with a strong ETag") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "keeps the part file and goes on with it"
      $0.complaint = goesOn
    },
    later("later-changed", "the next run finds another file on the server") {
      Content.cutThenServed($0, Content.two, etag: "\"two\"")
    }.with {
      $0.does = "takes the new file whole, out of the answer to If-Range"
      $0.ending = .bytes(Content.two)
    },
    later("later-weak-etag", "the ETag of the failed run is weak") { exchange in
      exchange.number == 0
        ? Content.cut(Content.one, ["ETag: W/\"one\""]) : Content.whole()
    }.with {
      $0.does = "removes the part file at once; the next run starts anew"
      $0.runs[0].leavesPart = false
      $0.complaint = FaultCase.noRange
    },
    later("later-fresh", "the next run is told to forget (--fresh)") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "starts anew, without Range"
      $0.runs[1].arguments = ["--fresh"]
      $0.complaint = FaultCase.noRange
    },
    later("later-part-shorter", "the part file was shortened in between") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "starts anew: the state claims more than is there"
      $0.runs[1].before = .shortenPart(100)
      $0.complaint = FaultCase.noRange
    },
    later("later-part-longer", "the part file has bytes more than the state claims") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "cuts it back to what is known to be on disk"
      $0.runs[1].before = .lengthenPart(Array("what a power cut left".utf8))
      $0.complaint = goesOn
    },
    later("later-part-replaced", "another file has the part file's name") {
      Content.cutThenServed($0)
    }.with {
      $0.does = "starts anew: it isn't the file that the state speaks of"
      $0.runs[1].before = .copyPart
      $0.complaint = FaultCase.noRange
    },
    later("later-416-checked", "all bytes are here, and a checksum is declared") { exchange in
      exchange.number > 0
        ? Content.served(exchange, Content.one, etag: "\"one\"")
        : chunked(Content.one[...])
    }.checked().with { $0.does = "416 names the length that is here: checks and finishes" },
    later("later-416-unclaimed", "416 names the claimed length; what lies beyond would match") {
      exchange in
      if exchange.number == 0 { return chunked(Content.one[..<Content.half], "W/\"one\"") }
      let range = "Content-Range: bytes */\(Content.half)"
      return exchange.rangeStart == nil ? Content.whole() : .answer(416, [range])
    }.checked().with {
      $0.does = "checks the bytes that it would put in place, and starts anew"
      $0.runs[1].before = .lengthenPart(Array(Content.one[Content.half...]))
      $0.requests = 3
    },
    later("later-new-address", "another address, the same ETag and length") {
      Content.cutThenServed($0)
    }.at("HTTP").with {
      $0.does = "goes on with the part file"
      $0.complaint = goesOn
    },
    later("later-new-address-changed", "another address, another ETag") {
      Content.cutThenServed($0, Content.two, etag: "\"two\"")
    }.at("HTTP").with {
      $0.does = "starts anew"
      $0.ending = .bytes(Content.two)
    },
    later("later-new-address-etag-only", "another address, the same ETag, another length") {
      exchange in
      exchange.number == 0
        ? Content.cut(Content.one, [Content.etagOne])
        : exchange.rangeStart.map {
          Content.partial(Content.longer, from: $0, [Content.etagOne])
        } ?? Content.whole(Content.longer, [Content.etagOne])
    }.at("HTTP").with {
      $0.does = "starts anew: ETag and length must agree"
      $0.requests = 3
      $0.ending = .bytes(Content.longer)
    },
    later("later-new-address-no-length", "another address, the same ETag, no length was told") {
      exchange in
      exchange.number > 0
        ? Content.served(exchange, Content.two, etag: "\"one\"")
        : chunked(Content.one[..<Content.half])
    }.at("HTTP").with {
      $0.does = "starts anew: ETag and length must agree"
      $0.ending = .bytes(Content.two)
      $0.complaint = FaultCase.noRange
    },
    later("later-new-address-date", "another address, and only a date agrees") { exchange in
      let fields = [
        "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Date: Tue, 02 Jan 2024 00:00:00 GMT",
      ]
      return exchange.number == 0
        ? Content.cut(Content.one, fields) : Content.whole(Content.two, fields)
    }.at("HTTP").with {
      $0.does = "starts anew: length and date prove nothing about another address"
      $0.ending = .bytes(Content.two)
      $0.complaint = FaultCase.noRange
    },
  ]

  private static let goesOn: @Sendable ([FaultExchange]) -> String? = { exchanges in
    let start = exchanges.last?.rangeStart
    return start == Content.half ? nil : "the last request asks from \(start ?? -1)"
  }

  /// Chunks, and no last one.
  private static func chunked(
    _ bytes: ArraySlice<UInt8>, _ etag: String = "\"one\""
  ) -> [OriginStep] {
    let head = Content.head("200 OK", [Content.chunked, "ETag: \(etag)"])
    return [.send(head + Content.chunks(Array(bytes))), .cut]
  }

  /// Two runs, the first of which tries once and fails.
  private static func later(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.resume, name, situation, "RFC 9110, 13.1.5", "", script: script).with {
      $0.task += ", retry: { attempts: 1 }"
      $0.runs = [Run(exit: 1, error: "truncated", leavesPart: true), Run()]
      $0.requests = 2
    }
  }

  /// The file's checksum is declared.
  private func checked() -> FaultCase {
    with { $0.task += ", checksum: 'sha256:\(FaultDigest.one)'" }
  }

  /// The second run asks at another path.
  private func at(_ origin: String) -> FaultCase {
    with {
      $0.settings = "vars: { place: first }"
      $0.task = $0.task.replacing("HTTP/file.bin", with: "'HTTP/${vars.place}/file.bin'")
      $0.runs[1].arguments = ["--var", "place=second"]
    }
  }
}

private typealias Content = FaultContent

extension FaultCase {
  /// One file over several connections. The first answer's body ends only when the others were
  /// asked for theirs.
  static let segments: [FaultCase] = [
    segments("segments-served", "a server that knows ranges, and a strong ETag", of: 4) {
      served($0)
    }.with {
      $0.does = "asks for three ranges beside the first request, with If-Match"
      $0.requests = 4
      $0.complaint = tiled
    },
    segments(
      "segments-no-ranges", "a server that answers every Range with 200", of: 4, goesOn: true
    ) { _ in
      Content.whole(Content.large, [Content.etagOne])
    }.with {
      $0.does = "the first request brings the whole file: of the other answers no byte is used"
      $0.requests = 4
    },
    segments("segments-refused", "503 to every connection but the first", of: 4, goesOn: true) {
      _ in
      .answer(503)
    }.with {
      $0.does = "the first request brings the whole file"
      $0.requests = 4
    },
    segments(
      "segments-one-refused", "429 to the range that follows the first one's", of: 4, goesOn: true
    ) {
      range(of: $0).map { $0.lowerBound < Content.large.count / 2 } ?? false
        ? .answer(429) : served($0)
    }.with {
      $0.does = "the first request goes on up to the next range"
      $0.requests = 4
    },
    segments("segments-last-refused", "503 to the last range, 206 to the others", of: 4) {
      isLast($0) && $0.request["If-Match"] != nil ? .answer(503) : served($0)
    }.with {
      $0.does = "asks for that range alone when the others are there"
      $0.requests = 5
      $0.complaint = { exchanges in
        guard let last = exchanges.last, isLast(last), last.request["If-Range"] == "\"one\"" else {
          return "the last request isn't for the last range"
        }
        return nil
      }
    },
    segments("segments-other-etag", "206 with another ETag, against If-Match", of: 2) { exchange in
      anew(exchange) ?? ranged(exchange, Content.largeTwo, [Content.etagTwo])
    }.startingAnew(),
    segments("segments-other-total", "206 of a file of another length", of: 2) { exchange in
      anew(exchange)
        ?? ranged(exchange, Content.largeTwo, [Content.etagOne], total: Content.large.count + 1)
    }.startingAnew(),
    segments("segments-changed", "412: the file is another one by then", of: 2) { exchange in
      anew(exchange) ?? .answer(412)
    }.startingAnew(),
    segments("segments-wrong-range", "206 of other bytes than were asked", of: 2, goesOn: true) {
      exchange in
      let fields = [Content.etagOne, "Content-Range: bytes 0-99/\(Content.large.count)"]
      return .answer(206, fields, body: Content.largeTwo[..<100])
    }.with {
      $0.does = "the first request brings the whole file"
      $0.requests = 2
    },
    segments("segments-no-etag", "206 without an ETag", of: 2, goesOn: true) {
      ranged($0, Content.largeTwo, [])
    }
    .with {
      $0.does = "the first request brings the whole file"
      $0.requests = 2
    },
    segments("segments-cut", "a range is cut in the middle", of: 2) { cutOnce($0) }.with {
      $0.does = "keeps what came of it, and asks for the rest when the others are there"
      $0.requests = 3
      $0.complaint = onlyTheRest
    },
    segments("segments-later-run", "a range is cut, and the run fails of it", of: 2) { cutOnce($0) }
      .with {
        $0.does = "the next run asks for the bytes that are missing, and no others"
        $0.task += ", retry: { attempts: 1 }"
        $0.runs = [Run(exit: 1, error: "truncated", leavesPart: true), Run()]
        $0.requests = 3
        $0.complaint = onlyTheRest
      },
    whole("segments-weak-etag", "the ETag is weak", ["ETag: W/\"one\"", "Accept-Ranges: bytes"]),
    whole("segments-denied", "Accept-Ranges: none", [Content.etagOne, "Accept-Ranges: none"]),
    whole("segments-coded", "a content coding", [Content.etagOne, "Content-Encoding: x-any"]),
  ]

  /// - Parameters:
  ///   - goesOn: the first answer's body comes to its end; else only so far that nobody needs more.
  ///   - others: the answers to all requests after the first.
  private static func segments(
    _ name: String, _ situation: String, of count: Int, goesOn: Bool = false,
    _ others: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    let gate = OriginGate()
    return FaultCase(.segments, name, situation, "RFC 9110, 14.2", "") { exchange in
      if exchange.number == count - 1 { gate.open() }
      if exchange.number > 0 { return others(exchange) }
      let head = Content.head(
        "200 OK", [Content.length(Content.large), Content.etagOne, "Accept-Ranges: bytes"])
      let most = Content.large.count / 100 * 52
      return [
        .send(head + Content.large[..<65_536]), .wait(gate),
        .send(Array(Content.large[65_536..<most])),
      ] + (goesOn ? [.send(Array(Content.large[most...]))] : [.hold])
    }.with {
      $0.task = "download: HTTP/file.bin, to: out/file.bin, segments: \(count)"
      $0.ending = .bytes(Content.large)
    }
  }

  /// A file that isn't cut.
  private static func whole(_ name: String, _ situation: String, _ fields: [String]) -> FaultCase {
    FaultCase(.segments, name, situation, "RFC 9110, 14.2", "fetches it by one request") { _ in
      Content.whole(Content.large, fields)
    }.with {
      $0.task = "download: HTTP/file.bin, to: out/file.bin, segments: 4"
      $0.ending = .bytes(Content.large)
    }
  }

  private func startingAnew() -> FaultCase {
    with {
      $0.does = "uses no byte of it and starts anew, with one request"
      $0.requests = 3
      $0.ending = .bytes(Content.largeTwo)
    }
  }

  // MARK: Answers

  /// Of a range that has an end; an open one ends with the file.
  private static func range(of exchange: FaultExchange) -> Range<Int>? {
    guard let text = exchange.request["Range"], text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]), first < Content.large.count else { return nil }
    let last = min(Int(ends[1]) ?? .max, Content.large.count - 1)
    return last < first ? nil : first..<(last + 1)
  }

  private static func isLast(_ exchange: FaultExchange) -> Bool {
    range(of: exchange)?.upperBound == Content.large.count
  }

  private static func served(_ exchange: FaultExchange) -> [OriginStep] {
    ranged(exchange, Content.large, [Content.etagOne])
  }

  private static func ranged(
    _ exchange: FaultExchange, _ bytes: [UInt8], _ fields: [String], total: Int? = nil
  ) -> [OriginStep] {
    guard let range = range(of: exchange) else { return Content.whole(bytes, fields) }
    let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total ?? bytes.count)"
    return .answer(206, fields + ["Content-Range: \(place)"], body: bytes[range])
  }

  /// The file as it is by then, to a request for all of it.
  private static func anew(_ exchange: FaultExchange) -> [OriginStep]? {
    exchange.request["Range"] == nil
      ? Content.whole(Content.largeTwo, [Content.etagTwo, "Accept-Ranges: bytes"]) : nil
  }

  /// The second request's range is cut in its middle.
  private static func cutOnce(_ exchange: FaultExchange) -> [OriginStep] {
    guard exchange.number == 1, let range = range(of: exchange) else { return served(exchange) }
    let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Content.large.count)"
    let head = Content.head(
      "206 Partial Content",
      ["Content-Length: \(range.count)", "Content-Range: \(place)", Content.etagOne])
    return [.send(head + Content.large[range].prefix(range.count / 2)), .cut]
  }

  // MARK: What the origin must have seen

  /// The others' ranges follow one another up to the file's end.
  private static func tiled(_ exchanges: [FaultExchange]) -> String? {
    let others = exchanges.dropFirst()
    if others.contains(where: { $0.request["If-Match"] != "\"one\"" }) { return "no If-Match" }
    let ranges = others.compactMap(range(of:)).sorted { $0.lowerBound < $1.lowerBound }
    let touch = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
    guard ranges.count == 3, touch, ranges[2].upperBound == Content.large.count,
      ranges.allSatisfy({ abs($0.count - Content.large.count / 4) < 65_536 })
    else { return "the ranges are \(ranges)" }
    return nil
  }

  /// The last request is for what the cut one left.
  private static func onlyTheRest(_ exchanges: [FaultExchange]) -> String? {
    guard exchanges.count == 3, let cut = range(of: exchanges[1]),
      let rest = range(of: exchanges[2])
    else { return "there aren't two ranges" }
    let first = cut.lowerBound + cut.count / 2
    return rest == first..<cut.upperBound ? nil : "the rest is \(rest), not from \(first)"
  }
}

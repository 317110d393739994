private typealias Content = FaultContent

extension FaultCase {
  /// Answers to a Range that aren't the rest that was asked for.
  static let wrongRanges: [FaultCase] = [
    wrong(
      "range-of-another-version", "206 of the changed file, against If-Range", "RFC 9110, 13.1.5"
    ) { exchange in
      Content.partial(Content.two, from: exchange.rangeStart ?? 0, [Content.etagTwo])
    },
    wrong("range-of-a-longer-file", "206 of a longer file, without an ETag", "RFC 9110, 14.4") {
      exchange in Content.partial(Content.longer, from: exchange.rangeStart ?? 0)
    },
    wrong("range-names-no-version", "206 without an ETag, to a strong one", "RFC 9110, 15.3.7") {
      exchange in Content.partial(Content.two, from: exchange.rangeStart ?? 0)
    },
    wrong("range-names-two-versions", "206 with two ETags that differ", "RFC 9110, 8.8.3") {
      exchange in
      let start = exchange.rangeStart ?? 0
      return Content.partial(Content.two, from: start, [Content.etagTwo, Content.etagOne])
    },
    wrong("range-named-twice", "206 with two Content-Ranges that differ", "RFC 9110, 14.4") {
      exchange in
      let start = exchange.rangeStart ?? 0
      let other = "Content-Range: bytes 0-\(Content.two.count - 1 - start)/\(Content.two.count)"
      return Content.partial(Content.two, from: start, [Content.etagOne, other])
    },
    wrong("range-starts-early", "206 that begins before the byte asked for", "RFC 9110, 15.3.7") {
      exchange in
      Content.partial(Content.two, from: max(0, (exchange.rangeStart ?? 0) - 10), [Content.etagOne])
    },
    wrong("range-starts-late", "206 that begins after the byte asked for", "RFC 9110, 15.3.7") {
      exchange in
      Content.partial(Content.two, from: (exchange.rangeStart ?? 0) + 10, [Content.etagOne])
    },
    wrong("range-ends-early", "206 that ends before the file does", "RFC 9110, 15.3.7") {
      exchange in
      let start = exchange.rangeStart ?? 0
      let tail = Array(Content.two[start..<(start + 100)])
      return partial("bytes \(start)-\(start + 99)/\(Content.two.count)", tail)
    },
    wrong("range-unnamed", "206 without Content-Range", "RFC 9110, 15.3.7") { exchange in
      partial(nil, Array(Content.two[(exchange.rangeStart ?? 0)...]))
    },
    wrong("range-no-total", "206 whose total is *", "RFC 9110, 14.4") { exchange in
      let start = exchange.rangeStart ?? 0
      return partial("bytes \(start)-\(Content.two.count - 1)/*", Array(Content.two[start...]))
    },
    wrong("range-other-unit", "206 with another unit", "RFC 9110, 14.1") { exchange in
      let start = exchange.rangeStart ?? 0
      return partial(
        "lines \(start)-\(Content.two.count - 1)/\(Content.two.count)",
        Array(Content.two[start...]))
    },
    wrong("range-nonsense", "206 whose last byte is before its first", "RFC 9110, 14.4") {
      exchange in
      partial("bytes 500-400/\(Content.two.count)", Array(Content.two[Content.half...]))
    },
    wrong(
      "range-length-differs", "206 whose Content-Length doesn't fit its range", "RFC 9110, 14.4"
    ) {
      exchange in
      let start = exchange.rangeStart ?? 0
      let range = "bytes \(start)-\(Content.two.count - 1)/\(Content.two.count)"
      return partial(range, Array(Content.two[start...].dropLast(50)))
    },
    wrong("range-multipart", "206 as multipart/byteranges", "RFC 9110, 14.6") { exchange in
      let start = exchange.rangeStart ?? 0
      let range = "bytes \(start)-\(Content.two.count - 1)/\(Content.two.count)"
      let body =
        Array("--x\r\nContent-Range: \(range)\r\n\r\n".utf8) + Content.two[start...]
        + Array("\r\n--x--\r\n".utf8)
      let fields = [
        Content.length(body), "Content-Type: multipart/byteranges; boundary=x", Content.etagOne,
      ]
      return [.send(Content.head("206 Partial Content", fields) + body)]
    },
    wrong("range-coded", "206 with a content coding", "RFC 9110, 8.4") { exchange in
      Content.partial(
        Content.two, from: exchange.rangeStart ?? 0, [Content.etagOne, "Content-Encoding: gzip"])
    },
    wrong("range-416-other-length", "416 that names another length", "RFC 9110, 15.5.17") { _ in
      .answer(416, ["Content-Range: bytes */17"])
    },
    wrong("range-416-bare", "416 without Content-Range", "RFC 9110, 15.5.17") { _ in
      .answer(416, body: "no")
    },
    resume("range-416-always", "416 to every request, with or without Range", "RFC 9110, 15.5.17") {
      $0.number == 0
        ? Content.cut(Content.one, [Content.etagOne]) : .answer(416, body: "no")
    }.failing("status").with {
      $0.does = "starts anew once, then fails as status; the part file goes"
      $0.requests = 3
    },
    resume("range-too-long", "206 in chunks with more bytes than its range", "RFC 9110, 14.4") {
      exchange in
      guard exchange.number > 0 else { return Content.cut(Content.one, [Content.etagOne]) }
      let start = min(exchange.rangeStart ?? 0, Content.half)
      let range = "Content-Range: bytes \(start)-\(Content.one.count - 1)/\(Content.one.count)"
      let body = Array(Content.one[start...]) + Content.two
      return [
        .send(
          Content.head("206 Partial Content", [Content.chunked, range, Content.etagOne])
            + Content.chunks(body) + Content.lastChunk)
      ]
    }.failing("protocol").with {
      $0.requests = 2
      $0.runs[0].leavesPart = true
    },
  ]

  /// The first request is cut; the second gets `second`; those without a Range the new file.
  private static func wrong(
    _ name: String, _ situation: String, _ section: String,
    _ second: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    resume(name, situation, section) { exchange in
      if exchange.number == 0 { return Content.cut(Content.one, [Content.etagOne]) }
      guard let start = exchange.rangeStart else {
        return Content.whole(Content.two, [Content.etagTwo])
      }
      // Some clients ask for one byte to see whether ranges are known.
      return start > Content.half ? .answer(416) : second(exchange)
    }.with {
      $0.does = "uses no byte of it and starts anew"
      $0.requests = 3
      $0.ending = .bytes(Content.two)
    }
  }

  private static func partial(_ range: String?, _ body: [UInt8]) -> [OriginStep] {
    let named = range.map { ["Content-Range: \($0)"] } ?? []
    let fields = [Content.length(body), Content.etagOne] + named
    return [.send(Content.head("206 Partial Content", fields) + body)]
  }
}

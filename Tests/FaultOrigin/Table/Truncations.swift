private typealias Content = FaultContent

extension FaultCase {
  /// Bodies that end early, by every framing of HTTP/1.
  static let truncations: [FaultCase] = [
    cut("length-cut-once", "FIN in the middle of a Content-Length, then the file", "RFC 9112, 8") {
      exchange in exchange.number == 0 ? Content.cut() : Content.whole()
    }.whole(requests: 2),
    cut("length-cut-always", "FIN in the middle of a Content-Length, always", "RFC 9112, 8") { _ in
      Content.cut()
    }.failing("truncated", requests: 5),
    cut("length-cut-at-last-byte", "FIN one byte before the declared end, always", "RFC 9112, 8") {
      _ in
      [.send(Content.head("200 OK", [Content.length(Content.one)]) + Content.one.dropLast()), .cut]
    }.failing("truncated", requests: 5),
    cut("length-cut-at-first-byte", "FIN after the head, before the body, always", "RFC 9112, 8") {
      _ in [.send(Content.head("200 OK", [Content.length(Content.one)])), .cut]
    }.failing("truncated", requests: 5),
    cut("length-reset-once", "RST in the middle of the body, then the file", "RFC 9112, 9.5") {
      exchange in
      exchange.number == 0 ? Content.cut(by: .reset) : Content.whole()
    }.whole(requests: 2),
    cut("length-exceeded", "more bytes come than Content-Length says", "RFC 9112, 6.3") { _ in
      [.send(Content.head("200 OK", [Content.length(Content.one)]) + Content.one + Content.two)]
        + [.close]
    }.with { $0.does = "takes the declared length and closes the connection" },
    cut("chunks-without-last", "FIN after whole chunks, without the last", "RFC 9112, 8") { _ in
      [.send(Content.head("200 OK", [Content.chunked]) + Content.chunks(Content.one)), .cut]
    }.failing("truncated", requests: 5),
    cut("chunks-cut-in-data", "FIN within a chunk's data", "RFC 9112, 8") { _ in
      let coded = Content.chunks(Content.one)
      return [.send(Content.head("200 OK", [Content.chunked]) + coded[..<(coded.count / 2)]), .cut]
    }.failing("truncated", requests: 5),
    cut("chunks-cut-in-size", "FIN within a chunk's size", "RFC 9112, 8") { _ in
      [
        .send(Content.head("200 OK", [Content.chunked]) + Content.chunks(Content.one) + [0x31]),
        .cut,
      ]
    }.failing("truncated", requests: 5),
    cut("chunks-cut-in-last", "FIN within the last chunk's line end", "RFC 9112, 8") { _ in
      let coded = Content.chunks(Content.one) + Array("0\r\n".utf8)
      return [.send(Content.head("200 OK", [Content.chunked]) + coded), .cut]
    }.failing("truncated", requests: 5),
    cut("chunks-cut-once", "FIN within a chunk, then the file", "RFC 9112, 8") { exchange in
      let coded = Content.chunks(Content.one)
      return exchange.number > 0
        ? Content.whole() : [.send(Content.head("200 OK", [Content.chunked]) + coded[..<9]), .cut]
    }.whole(requests: 2),
    cut("chunks-bad-size", "a chunk's size is no number", "RFC 9112, 7.1") { _ in
      let coded = Content.chunks(Content.one) + Array("zz\r\nrest\r\n0\r\n\r\n".utf8)
      return [.send(Content.head("200 OK", [Content.chunked]) + coded), .close]
    }.with { $0.does = "tries five times, then fails as truncated" }
      .failing("truncated", requests: 5),
    cut("chunks-huge-size", "a chunk's size has 20 digits", "RFC 9112, 7.1") { _ in
      let coded = Array("ffffffffffffffffffff\r\n".utf8) + Content.one
      return [.send(Content.head("200 OK", [Content.chunked]) + coded), .close]
    }.failing("truncated", requests: 5),
    cut("chunks-trailers", "fields follow the last chunk", "RFC 9112, 7.1.2") { _ in
      let coded = Content.chunks(Content.one) + Array("0\r\nX-Sum: 1\r\nETag: \"no\"\r\n\r\n".utf8)
      return [.send(Content.head("200 OK", [Content.chunked]) + coded)]
    }.with { $0.does = "takes the file; trailers decide nothing" },
    cut("unframed", "the body ends with the connection, whole", "RFC 9112, 6.3") { _ in
      [.send(Content.head("200 OK", []) + Content.one), .close]
    }.failing("unexpected_content").with {
      $0.does = "fails as unexpected_content: a cut can't be told from the end"
      $0.peers = .none
    },
    cut("unframed-cut", "the body ends with the connection, cut in the middle", "RFC 9112, 8") {
      _ in
      [.send(Content.head("200 OK", []) + Content.one[..<Content.half]), .close]
    }.failing("unexpected_content"),
    cut("unframed-1.0-cut", "the same from an HTTP/1.0 server", "RFC 9112, 8") { _ in
      [
        .send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + Content.one[..<Content.half]), .close,
      ]
    }.failing("unexpected_content"),
    cut("unframed-reset", "an unframed body ends with RST", "RFC 9112, 8") { _ in
      [.send(Content.head("200 OK", []) + Content.one[..<Content.half]), .reset]
    }.failing("truncated", requests: 5).with {
      $0.task += ", allow_unframed: true"
    },
    cut("unframed-allowed", "an unframed body, and allow_unframed", "RFC 9112, 6.3") { _ in
      [.send(Content.head("200 OK", []) + Content.one), .close]
    }.with {
      $0.task += ", allow_unframed: true"
      $0.does = "takes it as whole"
      $0.peers = .none
    },
    cut("unframed-short-of-size", "an unframed body ends short of expect.size", "RFC 9112, 8") {
      _ in [.send(Content.head("200 OK", []) + Content.one[..<Content.half]), .close]
    }.failing("unexpected_content").with {
      $0.task += ", expect: { size: \(Content.one.count) }"
      $0.peers = .none
    },
  ]

  private static func cut(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.truncation, name, situation, section, "", script: script).with { $0.peers = .fetch }
  }

  /// Ends with the whole file after so many requests.
  func whole(requests: Int) -> FaultCase {
    with {
      if $0.does.isEmpty { $0.does = "tries again; the file is whole" }
      $0.requests = requests
    }
  }
}

/// The file that cases fetch, in two versions, and well-formed answers about it.
package enum FaultContent {
  package static let one = content("first")
  /// As long as `one`: only its bytes differ.
  package static let two = content("other")
  /// Longer than `one`.
  package static let longer = two + Array("and one line more\n".utf8)
  /// Where cut answers end.
  package static let half = one.count / 2

  /// Some MiB.
  package static let large = Array(repeating: one, count: 100).flatMap(\.self)

  /// As long as `large`: only its bytes differ.
  package static let largeTwo = Array(repeating: two, count: 100).flatMap(\.self)

  private static func content(_ word: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in 0..<1_200 { bytes += "line \(line) of the \(word) version of this file\n".utf8 }
    return bytes
  }

  package static let etagOne = "ETag: \"one\""
  package static let etagTwo = "ETag: \"two\""

  /// Status line, fields and the empty line.
  package static func head(_ status: String, _ fields: [String]) -> [UInt8] {
    Array((["HTTP/1.1 " + status] + fields + ["", ""]).joined(separator: "\r\n").utf8)
  }

  package static func length(_ bytes: [UInt8]) -> String { "Content-Length: \(bytes.count)" }

  /// 200 with the whole content.
  package static func whole(_ bytes: [UInt8] = one, _ fields: [String] = []) -> [OriginStep] {
    [.send(head("200 OK", [length(bytes)] + fields) + bytes)]
  }

  /// 200 with a Content-Length that only half of the body follows.
  package static func cut(
    _ bytes: [UInt8] = one, _ fields: [String] = [], by end: OriginStep = .cut
  ) -> [OriginStep] {
    [.send(head("200 OK", [length(bytes)] + fields) + bytes[..<half]), end]
  }

  /// 206 from `start` to the end.
  package static func partial(
    _ bytes: [UInt8], from start: Int, _ fields: [String] = []
  ) -> [OriginStep] {
    if start >= bytes.count { return .answer(416, ["Content-Range: bytes */\(bytes.count)"]) }
    let tail = Array(bytes[start...])
    let range = "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
    return [.send(head("206 Partial Content", [length(tail), range] + fields) + tail)]
  }

  /// What a server does that keeps to RFC 9110, sections 13 and 14, for a file with an ETag.
  package static func served(
    _ exchange: FaultExchange, _ bytes: [UInt8], etag: String
  ) -> [OriginStep] {
    let request = exchange.request
    let field = "ETag: \(etag)"
    if request["If-None-Match"] == etag {
      return [.send(head("304 Not Modified", [field]))]
    }
    if let wanted = request["If-Match"], wanted != etag {
      return .answer(412, [field])
    }
    guard let start = exchange.rangeStart, request["If-Range"].map({ $0 == etag }) ?? true else {
      return whole(bytes, [field, "Accept-Ranges: bytes"])
    }
    if start >= bytes.count {
      return .answer(416, ["Content-Range: bytes */\(bytes.count)", field])
    }
    return partial(bytes, from: start, [field])
  }

  /// Cut in the middle at first, then well served.
  package static func cutThenServed(
    _ exchange: FaultExchange, _ bytes: [UInt8] = one, etag: String = "\"one\""
  ) -> [OriginStep] {
    exchange.number == 0
      ? cut(one, [etagOne, "Accept-Ranges: bytes"]) : served(exchange, bytes, etag: etag)
  }

  /// A body in chunks (RFC 9112, section 7.1), without the last one.
  package static func chunks(_ bytes: [UInt8], of size: Int = 4_096) -> [UInt8] {
    var coded: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = bytes[start..<min(start + size, bytes.count)]
      coded += Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + [13, 10]
    }
    return coded
  }

  package static let lastChunk = Array("0\r\n\r\n".utf8)
  package static let chunked = "Transfer-Encoding: chunked"
}

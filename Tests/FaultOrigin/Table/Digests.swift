private typealias Content = FaultContent

extension FaultCase {
  /// Files whose digest is declared.
  static let digests: [FaultCase] = [
    digest("digest-differs", "the body is whole and isn't the declared one") { _ in
      Content.whole(Content.two)
    }.failing("digest_mismatch", requests: 2).with {
      $0.does = "fetches it once more, then fails and tells both digests"
      $0.runs[0].tells = FaultDigest.one
    },
    digest("digest-differs-once", "the first body isn't the declared one, the second is") {
      Content.whole($0.number == 0 ? Content.two : Content.one)
    }.with {
      $0.does = "fetches it once more, and takes that"
      $0.requests = 2
    },
    digest("digest-second-differs", "of two declared digests the second differs") { _ in
      Content.whole()
    }.failing("digest_mismatch", requests: 2).with {
      $0.does = "each must match: fails after one more transfer"
      let wrong = "md5:" + String(repeating: "0", count: 32)
      let right = "checksum: 'sha256:\(FaultDigest.one)'"
      $0.task = $0.task.replacing(
        right, with: "checksum: ['sha256:\(FaultDigest.one)', '\(wrong)']")
    },
    digest("digest-continues", "cut, without a validator; a checksum is declared") { exchange in
      switch exchange.number {
      case 0: Content.cut()
      default: Content.served(exchange, Content.one, etag: "\"one\"")
      }
    }.with {
      $0.does = "goes on by Range without If-Range: the checksum decides"
      $0.requests = 2
      $0.complaint = { exchanges in
        exchanges[1].rangeStart == Content.half && exchanges[1].request["If-Range"] == nil
          ? nil : "the second request doesn't ask for the rest"
      }
    },
    digest("digest-splice", "the same, and the rest is of another version") { exchange in
      switch exchange.number {
      case 0: Content.cut(Content.two)
      default: Content.served(exchange, Content.one, etag: "\"one\"")
      }
    }.with {
      $0.does = "sees that the splice is neither, and fetches it once more"
      $0.requests = 3
    },
    digest("digest-unframed", "an unframed body that is the declared one") { _ in
      [.send(Content.head("200 OK", []) + Content.one), .close]
    }.with { $0.does = "takes it: the checksum proves that it is whole" },
    digest("digest-unframed-cut", "an unframed body, cut") { _ in
      [.send(Content.head("200 OK", []) + Content.one[..<Content.half]), .close]
    }.failing("digest_mismatch", requests: 2).with {
      $0.does = "fails as digest_mismatch after one more transfer"
    },
    digest("digest-new-etag", "another strong ETag at the resume") { exchange in
      exchange.number == 0
        ? Content.cut(Content.two, [Content.etagTwo])
        : exchange.rangeStart.map { Content.partial(Content.one, from: $0, [Content.etagOne]) }
          ?? Content.whole(Content.one, [Content.etagOne])
    }.with {
      $0.does = "starts anew, though a checksum is declared"
      $0.requests = 3
    },
    digest("digest-kept", "the file with the declared checksum is here already") { _ in
      Content.whole()
    }.with {
      $0.does = "asks for nothing: unchanged"
      $0.runs = [Run(), Run()]
      $0.requests = 1
    },
    FaultCase(
      .digest, "repr-digest-differs", "the body is whole and isn't what its Repr-Digest says",
      "RFC 9530, 3", "fetches it once more, then fails and tells both digests"
    ) { _ in Content.whole(Content.two, ["Repr-Digest: \(FaultDigest.fieldOne)"]) }
    .failing("digest_mismatch", requests: 2).with { $0.runs[0].tells = FaultDigest.one },
    FaultCase(
      .digest, "repr-digest-of-a-resumed", "cut, and the resumed file has the declared Repr-Digest",
      "RFC 9530, 3", "hashes the whole file and takes it"
    ) { exchange in
      let fields = [Content.etagOne, "Repr-Digest: \(FaultDigest.fieldOne)"]
      return exchange.rangeStart.map { Content.partial(Content.one, from: $0, fields) }
        ?? Content.cut(Content.one, fields)
    }.with { $0.requests = 2 },
    FaultCase(
      .digest, "repr-digest-splice", "the same, but the rest is of another version",
      "RFC 9530, 3", "sees that the splice is neither, and fetches it once more"
    ) { exchange in
      let fields = [Content.etagOne, "Repr-Digest: \(FaultDigest.fieldOne)"]
      switch exchange.number {
      case 0: return Content.cut(Content.two, fields)
      case 1: return Content.partial(Content.one, from: exchange.rangeStart ?? 0, fields)
      default: return Content.whole(Content.one, fields)
      }
    }.with { $0.requests = 3 },
    FaultCase(
      .digest, "content-digest-differs", "a piece isn't what its Content-Digest says",
      "RFC 9530, 2", "fetches the file once more"
    ) { exchange in
      switch exchange.number {
      case 0: return Content.cut(Content.one, [Content.etagOne])
      case 1:
        return Content.partial(
          Content.one, from: exchange.rangeStart ?? 0,
          [Content.etagOne, "Content-Digest: \(FaultDigest.fieldOne)"])
      default: return Content.whole()
      }
    }.with { $0.requests = 3 },
    listed("list-without-file", "the checksum file doesn't name the file") { _ in
      Content.whole()
    }.failing("checksum_list", requests: 0).with {
      $0.does = "fails as checksum_list; nothing is sent"
      $0.runs[0].before = .file("SUMS", Array("\(FaultDigest.one)  other.bin\n".utf8))
    },
    listed("list-missing", "the checksum file isn't there") { _ in
      Content.whole()
    }.failing("checksum_list", requests: 0).with {
      $0.does = "fails as checksum_list; nothing is sent"
    },
    listed("list-changed", "the list names another digest than last time; 304 would come") {
      exchange in
      exchange.number == 0
        ? Content.served(exchange, Content.one, etag: "\"one\"")
        : Content.served(exchange, Content.two, etag: "\"one\"")
    }.with {
      $0.does = "fetches the file anew, without conditions"
      $0.runs = [
        Run(before: .file("SUMS", Array("\(FaultDigest.one)  file.bin\n".utf8))),
        Run(before: .file("SUMS", Array("\(FaultDigest.two)  file.bin\n".utf8))),
      ]
      $0.requests = 2
      $0.ending = .bytes(Content.two)
      $0.complaint = FaultCase.noConditions
    },
  ]

  /// No request may lay a condition.
  static let noConditions: @Sendable ([FaultExchange]) -> String? = { exchanges in
    let laid = exchanges.filter { exchange in
      ["If-None-Match", "If-Modified-Since", "If-Range", "If-Match"]
        .contains { exchange.request[$0] != nil }
    }
    return laid.isEmpty ? nil : "conditions were laid on requests \(laid.map(\.number))"
  }

  private static func digest(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.digest, name, situation, "the contract", "", script: script).with {
      $0.task += ", checksum: 'sha256:\(FaultDigest.one)'"
    }
  }

  private static func listed(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.digest, name, situation, "the contract", "", script: script).with {
      $0.task += ", checksum: { file: SUMS, algorithm: sha256 }"
    }
  }
}

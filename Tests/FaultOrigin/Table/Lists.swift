private typealias Content = FaultContent

extension FaultCase {
  /// Checksum lists from addresses: the list is at OTHER, the file at HTTP.
  static let lists: [FaultCase] = [
    fetched("list-fetched", "the checksum file is at an address") { _ in right }
      .with { $0.does = "fetches it once, before the file" },
    fetched("list-fetched-404", "the checksum file's address answers 404") { _ in .answer(404) }
      .failing("checksum_list", requests: 1).with {
        $0.does = "fails as checksum_list and names the address; the file isn't asked for"
        $0.runs[0].tells = "/SUMS can't be had: the server answered 404"
      },
    fetched("list-fetched-503", "the checksum file's address answers 503 once") {
      $0.number == 0 ? .answer(503) : right
    }.with {
      $0.does = "tries again, as for a file"
      $0.requests = 3
    },
    fetched("list-fetched-cut", "the checksum file is cut, once") {
      $0.number == 0
        ? [.send(Content.head("200 OK", ["Content-Length: 500"]) + Array(line.utf8)), .close]
        : right
    }.with {
      $0.does = "sees it, and fetches it again"
      $0.requests = 3
    },
    fetched("list-fetched-unframed", "the checksum file's answer names no length") { _ in
      [.send(Content.head("200 OK", []) + Array(line.utf8)), .close]
    }.failing("checksum_list", requests: 1).with {
      $0.does = "fails as checksum_list: a list that was cut can't be told from a whole one"
      $0.runs[0].tells = "allow_unframed"
    },
    fetched("list-fetched-page", "in place of the checksum file comes a page") { _ in
      Content.whole(Array("<html>no sums here</html>".utf8))
    }.failing("checksum_list", requests: 1).with {
      $0.does = "fails as checksum_list: no line of it is one"
      $0.runs[0].tells = "is it a checksum list?"
    },
    fetched("list-fetched-other", "the checksum file doesn't name the file") { _ in
      Content.whole(Array("\(FaultDigest.one)  other.bin\n".utf8))
    }.failing("checksum_list", requests: 1)
      .with { $0.does = "fails as checksum_list; the file isn't asked for" },
    fetched("list-fetched-differs", "the file isn't the one that the fetched list names") { _ in
      Content.whole(Array("\(FaultDigest.two)  file.bin\n".utf8))
    }.failing("digest_mismatch", requests: 3)
      .with { $0.does = "fetches the file once more, then fails and tells both digests" },
    fetched("list-fetched-partial", "206 that nobody asked for in place of the checksum file") {
      _ in Content.partial(Array(line.utf8), from: 10, [Content.etagOne])
    }.failing("checksum_list", requests: 1).with { $0.does = "fails as checksum_list" },
    fetched("list-fetched-secret", "the checksum file's address leads to another host") {
      $0.place == .other ? .answer(302, ["Location: \($0.url(.http, "/SUMS"))"]) : right
    }.with {
      $0.does = "follows, and the session's headers stay behind"
      $0.requests = 3
      $0.session = "headers: { X-Api-Key: sesame }"
      $0.complaint = { exchanges in
        exchanges[0].request["X-Api-Key"] != nil && exchanges[1].request["X-Api-Key"] == nil
          && exchanges[2].request["X-Api-Key"] != nil
          ? nil : "the header isn't where it belongs"
      }
    },
  ]

  private static let line = "\(FaultDigest.one)  file.bin\n"
  private static let right = FaultContent.whole(Array(line.utf8))

  /// `script` answers for the list alone.
  private static func fetched(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.digest, name, situation, "the contract", "") { exchange in
      exchange.request.target == "/file.bin" ? FaultContent.whole() : script(exchange)
    }.with {
      $0.task += ", checksum: { file: OTHER/SUMS, algorithm: sha256 }"
      $0.requests = 2
    }
  }
}

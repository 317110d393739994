private typealias Content = FaultContent

extension FaultCase {
  /// A second run over a file that is here.
  static let refreshes: [FaultCase] = [
    refresh("refresh-304", "the file is the same", "RFC 9110, 13.1.2") {
      Content.served($0, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "asks once, with If-None-Match; 304 leaves the file: unchanged"
      $0.complaint = { $0.last?.request["If-None-Match"] == "\"one\"" ? nil : "no If-None-Match" }
      $0.peers = .refresh
    },
    refresh("refresh-weak-304", "the same, by a weak ETag", "RFC 9110, 13.1.2") {
      Content.served($0, Content.one, etag: "W/\"one\"")
    }.with { $0.does = "a weak ETag is good for that" },
    refresh("refresh-changed", "the file is another one, of the same length", "RFC 9110, 13.1.2") {
      $0.number == 0
        ? Content.served($0, Content.one, etag: "\"one\"")
        : Content.served($0, Content.two, etag: "\"two\"")
    }.with {
      $0.does = "puts the new file in its place"
      $0.ending = .bytes(Content.two)
      $0.peers = .refresh
    },
    refresh("refresh-cut", "the new file is cut, always", "RFC 9112, 8") {
      $0.number == 0 ? Content.whole() : Content.cut(Content.two)
    }.with {
      $0.does = "fails as truncated; the old file stays"
      $0.runs[1] = Run(exit: 1, error: "truncated")
      $0.requests = 6
      $0.peers = .refresh
    },
    refresh("refresh-500", "500 with a page, always", "RFC 9110, 15.6.1") {
      $0.number == 0 ? Content.whole() : .answer(500, body: "oops")
    }.with {
      $0.does = "fails as status; the old file stays"
      $0.runs[1] = Run(exit: 1, error: "status")
      $0.requests = 6
      $0.peers = .refresh
    },
    refresh("refresh-404", "the file is gone from the server", "RFC 9110, 15.5.5") {
      $0.number == 0 ? Content.whole() : .answer(404, body: "gone")
    }.with {
      $0.does = "fails as status; the old file stays"
      $0.runs[1] = Run(exit: 1, error: "status")
      $0.peers = .refresh
    },
    refresh("refresh-no-validator", "the server gave no validator", "RFC 9110, 8.8") {
      Content.whole($0.number == 0 ? Content.one : Content.two)
    }.with {
      $0.does = "fetches it anew"
      $0.ending = .bytes(Content.two)
      $0.complaint = FaultCase.noConditions
    },
    refresh("refresh-target-edited", "the file here was changed by somebody", "the contract") {
      Content.served($0, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "fetches it anew, without conditions"
      $0.runs[1].before = .file("out/file.bin", Array("edited\n".utf8))
      $0.complaint = FaultCase.noConditions
    },
    refresh("refresh-target-gone", "the file here was removed", "the contract") {
      Content.served($0, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "fetches it anew, without conditions"
      $0.runs[1].before = .file("out/file.bin", nil)
      $0.complaint = FaultCase.noConditions
    },
    refresh("refresh-target-copied", "the file here is a restored copy", "the contract") {
      Content.served($0, Content.one, etag: "\"one\"")
    }.with {
      $0.does = "hashes it once, knows it, and asks with conditions"
      $0.runs[1].before = .copyTarget
      $0.complaint = { $0.last?.request["If-None-Match"] == "\"one\"" ? nil : "no If-None-Match" }
    },
    refresh("refresh-new-address", "another address, the same ETag", "RFC 9110, 8.8.3") {
      Content.served($0, $0.number == 0 ? Content.one : Content.two, etag: "\"one\"")
    }.with {
      $0.settings = "vars: { place: first }"
      $0.task = $0.task.replacing("HTTP/file.bin", with: "'HTTP/${vars.place}/file.bin'")
      $0.runs[1].arguments = ["--var", "place=second"]
      $0.does = "fetches it without conditions: an ETag speaks for one address only"
      $0.ending = .bytes(Content.two)
      $0.complaint = FaultCase.noConditions
    },
    refresh("refresh-redirected", "the file is behind a redirect, and the same", "RFC 9110, 13.1.2")
    {
      $0.request.target == "/moved"
        ? Content.served($0, Content.one, etag: "\"one\"") : .answer(302, ["Location: /moved"])
    }.with {
      $0.does = "asks with conditions where the file came from, and nowhere else"
      $0.requests = 4
      $0.complaint = { exchanges in
        exchanges.map { $0.request["If-None-Match"] } == [nil, nil, nil, "\"one\""]
          ? nil : "If-None-Match belongs to the last request alone"
      }
    },
    refresh("refresh-leads-elsewhere", "the address leads to another host now", "RFC 9110, 8.8.3") {
      switch ($0.place, $0.number) {
      case (.other, _): Content.served($0, Content.two, etag: "\"one\"")
      case (_, 0): Content.served($0, Content.one, etag: "\"one\"")
      default: .answer(302, ["Location: \($0.url(.other, "/file.bin"))"])
      }
    }.with {
      $0.does = "fetches it there without conditions: an ETag speaks for one address only"
      $0.requests = 3
      $0.ending = .bytes(Content.two)
    },
    refresh("refresh-304-other-etag", "304 to a condition that it doesn't fit", "RFC 9110, 15.4.5")
    {
      $0.number == 0
        ? Content.served($0, Content.one, etag: "\"one\"")
        : [.send(Content.head("304 Not Modified", [Content.etagTwo]))]
    }.with { $0.does = "leaves the file: the server was asked about it and says so" },
    refresh("refresh-304-with-body", "304 that carries a body", "RFC 9112, 6.3") {
      $0.number == 0
        ? Content.served($0, Content.one, etag: "\"one\"")
        : [.send(Content.head("304 Not Modified", [Content.etagOne]) + Content.two), .close]
    }.with { $0.does = "takes no byte of it; the file stays" },
  ]

  private static func refresh(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.refresh, name, situation, section, "", script: script).with {
      $0.runs = [Run(), Run()]
      $0.requests = 2
    }
  }
}

private typealias Content = FaultContent

extension FaultCase {
  /// TLS and HTTP/2 that end early, connections that never begin, and silence.
  static let brokenStreams: [FaultCase] = tlsStreams + frames + silences

  private static let tlsStreams: [FaultCase] = [
    broken("tls-cut-in-body", "TLS without close_notify in the middle of the body", "RFC 8446, 6.1")
    { exchange in exchange.number == 0 ? Content.cut() : Content.whole() }
    .secure().whole(requests: 2),
    broken("tls-unframed-cut", "an unframed body ends without close_notify", "RFC 8446, 6.1") { _ in
      [.send(Content.head("200 OK", []) + Content.one[..<Content.half]), .cut]
    }.secure().failing("truncated", requests: 5).with { $0.task += ", allow_unframed: true" },
    broken("tls-unframed-closed", "an unframed body ends with close_notify", "RFC 8446, 6.1") { _ in
      [.send(Content.head("200 OK", []) + Content.one), .close]
    }.secure().with {
      $0.does = "takes it as whole, where allow_unframed is set"
      $0.task += ", allow_unframed: true"
    },
    broken("tls-torn-record", "bytes that are no TLS record in the middle", "RFC 8446, 5.1") {
      exchange in
      exchange.number > 0
        ? Content.whole()
        : [
          .send(
            Content.head("200 OK", [Content.length(Content.one)]) + Content.one[..<Content.half]),
          .sendBare(Array("this is not a record at all".utf8)), .cut,
        ]
    }.secure().whole(requests: 2),
    broken("tls-hello-cut", "the TLS handshake ends within the server's hello", "RFC 8446, 4.1") {
      _ in []
    }.secure().failing("connect", requests: 0).with {
      $0.handshake = .torn
      $0.does = "connects five times, then fails as connect"
    },
    broken("tls-hello-reset", "RST in place of the server's hello", "RFC 8446, 4.1") { _ in [] }
      .secure().failing("connect", requests: 0).with {
        $0.handshake = .reset
        $0.does = "connects five times, then fails as connect"
      },
    broken("tls-plain", "a server without TLS on the port", "RFC 8446, 4.1") { _ in [] }
      .secure().failing("tls", requests: 0).with {
        $0.handshake = .answers(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        $0.does = "fails as tls, at once, and says that the port speaks no TLS"
      },
    broken("tls-other-name", "the certificate is for another name", "RFC 9110, 4.3.4") { _ in
      Content.whole()
    }.failing("tls", requests: 0).with {
      $0.does = "fails as tls, at once; nothing is sent"
      $0.task = "download: 'https://other.example:PORTS/file.bin', to: out/file.bin"
      $0.session = "resolve: { 'other.example:PORTS': 127.0.0.1 }"
      $0.peers = .none
    },
    broken("tls-unknown-authority", "nobody vouches for the certificate", "RFC 9110, 4.3.4") { _ in
      Content.whole()
    }.failing("tls", requests: 0).with {
      $0.does = "fails as tls, at once; nothing is sent"
      $0.task = "download: HTTPS/file.bin, to: out/file.bin"
      $0.session = "tls: { ca_file: /etc/ssl/certs/ca-certificates.crt }"
      $0.peers = .none
    },
  ]

  private static let length = ("content-length", "\(Content.one.count)")
  private static let start = Array(Content.one[..<8_000])

  private static let frames: [FaultCase] = [
    framed(
      "h2-short-length", "END_STREAM before the content-length is there", "RFC 9113, 8.1.1",
      [length], OriginFrames.data(start, ends: true)),
    framed(
      "h2-reset", "RST_STREAM in the middle of the body", "RFC 9113, 5.4.2", [length],
      OriginFrames.data(start) + OriginFrames.reset),
    framed(
      "h2-cut", "FIN in the middle of a stream without a length", "RFC 9113, 5.4", [],
      OriginFrames.data(start)),
    framed(
      "h2-torn-frame", "FIN within a frame", "RFC 9113, 4.1", [],
      Array(OriginFrames.data(start)[..<4_000])),
    framed(
      "h2-going-away", "GOAWAY and FIN in the middle of the body", "RFC 9113, 6.8", [length],
      OriginFrames.data(start) + OriginFrames.goAway),
  ]

  private static let silences: [FaultCase] = [
    broken("no-answer-once", "FIN in place of an answer, then the file", "RFC 9112, 9.3.1") {
      exchange in exchange.number == 0 ? [.cut] : Content.whole()
    }.whole(requests: 2),
    broken("reset-before-answer", "RST in place of an answer, then the file", "RFC 9112, 9.5") {
      exchange in exchange.number == 0 ? [.reset] : Content.whole()
    }.whole(requests: 2),
    broken("silent-head", "no answer comes", "RFC 9112, 9.5") { exchange in
      exchange.number == 0 ? [.hold] : Content.whole()
    }.whole(requests: 2).with {
      $0.task += ", timeout_for_request: 300ms"
      $0.peers = .none
    },
    broken("silent-body", "the body stops coming in the middle", "RFC 9112, 9.5") { exchange in
      exchange.number > 0 ? Content.whole() : Content.cut(by: .hold)
    }.whole(requests: 2).with {
      $0.task += ", timeout_for_request: 300ms"
      $0.peers = .none
    },
    broken("dribble", "a byte now and then, slower than minimum_speed", "RFC 9112, 9.5") {
      exchange in
      let head = OriginStep.send(Content.head("200 OK", [Content.length(Content.one)]))
      return exchange.number > 0
        ? Content.whole() : [head, .dribble(Array(Content.one[..<200]), milliseconds: 20)]
    }.whole(requests: 2).with {
      $0.session = "minimum_speed: { rate: 10 KiB/s, for: 500ms }"
      $0.peers = .none
    },
    broken("resource-timeout", "it goes on, but not to its end in time", "the contract") { _ in
      [.send(Content.head("200 OK", [Content.length(Content.one)]))]
        + [.dribble(Content.one, milliseconds: 20)]
    }.failing("deadline").with {
      $0.task += ", timeout_for_resource: 500ms"
      $0.does = "fails as deadline; nothing under the name"
      $0.peers = .none
    },
  ]

  private static func broken(
    _ name: String, _ situation: String, _ section: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.truncation, name, situation, section, "", script: script).with { $0.peers = .fetch }
  }

  /// The body comes a moment after the head, as it does from a server that has to read it.
  private static func framed(
    _ name: String, _ situation: String, _ section: String, _ fields: [(String, String)],
    _ body: [UInt8]
  ) -> FaultCase {
    let head = OriginFrames.head([(":status", "200")] + fields)
    return broken(name, situation, section) { _ in
      [.send(OriginFrames.opening + head), .pause(milliseconds: 30), .send(body), .cut]
    }.failing("truncated").with {
      $0.does = "is truncated: nothing under the name, and tried again as often as the job allows"
      // One try: whether the next would use the broken connection again is chance.
      $0.task += ", retry: { attempts: 1 }"
      $0.session = "http_version: 2_prior_knowledge"
      $0.peers = .none
    }
  }

  private func secure() -> FaultCase {
    with { $0.task = $0.task.replacing("HTTP/", with: "HTTPS/") }
  }
}

import TransferCore

/// Requests and answers of the tests that decide by an answer's head.
enum SampleExchange {
  /// A download's request for `http://a/x`.
  static func request(
    _ condition: RequestCondition = .none, change: (TransferRequest) -> Void = { _ in }
  ) -> TransferRequest {
    let request = TransferRequest(
      task: 0, session: 0, url: "http://a/x", shownURL: "http://a/x", method: "GET",
      headerLines: [], body: .none, condition: condition, sink: .part, decodes: false,
      expect: Expectation(), jobAskedPartial: false, allowsUnframed: false,
      timeoutForRequest: .seconds(60), minimumSpeed: nil, maxBytes: nil, followsRedirects: true)
    change(request)
    return request
  }

  static func head(_ lines: [String]) -> ResponseHead {
    guard
      let head = ResponseHead(parsing: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    else { preconditionFailure("the test's own head is wrong: \(lines)") }
    return head
  }
}

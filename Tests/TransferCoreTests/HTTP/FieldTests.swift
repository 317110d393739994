import Testing
import TransferCore

@Suite struct FieldTests {
  @Test func datesInAllThreeForms() {
    for text in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ] {
      #expect(HTTPDate.seconds(text, now: 1_000_000_000) == 784_111_777, "\(text)")
    }
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
  ]) func whatIsNoDateIsNone(_ text: String) {
    #expect(HTTPDate.seconds(text, now: 0) == nil)
  }

  @Test func aTwoDigitYearFarAheadIsOfThePast() {
    let now = HTTPDate.seconds("Mon, 30 Nov 2026 00:00:00 GMT", now: 0) ?? 0
    let old = HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
    #expect(old == 784_111_777)
  }

  @Test func contentRanges() {
    #expect(
      ContentRange(parsing: "bytes 0-4/10") == .satisfied(first: 0, last: 4, total: 10))
    #expect(ContentRange(parsing: "Bytes 0-4/*") == .satisfied(first: 0, last: 4, total: nil))
    #expect(ContentRange(parsing: "bytes */10") == .unsatisfied(total: 10))
  }

  @Test(arguments: [
    "", "bytes", "bytes 5-4/10", "bytes 0-10/10", "items 0-1/2", "bytes 0-1/2x", "bytes -1/2",
    "bytes */*", "bytes 99999999999999999999-1/2",
  ]) func whatIsNoContentRangeIsNone(_ text: String) {
    #expect(ContentRange(parsing: text) == nil)
  }

  @Test func retryAfterInSecondsAndDates() {
    #expect(RetryAfter.parse("120", now: 0) == .seconds(120))
    #expect(RetryAfter.parse("Thu, 01 Jan 1970 00:01:00 GMT", now: 10) == .seconds(50))
    #expect(RetryAfter.parse("Thu, 01 Jan 1970 00:00:00 GMT", now: 10) == .zero)
    #expect(RetryAfter.parse("-5", now: 0) == nil)
    #expect(RetryAfter.parse("99999999999999999999", now: 0) == .seconds(366 * 86_400))
    #expect(RetryAfter.parse("soon", now: 0) == nil)
  }

  @Test func originsCompareAsTheyConnect() {
    #expect(Origin(url: "HTTP://A.test/x") == Origin(scheme: "http", host: "a.test", port: 80))
    #expect(Origin(url: "https://u:p@a:8443?q") == Origin(scheme: "https", host: "a", port: 8443))
    #expect(Origin(url: "http://[::1]:81/") == Origin(scheme: "http", host: "[::1]", port: 81))
    #expect(Origin(url: "file:///x") == Origin(scheme: "file", host: "", port: 0))
    #expect(Origin(url: "a/b") == nil)
    #expect(Origin(url: "http://a:99999/") == nil)
  }

  @Test func headsThatAreNone() {
    for text in ["", "HTTP/1.1", "HTTP/1.1 20 OK", "ICY 200 OK", "HTTP/1.1 2000 OK", "HTTP/x 200"] {
      #expect(ResponseHead(parsing: Array((text + "\r\n").utf8)) == nil, "\(text)")
    }
  }

  @Test func everyFieldIsKeptInOrder() {
    let text = "HTTP/1.1 200 OK\r\nA: 1\r\nb:2 \r\nA: 3\r\n\r\n"
    let fields = ResponseHead(parsing: Array(text.utf8))?.fields ?? []
    #expect(fields.map { "\($0.name)=\($0.value)" } == ["A=1", "b=2", "A=3"])
  }

  @Test func aValidatorThatNoFieldMayHoldIsNone() {
    let text = "HTTP/1.1 200 OK\r\nETag: \"a\u{1}b\"\r\nLast-Modified: a\u{7F}\r\n\r\n"
    let head = ResponseHead(parsing: Array(text.utf8))
    #expect(head?.validator.isEmpty == true)
    #expect(head?.fields.count == 2)
  }

  @Test func aDamagedHeadNeverCrashes() {
    let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\n".utf8)
    for end in 0...text.count {
      _ = ResponseHead(parsing: Array(text[..<end]))
      var damaged = text
      if end < text.count { damaged[end] ^= 0xFF }
      _ = ResponseHead(parsing: damaged)?.fields
    }
  }
}

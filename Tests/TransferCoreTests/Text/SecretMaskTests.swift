import Testing
import TransferCore

struct SecretMaskTests {
  private let mask = SecretMask(["s3cr3t/pass word", "tok-ü\"x\\y"])

  @Test func withoutSecretsTextStaysAsItIs() {
    let mask = SecretMask()
    #expect(mask.isEmpty)
    #expect(mask.mask("nothing here") == "nothing here")
    #expect(SecretMask([""]).isEmpty)
  }

  @Test(arguments: [
    ("say s3cr3t/pass word!", "say ***!"),
    ("s3cr3t/pass word", "***"),
    ("s3cr3t/pass words3cr3t/pass word", "***"),
    ("s3cr3t/pass", "s3cr3t/pass"),
    ("", ""),
  ])
  func masksTheValue(text: String, masked: String) {
    #expect(mask.mask(text) == masked)
  }

  @Test(arguments: [
    // As ${NAME|query} and ${NAME|path} have it, with either case of the digits.
    "s3cr3t%2Fpass%20word", "s3cr3t%2fpass%20word", "s3cr3t/pass%20word", "s3cr3t/pass+word",
    "s3cr3t%2Fpass+word",
    // As others may have it.
    "%73%33%63%72%33%74%2F%70%61%73%73%20%77%6F%72%64", "s3cr3t%2fpass word",
    // JSON, ours and others'.
    #"s3cr3t\/pass word"#, #"tok-ü\"x\\y"#, #"tok-\u00fc\"x\\y"#, #"tok-\u00FC\u0022x\u005cy"#,
    "tok-%C3%BC%22x%5Cy",
  ])
  func masksItsEncodings(form: String) {
    #expect(mask.mask("a=" + form + "&b=1") == "a=***&b=1")
  }

  @Test func masksWhatPercentEncodingSaysOfBase64() {
    // base64 of ">>>???>>>" is Pj4+Pz8/Pj4+
    let mask = SecretMask([">>>???>>>"])
    #expect(mask.mask("x Pj4+Pz8/Pj4+ y") == "x *** y")
    #expect(mask.mask("x Pj4-Pz8_Pj4- y") == "x *** y")
    #expect(mask.mask("x=Pj4%2BPz8%2FPj4%2B;") == "x=***;")
  }

  /// Wherever the secret stands in a text, what is left of the text's base64 may hold only those of
  /// the secret's bits that share a character with its neighbours.
  @Test(arguments: 0...8, 0...8)
  func masksItsBase64InsideOfOtherText(before: Int, after: Int) {
    let secret = "correct horse"
    let text = String(repeating: "u", count: before) + secret + String(repeating: "z", count: after)
    let masked = SecretMask([secret]).mask(Self.base64(text))
    #expect(masked.contains("***"))
    let kept = masked.replacing("***").filter { $0 != "=" }.count
    let secretEnd = (before + secret.utf8.count) * 8
    let all = (secretEnd + after * 8 + 5) / 6
    #expect(kept <= (before * 8 + 5) / 6 + all - (after == 0 ? all : secretEnd / 6))
    if after == 0 { #expect(masked.hasSuffix("***")) }
    if before % 3 == 0 && after == 0 { #expect(kept == before / 3 * 4) }
  }

  @Test func masksBasicAuthorization() {
    #expect(
      SecretMask(["open sesame"]).mask("Authorization: Basic " + Self.base64("Aladdin:open sesame"))
        == "Authorization: Basic QWxhZGRpbjp***")
  }

  @Test func theLongestIsTaken() {
    #expect(SecretMask(["abcd", "abcdefgh"]).mask("xabcdefghx") == "x***x")
  }

  @Test func overlappingSecretsLeaveNothing() {
    let mask = SecretMask(["abcdef", "defghi"])
    #expect(mask.mask("-abcdefghi-") == "-***-")
    #expect(mask.mask("-abcdefdefghi-abcdef-") == "-***-***-")
  }

  @Test func shortSecretsAreMaskedWhereTheyStandAlone() {
    let mask = SecretMask(["7", "abc"])
    #expect(mask.mask("pin=7&t=abc") == "pin=***&t=***")
    #expect(mask.mask("17 of 77, abcd, 7") == "17 of 77, abcd, ***")
  }

  @Test func theLinesOfALongValueCountToo() {
    let mask = SecretMask(["-----BEGIN-----\nMIIEvQIBADANBg\nAB\n-----END-----\n"])
    #expect(mask.mask("< MIIEvQIBADANBg AB") == "< *** AB")
  }

  @Test func bytesThatAreNoTextAreMaskedToo() {
    let mask = SecretMask(["s3cr3t"])
    #expect(
      mask.mask([0xFF, 0x00] + Array("s3cr3t".utf8) + [0xC3]) == [0xFF, 0, 42, 42, 42, 0xC3])
  }

  @Test(arguments: ["%", "%4", "%zz", "\\", "\\u12", "\\ud800", "100%", "a\\qb", "%C3"])
  func halfAnEncodingIsNone(text: String) {
    #expect(SecretMask(["s3cr3t"]).mask(text) == text)
    #expect(SecretMask(["s3cr3t"]).mask(text + "s3cr3t") == text + "***")
  }

  @Test func masksAllThatAResultTells() {
    let secret = "s3cr3t"
    var result = TaskResult(
      task: 0, outcome: .failed, originalURL: "http://h/?k=s3cr3t", currentURL: "http://h/s3cr3t")
    result.failure = TransferFailure(.auth, "h refused s3cr3t")
    result.reason = "asked with s3cr3t"
    result.transactions = [Transaction(url: "http://h/?k=s3cr3t")]
    result.redirects = [.init(status: 302, url: "http://h/s3cr3t")]
    result.attemptLog = [
      .init(failure: TransferFailure(.connect, "s3cr3t"), status: nil, delay: nil)
    ]
    let head = ResponseHead(
      parsing: Array(
        "HTTP/1.1 302 F\r\nLocation: /s3cr3t\r\nETag: \"s3cr3t\"\r\nContent-Type: s3cr3t/x\r\n\r\n"
          .utf8))
    result.head = head
    result.interim = head.map { [$0] } ?? []
    result.body = Array("you sent s3cr3t".utf8)
    result.path = "/out/s3cr3t"

    let masked = SecretMask([secret]).masked(result)
    #expect(masked.path == "/out/s3cr3t")
    #expect(masked.head?.validator.etag == "\"s3cr3t\"")
    #expect(String(decoding: masked.body, as: UTF8.self) == "you sent ***")
    #expect(masked.head?.location == "/***")
    var told = masked
    told.path = nil
    told.head?.validator = Validator()
    told.interim = told.interim.map { head in
      var head = head
      head.validator = Validator()
      return head
    }
    told.body = []
    told.head?.raw = []
    for raw in [masked.head?.raw, masked.interim.first?.raw] {
      #expect(!String(decoding: raw ?? [], as: UTF8.self).contains(secret))
    }
    told.interim = []
    #expect(!String(describing: told).contains(secret))
  }

  /// RFC 4648, section 4.
  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    var encoded = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.count)])
      var bits = 0
      for index in 0..<3 { bits = bits << 8 | (index < group.count ? Int(group[index]) : 0) }
      for index in 0...3 {
        encoded += index <= group.count ? String(alphabet[bits >> (18 - 6 * index) & 63]) : "="
      }
    }
    return encoded
  }
}

extension String {
  /// Without any `part`.
  fileprivate func replacing(_ part: String) -> String {
    var text = ""
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix(part) {
        rest = rest.dropFirst(part.count)
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}

import Testing
import TransferCore

struct JSONNodeTests {
  private func read(_ text: String) -> JSONNode? { JSONNode(text.utf8) }

  @Test func everyKindOfValue() {
    #expect(
      read(#" {"a": [1, -2.5e3, "x", true, false, null], "b": {}, "c": []} "#)
        == .object([
          .init(
            name: "a",
            value: .array([
              .number("1"), .number("-2.5e3"), .string("x"), .bool(true), .bool(false), .null,
            ])),
          .init(name: "b", value: .object([])), .init(name: "c", value: .array([])),
        ]))
  }

  @Test func escapes() {
    #expect(
      read(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\ud800x""#)
        == .string("\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{1F600}\u{FFFD}x"))
  }

  @Test(arguments: [
    "", "{", "[1,", "{\"a\"}", "{\"a\":}", "[1 2]", "\"", "\"\\x\"", "\"\\u12\"", "tru", "nul",
    "1 2", "{a:1}", "-", "\"\n\"", "[,]", "{,}", "\u{1}",
  ])
  func noJSON(_ text: String) { #expect(read(text) == nil) }

  @Test func nestingHasABound() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(read(nested(64)) != nil)
    #expect(read(nested(100_000)) == nil)
  }

  @Test func lookUps() throws {
    let node = try #require(read(#"{"text":"t","number":7,"half":0.5,"list":[1],"text":"u"}"#))
    #expect(node["text"]?.text == "t" && node["number"]?.integer == 7)
    #expect(node["half"]?.double == 0.5 && node["half"]?.integer == nil)
    #expect(node["list"]?.elements.count == 1 && node["none"] == nil && node["text"]?["x"] == nil)
  }
}

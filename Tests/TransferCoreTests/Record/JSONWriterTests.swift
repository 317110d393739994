import Testing
import TransferCore

struct JSONWriterTests {
  private func written(indented: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(indented: indented)
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func membersAndElementsAreSeparatedByCommas() {
    let text = written { json in
      json.beginObject()
      json.member("a", 1)
      json.member("b", "x")
      json.key("c")
      json.beginArray()
      json.boolean(true)
      json.null()
      json.beginObject()
      json.endObject()
      json.endArray()
      json.member("d", 1.5)
      json.endObject()
    }
    #expect(text == #"{"a":1,"b":"x","c":[true,null,{}],"d":1.5}"#)
  }

  @Test func nilMembersAreLeftOut() {
    let text = written { json in
      json.beginObject()
      json.member("a", nil as String?)
      json.member("b", nil as Int?)
      json.member("c", nil as WallTime?)
      json.member("d", false)
      json.endObject()
    }
    #expect(text == #"{"d":false}"#)
  }

  @Test func indentedForPeople() {
    let text = written(indented: true) { json in
      json.beginObject()
      json.member("a", 1)
      json.key("b")
      json.beginArray()
      json.endArray()
      json.key("c")
      json.beginArray()
      json.integer(2)
      json.integer(3)
      json.endArray()
      json.endObject()
    }
    #expect(text == "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    2,\n    3\n  ]\n}")
  }

  @Test func everyControlCharacterIsEscaped() {
    for value in UInt8(0)..<0x20 {
      let text = written { $0.string(String(decoding: [value], as: UTF8.self)) }
      #expect(text.utf8.first == UInt8(ascii: "\"") && text.utf8.dropFirst().first == 0x5C)
      #expect(text.utf8.allSatisfy { $0 >= 0x20 })
    }
    #expect(
      written { $0.string("\u{0}\u{1F}\u{8}\t\n\u{C}\r\u{7F}") }
        == #""\u0000\u001f\b\t\n\f\r\u007f""#)
    #expect(written { $0.string(#"say "hi" \ all"#) } == #""say \"hi\" \\ all""#)
    #expect(written { $0.string("é 🎈") } == "\"é 🎈\"")
    #expect(written { $0.string("") } == "\"\"")
  }

  @Test func bytesThatAreNoUTF8AreReplaced() {
    #expect(written { $0.string(utf8: [0x61, 0xFF, 0x62]) } == "\"a\u{FFFD}b\"")
    #expect(written { $0.string(utf8: [0xED, 0xA0, 0x80]) }.contains("\u{FFFD}"))
  }

  @Test func numbersAtTheirEnds() {
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(0) } == "0")
    #expect(written { $0.number(.infinity) } == "null")
    #expect(written { $0.number(.nan) } == "null")
    #expect(written { $0.number(0.1) } == "0.1")
  }

  @Test func linesStandForThemselves() {
    let text = written { json in
      for index in 0..<2 {
        json.beginObject()
        json.member("n", index)
        json.endObject()
        json.endLine()
      }
    }
    #expect(text == "{\"n\":0}\n{\"n\":1}\n")
  }

  @Test func keysFromOutsideAreEscaped() {
    let text = written { json in
      json.beginObject()
      json.key(named: "a\"b")
      json.integer(1)
      json.endObject()
    }
    #expect(text == #"{"a\"b":1}"#)
  }
}

struct RFC3339Tests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    (1_795_938_851_000_250, "2026-11-29T07:54:11.000250Z"),
    (Int64.max, "9999-12-31T23:59:59.999999Z"),
    (Int64.min, "0000-01-01T00:00:00.000000Z"),
  ])
  func momentsAreWrittenInUTC(microseconds: Int64, text: String) {
    #expect(WallTime(microseconds: microseconds).rfc3339 == text)
  }
}

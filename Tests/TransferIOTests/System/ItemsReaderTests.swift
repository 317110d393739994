import Glibc
import Testing
import TransferIO

struct ItemsReaderTests {
  private let scratch = TemporaryFolder()

  /// Rows as `name=value|name=value`, or the complaint after the path.
  private func read(_ text: some Collection<UInt8>, _ format: ItemsReader.Format) -> [String] {
    let path = scratch.file("items", text)
    do {
      return try ItemsReader.rows(of: path, format).map { row in
        row.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
      }
    } catch {
      #expect(error.message.hasPrefix(path))
      return ["!" + error.message.dropFirst(path.count)]
    }
  }
  private func read(_ text: String, _ format: ItemsReader.Format) -> [String] {
    read(text.utf8, format)
  }

  @Test func linesAreItemsAsTheyStand() {
    #expect(read("a\n\n b \r\n#c\n", .lines) == ["=a", "= b ", "=#c"])
    #expect(read("\u{FEFF}a", .lines) == ["=a"])
    #expect(read("", .lines) == [])
    #expect(
      read(Array("a\nb".utf8) + [0xFF], .lines) == [
        "!:2: this is not UTF-8: convert the file with iconv"
      ])
    #expect(read("a\nb\0", .lines)[0].hasPrefix("!:2: there is a NUL byte"))
  }

  @Test(arguments: [
    ("id,url\n1,http://a\n2,http://b", ["id=1|url=http://a", "id=2|url=http://b"]),
    ("id,url\r\n1,\r\n\r\n,b\r\n", ["id=1|url=", "id=|url=b"]),
    ("a\n\"x,\"\"y\"\"\nz\"\nw\n", ["a=x,\"y\"\nz", "a=w"]),
    ("\"a b\",c\n 1 ,\"\"\n", ["a b= 1 |c="]),
    ("\u{FEFF}\"a\"\n1", ["a=1"]),
    ("a\n", []),
    ("a,b\n1,2\r", ["a=1|b=2\r"]),
  ])
  func csvIsRead(text: String, rows: [String]) {
    #expect(read(text, .csv) == rows)
  }

  @Test(arguments: [
    ("", "!:1: the file is empty: its first row names the columns"),
    ("a,b\n1,2\n\n1\n", "!:4: this row has 1 fields, and the header names 2"),
    ("a,b\n\"1\n\",2\n1,2,3\n", "!:4: this row has 3 fields, and the header names 2"),
    ("a,a\n", "!:1: the header names the column `a` twice"),
    ("a,\n", "!:1: a column has no name in the header"),
    ("a\n\n\"x\ny\n", "!:3: the quote that opens here is never closed"),
    ("a\nx\"y\n", "!:2: a quote inside of a field: put the field in quotes and double the quote"),
    ("a\n\"x\"y\n", "!:2: after the closing quote of field 1 comes neither comma nor line end"),
  ])
  func csvSaysWhereItIsWrong(text: String, complaint: String) {
    #expect(read(text, .csv) == [complaint])
  }

  @Test(arguments: [
    (#"{"id": "a", "n": 1.10, "b": true}"#, "id=a|n=1.10|b=true"),
    (#"{"z":-0.5e+10,"a":0}"#, "z=-0.5e+10|a=0"),
    (#"{"x":null,"y":[1,{"q":"]"}],"z":{"a":{}},"id":"k"}"#, "id=k"),
    (#""text""#, "=text"), ("12", "=12"), ("false", "=false"), (#" { "a" : "b" } "#, "a=b"),
    (#"{"a":"\"\\\/\b\f\n\r\t\u00fc\ud83d\ude00"}"#, "a=\"\\/\u{8}\u{C}\n\r\tü😀"),
    (#"{"":""}"#, "="),
  ])
  func jsonLinesAreRead(line: String, row: String) {
    #expect(read("\n\(line)\r\n \n", .jsonl) == [row])
  }

  @Test(arguments: [
    (#"{"a":1}{"b":2}"#, "something follows the value: one value a line"),
    ("[1]", "an item is an object, a text, a number or a boolean"),
    ("null", "an item is an object, a text, a number or a boolean"),
    ("{}", "this object has no text, number or boolean in it"),
    (#"{"a":1,"a":2}"#, "`a` is there twice"),
    (#"{"a":01}"#, "`01` is no JSON value: text stands in double quotes"),
    (#"{"a":yes}"#, "`yes` is no JSON value: text stands in double quotes"),
    (#"{"a":1"#, "the line ends too early"), (#"{"a""#, "the line ends too early"),
    (#"{"a":"#, "the line ends too early"), (#"{"a"#, "a string is not closed"),
    (#"{"a":1,}"#, "this is not JSON from here on: }"),
    (#"{'a':1}"#, "this is not JSON from here on: 'a':1}"),
    (#""\x""#, "there is an escape in a string that JSON doesn't have"),
    (#""\u00g0""#, "there is a \\u in a string without four hexadecimal digits"),
    (#""\ud800""#, "there is half a surrogate pair in a string"),
    ("\"a\tb\"", "there is a control character in a string: write it as \\uXXXX"),
    (#""\u0000""#, "there is a NUL byte in this line: is it a text file?"),
    (String(repeating: "[", count: 100), "this is nested more than 64 deep"),
  ])
  func jsonLinesSayWhereTheyAreWrong(line: String, complaint: String) {
    #expect(read("1\n\n\(line)\n", .jsonl) == ["!:3: \(complaint)"])
  }

  @Test func aMissingFileIsNamed() {
    let path = "\(scratch.path)/none"
    do {
      _ = try ItemsReader.rows(of: path, .lines)
      Issue.record("no error")
    } catch {
      #expect(error.message == "can't open \(path): No such file or directory")
    }
  }
}

/// Reads a line of JSON (RFC 8259) as an item: an object's members in their order, or a single
/// value.
///
/// Numbers and booleans are taken as they are written (`1.10` stays `1.10`), which a decoder into
/// Swift's types would lose, and the order with it: the first column names the copy. Members
/// that are null, arrays or objects are no text and are left out.
struct JSONItem {
  private typealias Problem = ItemsReader.LineProblem
  private static let deepest = 64

  private var rest: ArraySlice<UInt8>
  private let number: Int

  /// - Parameter number: the line's, from 1.
  init(_ line: ArraySlice<UInt8>, number: Int) {
    rest = line
    self.number = number
  }

  mutating func columns() throws(ItemsReader.LineProblem) -> ItemsReader.Row {
    skipSpace()
    var columns: ItemsReader.Row = []
    if rest.first == UInt8(ascii: "{") {
      columns = try members()
      if columns.isEmpty { throw problem("this object has no text, number or boolean in it") }
    } else {
      guard let value = try value(depth: 0) else {
        throw problem("an item is an object, a text, a number or a boolean")
      }
      columns = [("", value)]
    }
    skipSpace()
    if !rest.isEmpty { throw problem("something follows the value: one value a line") }
    return columns
  }

  private mutating func members() throws(Problem) -> ItemsReader.Row {
    var columns: ItemsReader.Row = []
    var names: Set<String> = []
    try list(until: UInt8(ascii: "}")) { (reader) throws(Problem) in
      let name = try reader.string()
      if !names.insert(name).inserted { throw reader.problem("`\(name)` is there twice") }
      try reader.expect(UInt8(ascii: ":"))
      if let value = try reader.value(depth: 1) { columns.append((name, value)) }
    }
    return columns
  }

  /// A scalar's text; nil for null, arrays and objects.
  private mutating func value(depth: Int) throws(Problem) -> String? {
    if depth > Self.deepest { throw problem("this is nested more than \(Self.deepest) deep") }
    skipSpace()
    switch rest.first {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "["):
      try list(until: UInt8(ascii: "]")) { (reader) throws(Problem) in
        _ = try reader.value(depth: depth + 1)
      }
      return nil
    case UInt8(ascii: "{"):
      try list(until: UInt8(ascii: "}")) { (reader) throws(Problem) in
        _ = try reader.string()
        try reader.expect(UInt8(ascii: ":"))
        _ = try reader.value(depth: depth + 1)
      }
      return nil
    default: return try bare()
    }
  }

  /// Elements between brackets, parted by commas.
  private mutating func list(
    until end: UInt8, _ element: (inout JSONItem) throws(Problem) -> Void
  ) throws(Problem) {
    rest.removeFirst()
    skipSpace()
    if rest.first == end {
      rest.removeFirst()
      return
    }
    while true {
      skipSpace()
      try element(&self)
      skipSpace()
      if rest.first == end { break }
      try expect(UInt8(ascii: ","))
    }
    rest.removeFirst()
  }

  /// A number, `true`, `false` or `null`.
  private mutating func bare() throws(Problem) -> String? {
    let word = rest.prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "+-.".utf8.contains(byte)
      }
    }
    rest = rest[word.endIndex...]
    let text = String(decoding: word, as: UTF8.self)
    if text == "null" { return nil }
    if text == "true" || text == "false" || Self.isNumber(word) { return text }
    if text.isEmpty { throw problem(rest.isEmpty ? "the line ends too early" : unexpected) }
    throw problem("`\(text.prefix(40))` is no JSON value: text stands in double quotes")
  }

  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
    func digits() -> Int {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      return digits.count
    }
    let startsWithZero = rest.first == 0x30
    let whole = digits()
    if whole == 0 || (startsWithZero && whole > 1) { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits() == 0 { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private mutating func expect(_ byte: UInt8) throws(Problem) {
    skipSpace()
    if rest.isEmpty { throw problem("the line ends too early") }
    if rest.first != byte { throw problem(unexpected) }
    rest.removeFirst()
  }

  private var unexpected: String {
    let text = String(decoding: rest.prefix(40), as: UTF8.self)
    return "this is not JSON from here on: \(text)"
  }

  private func problem(_ words: String) -> Problem { Problem(line: number, words: words) }
}

extension JSONItem {
  /// A string with its escapes undone.
  private mutating func string() throws(Problem) -> String {
    try expect(UInt8(ascii: "\""))
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return try ItemsReader.text(bytes, line: number)
      case UInt8(ascii: "\\"): bytes += try escape()
      case 0..<0x20: throw problem("there is a control character in a string: write it as \\uXXXX")
      default: bytes.append(byte)
      }
    }
    throw problem("a string is not closed")
  }

  private mutating func escape() throws(Problem) -> [UInt8] {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "/"): return [UInt8(ascii: "/")]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
    default: throw problem("there is an escape in a string that JSON doesn't have")
    }
  }

  private mutating func scalar() throws(Problem) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, rest.starts(with: "\\u".utf8) {
      rest.removeFirst(2)
      let second = try unit()
      let code = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
      if second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(code) { return scalar }
    }
    throw problem("there is half a surrogate pair in a string")
  }

  private mutating func unit() throws(Problem) -> UInt32 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, !text.contains("+"), let unit = UInt32(text, radix: 16) else {
      throw problem("there is a \\u in a string without four hexadecimal digits")
    }
    return unit
  }
}

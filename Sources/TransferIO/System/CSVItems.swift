/// Reads comma-separated values (RFC 4180) whose first record names the columns. Records end in LF
/// or CR LF; blank lines between them are passed over.
struct CSVItems {
  private typealias Problem = ItemsReader.LineProblem

  private var rest: ArraySlice<UInt8>
  /// Of the next byte, from 1.
  private var line = 1

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func rows() throws(ItemsReader.LineProblem) -> [ItemsReader.Row] {
    skipBlankLines()
    let header = line
    guard !rest.isEmpty else {
      throw Problem(line: 1, words: "the file is empty: its first row names the columns")
    }
    let names = try record()
    try check(names, header)
    var rows: [ItemsReader.Row] = []
    while true {
      skipBlankLines()
      if rest.isEmpty { return rows }
      let start = line
      let values = try record()
      if values.count != names.count {
        let words = "this row has \(values.count) fields, and the header names \(names.count)"
        throw Problem(line: start, words: words)
      }
      rows.append(zip(names, values).map { (name: $0, value: $1) })
    }
  }

  private func check(_ names: [String], _ line: Int) throws(Problem) {
    var known: Set<String> = []
    for name in names {
      if name.isEmpty { throw Problem(line: line, words: "a column has no name in the header") }
      if !known.insert(name).inserted {
        throw Problem(line: line, words: "the header names the column `\(name)` twice")
      }
    }
  }

  private mutating func skipBlankLines() {
    while endsLine() {}
  }

  /// Takes a line's end, if that comes next.
  private mutating func endsLine() -> Bool {
    if rest.first == 0x0A {
      rest.removeFirst()
    } else if rest.first == 0x0D, rest.dropFirst().first == 0x0A {
      rest.removeFirst(2)
    } else {
      return false
    }
    line += 1
    return true
  }

  private mutating func record() throws(Problem) -> [String] {
    var fields: [String] = []
    while true {
      fields.append(rest.first == UInt8(ascii: "\"") ? try quoted() : try plain())
      if endsLine() || rest.isEmpty { return fields }
      guard rest.removeFirst() == UInt8(ascii: ",") else {
        let words =
          "after the closing quote of field \(fields.count) comes neither comma nor line end"
        throw Problem(line: line, words: words)
      }
    }
  }

  private mutating func plain() throws(Problem) -> String {
    var field = rest.prefix { $0 != UInt8(ascii: ",") && $0 != 0x0A }
    if field.last == 0x0D, field.endIndex < rest.endIndex, rest[field.endIndex] == 0x0A {
      field = field.dropLast()
    }
    rest = rest[field.endIndex...]
    if field.contains(UInt8(ascii: "\"")) {
      let words = "a quote inside of a field: put the field in quotes and double the quote"
      throw Problem(line: line, words: words)
    }
    return try ItemsReader.text(field, line: line)
  }

  private mutating func quoted() throws(Problem) -> String {
    let start = line
    var field: [UInt8] = []
    rest.removeFirst()
    while true {
      let part = rest.prefix { $0 != UInt8(ascii: "\"") }
      field += part
      line += part.count { $0 == 0x0A }
      rest = rest[part.endIndex...]
      if rest.isEmpty {
        throw Problem(line: start, words: "the quote that opens here is never closed")
      }
      rest.removeFirst()
      if rest.first != UInt8(ascii: "\"") { return try ItemsReader.text(field, line: start) }
      field.append(UInt8(ascii: "\""))
      rest.removeFirst()
    }
  }
}

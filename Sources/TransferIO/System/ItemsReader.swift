import TransferCore

/// Reads items files: from each row comes one copy of a task.
package enum ItemsReader {
  package enum Format: String, Sendable, CaseIterable {
    /// A line is an item; empty lines are passed over.
    case lines
    /// RFC 4180 with a header row, which names the columns.
    case csv
    /// A line is a JSON object, whose members are the columns, or a text, number or boolean.
    case jsonl
  }

  /// Columns in the file's order; what has no columns has a single one that is called ``.
  package typealias Row = [(name: String, value: String)]

  /// Why an items file can't be read, in words without a full stop.
  package struct Problem: Error, Equatable {
    package var message: String
  }

  /// What is wrong with a line, from 1.
  struct LineProblem: Error {
    var line: Int
    var words: String
  }

  /// The most bytes of a file.
  static let bound = 256 << 20

  /// - Parameter path: absolute.
  /// - Throws: what is wrong and where: `PATH:LINE: WORDS`.
  package static func rows(of path: String, _ format: Format) throws(Problem) -> [Row] {
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.read(path, bound: bound).bytes
    } catch {
      switch error {
      case .failed(let error): throw Problem(message: error.failure.detail)
      case .tooLarge: throw Problem(message: "\(path) is larger than 256 MiB: split it")
      }
    }
    do {
      return try rows(in: bytes, format)
    } catch {
      throw Problem(message: "\(path):\(error.line): \(error.words)")
    }
  }

  static func rows(in bytes: [UInt8], _ format: Format) throws(LineProblem) -> [Row] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    if format == .csv {
      var reader = CSVItems(text)
      return try reader.rows()
    }
    var rows: [Row] = []
    var number = 0
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == 0x0D ? line.dropLast() : line
      if format == .lines {
        if !line.isEmpty { rows.append([("", try Self.text(line, line: number))]) }
      } else if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        var reader = JSONItem(line, number: number)
        rows.append(try reader.columns())
      }
    }
    return rows
  }

  /// - Throws: for what isn't UTF-8 or has a NUL in it.
  static func text(_ bytes: some Sequence<UInt8>, line: Int) throws(LineProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LineProblem(line: line, words: "this is not UTF-8: convert the file with iconv")
    }
    if text.utf8.contains(0) {
      throw LineProblem(line: line, words: "there is a NUL byte in this line: is it a text file?")
    }
    return text
  }
}

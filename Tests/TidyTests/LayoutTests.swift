import Testing

/// Sizes that a reader can hold in the head: 100 columns, 60 lines a function, 400 lines a file.
@Suite struct LayoutTests {
  static let written = [
    ".swift", ".h", ".modulemap", ".yaml", "Makefile", "Benchmarks/run",
    "Benchmarks/faults",
  ]

  @Test func linesHaveAtMost100Columns() {
    let files =
      Repository.files(below: "", ending: Self.written)
      + Repository.files(below: "scripts") + Repository.files(below: ".ci")
    #expect(files.count > 30)
    for file in files where !file.contains("JobSpecTests/Bad/") {
      let lines = Repository.text(of: file).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where line.count > 100 {
        Issue.record("\(file):\(number + 1) has \(line.count) columns")
      }
    }
  }

  @Test func filesOfSourcesHaveAtMost400Lines() {
    for file in Repository.files(below: "Sources", ending: [".swift"]) {
      let count = Repository.text(of: file).count { $0 == "\n" }
      #expect(count <= 400, "\(file) has \(count) lines")
    }
  }

  @Test func functionsHaveAtMost60Lines() {
    for (file, code) in Repository.swift {
      for function in Self.functions(of: code) where function.length > 60 {
        Issue.record("\(file):\(function.line) has \(function.length) lines")
      }
    }
  }

  @Test func measuresFunctions() {
    let source = """
      struct A {
        func one() { work() }
        init(
          long: Int
        ) {
          first()
          second()
        }
        func required() -> Int
        var four: Int {
          4
        }
      }
      """
    let found = Self.functions(of: SwiftText(source))
    #expect(found.map(\.line) == [3])
    #expect(found.map(\.length) == [6])
  }

  struct Function {
    /// 1-based line of its first line.
    var line: Int
    /// Lines from there to the closing brace.
    var length: Int
  }

  /// The functions and initialisers of more than one line. Relies on the layout that
  /// `swift format` holds: the closing brace stands as far in as the declaration.
  static func functions(of source: SwiftText) -> [Function] {
    let lines = source.lines.map(\.text)
    return lines.indices.compactMap { start in
      guard declaresFunction(source.lines[start].words) else { return nil }
      let indent = lines[start].prefix { $0 == " " }
      var place = start
      while !lines[place].hasSuffix("{") {
        place += 1
        // A body on the same line, or a requirement of a protocol.
        guard place < lines.count, continues(lines[place], after: indent) else { return nil }
      }
      guard let end = lines[place...].firstIndex(where: { $0.hasPrefix(indent + "}") }) else {
        return nil
      }
      return Function(line: start + 1, length: end - start + 1)
    }
  }

  private static func continues(_ line: String, after indent: Substring) -> Bool {
    line.hasPrefix(indent + " ") || line.hasPrefix(indent + ")") || line.hasPrefix(indent + "{")
  }

  private static func declaresFunction(_ words: [String]) -> Bool {
    for word in words {
      switch word {
      case "func", "init", "deinit", "subscript": return true
      case "package", "private", "fileprivate", "internal", "static", "final", "mutating",
        "nonisolated", "override", "convenience", "required", "borrowing", "consuming", "unsafe",
        "discardableResult", "inline", "__always", "never", "inlinable", "class", "Test":
        continue
      default: return false
      }
    }
    return false
  }
}

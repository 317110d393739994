import JobSpec
import TransferCore

@testable import TransferIO

extension FuzzTarget {
  /// What stands in files beside the job, and names.
  static let files: [FuzzTarget] = [
    FuzzTarget(name: "checksum-list", check: checksumList),
    FuzzTarget(name: "cookie-jar", check: cookieJar),
    FuzzTarget(name: "items", check: items),
    FuzzTarget(name: "json", check: json),
    FuzzTarget(name: "file-name", check: fileName),
    FuzzTarget(name: "yaml", check: yaml, mutants: 300),
  ]

  private static func checksumList(_ bytes: [UInt8]) -> String? {
    for name in ["SHA256SUMS", "a.iso.sha512", "md5sums.txt"] {
      let list = ChecksumList(parsing: bytes, fileName: name)
      for line in list.lines.prefix(20) {
        guard case .found(let algorithm, let hex) = list.answer(for: line.name, algorithm: nil)
        else { continue }
        let isHex = hex.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        if !isHex || hex.utf8.count != 2 * algorithm.byteCount { return "\(algorithm): \(hex)" }
      }
    }
    return nil
  }

  /// What is written reads the same, and nothing of it could be a command of libcurl's.
  private static func cookieJar(_ bytes: [UInt8]) -> String? {
    let jar = CookieFile(bytes)
    if CookieFile(jar.bytes).cookies != jar.cookies { return text(jar.bytes) }
    if CookieFile(jar.bytes).unreadable != jar.unreadable { return "other unreadable lines" }
    for cookie in jar.cookies {
      let line = text(cookie.line)
      if line.hasPrefix("Set-Cookie") || !line.contains("\t") || line.contains("\n") { return line }
      if cookie.line.contains(0) { return "NUL" }
    }
    return nil
  }

  private static func items(_ bytes: [UInt8]) -> String? {
    for format in ItemsReader.Format.allCases {
      do {
        let rows = try ItemsReader.rows(in: bytes, format)
        if rows.contains(where: \.isEmpty) { return "\(format): a row without columns" }
      } catch let problem {
        let lines = bytes.count { $0 == 0x0A } + 1
        if !(1...lines).contains(problem.line) || problem.words.isEmpty {
          return "\(format): line \(problem.line) of \(lines)"
        }
      }
    }
    return nil
  }

  /// What was read and is written again reads the same; numbers go as text, to the letter.
  private static func json(_ bytes: [UInt8]) -> String? {
    guard let node = JSONNode(bytes).map(withoutNumbers) else { return nil }
    var json = JSONWriter()
    write(node, to: &json)
    return JSONNode(json.bytes) == node ? nil : text(json.bytes)
  }

  private static func withoutNumbers(_ node: JSONNode) -> JSONNode {
    switch node {
    case .number(let text): .string(text)
    case .array(let elements): .array(elements.map(withoutNumbers))
    case .object(let members):
      .object(members.map { .init(name: $0.name, value: withoutNumbers($0.value)) })
    case .null, .bool, .string: node
    }
  }

  private static func write(_ node: JSONNode, to json: inout JSONWriter) {
    switch node {
    case .null: json.null()
    case .bool(let value): json.boolean(value)
    case .string(let value), .number(let value): json.string(value)
    case .array(let elements):
      json.beginArray()
      for element in elements { write(element, to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject()
      for member in members {
        json.key(named: member.name)
        write(member.value, to: &json)
      }
      json.endObject()
    }
  }

  private static func fileName(_ bytes: [UInt8]) -> String? {
    guard let name = SafeFileName.name(ofSegment: text(bytes)) else { return nil }
    if name.isEmpty || name.utf8.count > 255 { return "\(name.utf8.count) bytes" }
    if name.utf8.first == UInt8(ascii: ".") { return name }
    if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x2F || $0 == 0x7F }) { return name }
    return SafeFileName.safe(name) == name ? nil : "safe names stay as they are: \(name)"
  }

  /// All three ways to read YAML: whatever is told stands in the file and can be printed.
  private static func yaml(_ bytes: [UInt8]) -> String? {
    let yaml = JobYAML(bytes: bytes)
    let whole = yaml.read()
    let readings = [
      whole, yaml.read(skipping: "tasks"), yaml.read(streaming: "tasks") { _ in },
    ]
    for reading in readings {
      if reading.root == nil, reading.diagnostics.isEmpty { return "nothing told" }
      if let wrong = fault(in: reading.diagnostics, of: bytes) { return wrong }
    }
    return nil
  }

  static func fault(in diagnostics: [Diagnostic], of bytes: [UInt8]) -> String? {
    let source = SourceText(bytes)
    for diagnostic in diagnostics {
      let range = diagnostic.range
      let isInside = range.start.line >= 1 && range.start.line <= source.lineCount
      if !isInside || range.start > range.end { return "\(diagnostic.id) at \(range)" }
    }
    let file = DiagnosedFile(path: "job.yaml", source: source, diagnostics: diagnostics)
    for format in DiagnosticFormat.allCases {
      let rendered = format.render([file], version: "1")
      if rendered.utf8.contains(0x1B) { return "\(format): an escape sequence came through" }
    }
    return nil
  }
}

import TransferCore

/// SARIF 2.1.0 (OASIS): one run, a result a diagnostic.
struct SARIFRenderer {
  let version: String

  func render(_ files: [DiagnosedFile]) -> String {
    let rules = Set(files.flatMap { $0.diagnostics.map(\.id) }).sorted()
    var json = JSONWriter(indented: true)
    json.beginObject()
    json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    json.member("version", "2.1.0")
    json.key("runs")
    json.beginArray()
    json.beginObject()
    writeTool(rules, to: &json)
    json.member("columnKind", "unicodeCodePoints")
    json.key("results")
    json.beginArray()
    for file in files {
      for diagnostic in file.diagnostics {
        let rule = rules.firstIndex(of: diagnostic.id)
        write(diagnostic, rule: rule, uri: Self.uri(file.path), to: &json)
      }
    }
    json.endArray()
    json.endObject()
    json.endArray()
    json.endObject()
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func writeTool(_ rules: [String], to json: inout JSONWriter) {
    json.key("tool")
    json.beginObject()
    json.key("driver")
    json.beginObject()
    json.member("name", "jobrun")
    json.member("version", version)
    json.key("rules")
    json.beginArray()
    for rule in rules {
      json.beginObject()
      json.member("id", rule)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endObject()
  }

  private func write(
    _ diagnostic: Diagnostic, rule: Int?, uri: String, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("ruleId", diagnostic.id)
    json.member("ruleIndex", rule)
    json.member("level", diagnostic.severity.rawValue)
    let hint = diagnostic.hint.map { "\nhint: \($0)" } ?? ""
    writeMessage(diagnostic.message + hint, to: &json)
    json.key("locations")
    json.beginArray()
    writeLocation(diagnostic.range, uri: uri, path: diagnostic.path, to: &json)
    json.endArray()
    if !diagnostic.notes.isEmpty {
      json.key("relatedLocations")
      json.beginArray()
      for note in diagnostic.notes {
        writeLocation(note.range, uri: uri, message: note.message, to: &json)
      }
      json.endArray()
    }
    json.endObject()
  }

  private func writeLocation(
    _ range: SourceRange, uri: String, path: String? = nil, message: String? = nil,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    json.key("physicalLocation")
    json.beginObject()
    json.key("artifactLocation")
    json.beginObject()
    json.member("uri", uri)
    json.endObject()
    json.key("region")
    json.beginObject()
    json.member("startLine", range.start.line)
    json.member("startColumn", range.start.column)
    json.member("endLine", range.end.line)
    json.member("endColumn", range.end.column)
    json.endObject()
    json.endObject()
    if let path {
      json.key("logicalLocations")
      json.beginArray()
      json.beginObject()
      json.member("fullyQualifiedName", path)
      json.endObject()
      json.endArray()
    }
    if let message { writeMessage(message, to: &json) }
    json.endObject()
  }

  private func writeMessage(_ text: String, to json: inout JSONWriter) {
    json.key("message")
    json.beginObject()
    json.member("text", text)
    json.endObject()
  }

  /// A relative reference, or a file address for an absolute path (RFC 3986).
  private static func uri(_ path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || "0123456789-._~/".contains(String(scalar))
      {
        uri += String(scalar)
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return uri
  }
}

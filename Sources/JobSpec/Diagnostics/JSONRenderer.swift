import TransferCore

/// One JSON document: `{ schema, diagnostics }`, each diagnostic with its file.
enum JSONRenderer {
  private static let schema = 1

  static func render(_ files: [DiagnosedFile]) -> String {
    var json = JSONWriter(indented: true)
    json.beginObject()
    json.member("schema", schema)
    json.key("diagnostics")
    json.beginArray()
    for file in files {
      for diagnostic in file.diagnostics { write(diagnostic, of: file.path, to: &json) }
    }
    json.endArray()
    json.endObject()
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(
    _ diagnostic: Diagnostic, of file: String, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("file", file)
    write(diagnostic.range, to: &json)
    json.member("severity", diagnostic.severity.rawValue)
    json.member("id", diagnostic.id)
    json.member("message", diagnostic.message)
    json.member("path", diagnostic.path)
    json.member("hint", diagnostic.hint)
    if !diagnostic.notes.isEmpty {
      json.key("notes")
      json.beginArray()
      for note in diagnostic.notes {
        json.beginObject()
        write(note.range, to: &json)
        json.member("message", note.message)
        json.endObject()
      }
      json.endArray()
    }
    json.endObject()
  }

  private static func write(_ range: SourceRange, to json: inout JSONWriter) {
    json.member("line", range.start.line)
    json.member("column", range.start.column)
    json.member("end_line", range.end.line)
    json.member("end_column", range.end.column)
  }
}

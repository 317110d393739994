import Glibc
import JobSpec
import Testing

/// What `docs/` holds of the field declarations. `UPDATE_GOLDEN=1` writes the files anew, and such
/// a run fails.
@Suite struct GeneratedDocsTests {
  @Test func theSchemaInDocsIsTheProgramsOwn() throws {
    try compare("job.schema.json", with: JobSchema.json())
  }

  @Test func theTablesInDocsAreTheProgramsOwn() throws {
    let title = "# The fields of a job\n\nMade from the declarations in the code.\n\n"
    try compare("job-fields.md", with: title + FieldTables.markdown())
  }

  private func compare(
    _ name: String, with text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let path = docs() + "/" + name
    guard getenv("UPDATE_GOLDEN") == nil else {
      try write(text, to: path)
      Issue.record("\(name) was written anew", sourceLocation: location)
      return
    }
    let isSame = try read(path) == text
    #expect(
      isSame, "docs/\(name) is old: run the tests with UPDATE_GOLDEN=1", sourceLocation: location)
  }

  private func docs(_ file: String = #filePath) -> String {
    var parts = file.split(separator: "/")
    parts.removeLast(4)
    return "/" + parts.joined(separator: "/") + "/docs"
  }

  private struct NoFile: Error { var path: String }

  private func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw NoFile(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw NoFile(path: path) }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}

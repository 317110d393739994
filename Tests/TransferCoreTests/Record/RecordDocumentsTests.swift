import FoundationEssentials
import Testing
import TransferCore

/// The records, their schema and their page say the same.
struct RecordDocumentsTests {
  private static func document(_ name: String) throws -> [UInt8] {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let data = try Data(contentsOf: URL(filePath: "/\(root)/docs/\(name)"))
    return Array(data)
  }

  private static func checked() throws -> JSONSchemaCheck {
    var check = JSONSchemaCheck(root: try JSONValue.parse(document("completion-log.schema.json")))
    let (plan, run, time) = (RecordSamples.plan(), RecordSamples.run, RecordSamples.time)
    func add(_ definition: String, _ body: (inout JSONWriter) -> Void) throws {
      var json = JSONWriter()
      body(&json)
      check.check(try JSONValue.parse(json.bytes), against: definition)
    }
    let start = RunStart(jobFile: "/j/n.yaml", continues: "r0", taskCount: 1, version: "1.0.0")
    try add("run_started") { RecordEncoding.runStarted(start, of: run, at: time, to: &$0) }
    try add("task_finished") {
      RecordEncoding.taskFinished(RecordSamples.result(), in: plan, of: run, at: time, to: &$0)
    }
    try add("run_finished") {
      RecordEncoding.runFinished(RecordSamples.end(), of: run, at: time, to: &$0)
    }
    var inline = RecordSamples.result()
    inline.path = nil
    inline.body = Array("ok".utf8)
    try add("run_result") {
      ResultEncoding.run(
        RecordSamples.end(), results: [RecordSamples.result(), inline], in: plan, of: run,
        at: time, to: &$0)
    }
    return check
  }

  @Test func whatIsWrittenFollowsTheSchema() throws {
    #expect(try Self.checked().complaints == [])
  }

  @Test func theSchemaNamesNothingThatIsNeverWritten() throws {
    let check = try Self.checked()
    guard case .object(let definitions)? = check.root["$defs"] else { return }
    for (definition, schema) in definitions {
      guard case .object(let properties)? = schema["properties"] else { continue }
      for name in properties.keys {
        // Heads come from a parser that has its own tests.
        if ["response_headers", "headers"].contains(name) { continue }
        #expect(check.seen.contains("\(definition).\(name)"), "\(definition).\(name)")
      }
    }
  }

  @Test func thePageNamesEveryField() throws {
    let page = String(decoding: try Self.document("completion-log.md"), as: UTF8.self)
    for name in try Self.checked().seen.compactMap({ $0.split(separator: ".").last }) {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
  }

  @Test func thePageNamesNoOtherField() throws {
    let page = String(decoding: try Self.document("completion-log.md"), as: UTF8.self)
    var names = Set(
      try Self.checked().seen.compactMap { $0.split(separator: ".").last.map(String.init) })
    names.insert("response_headers")
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cell = line.split(separator: "|")[0]
      for name in cell.split(separator: "`").enumerated().filter({ $0.offset % 2 == 1 }) {
        #expect(names.contains(String(name.element)), "\(name.element)")
      }
    }
  }
}

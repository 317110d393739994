import TransferCore

/// The JSON Schema (draft 2020-12) of the job format, made from the declared fields.
package enum JobSchema {
  /// The schema as JSON text with a line break at its end.
  package static func json() -> String {
    var definitions: [String: SchemaValue] = [:]
    var builder = SchemaBuilder()
    let job = builder.object(.job)
    for (name, spec) in builder.specs { definitions[name] = builder.object(spec) }
    // Building a definition may name further ones.
    while definitions.count < builder.specs.count {
      for (name, spec) in builder.specs where definitions[name] == nil {
        definitions[name] = builder.object(spec)
      }
    }
    let sorted = definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let root: [(String, SchemaValue)] =
      [
        ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
        ("title", .text("jobrun job, version 1")),
      ] + job.members + [("$defs", .object(sorted))]
    var writer = JSONWriter(indented: true)
    SchemaValue.object(root).write(to: &writer)
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// A JSON value whose members keep their order.
indirect enum SchemaValue {
  case text(String)
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case list([SchemaValue])
  case object([(String, SchemaValue)])

  var members: [(String, SchemaValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let value): writer.string(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .bool(let value): writer.boolean(value)
    case .list(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members {
        writer.key(named: name)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

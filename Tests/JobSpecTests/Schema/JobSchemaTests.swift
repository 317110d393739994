import JobSpec
import Testing

@Suite struct JobSchemaTests {
  @Test func everyFieldStandsInTheSchemaAndTheTables() {
    let schema = JobSchema.json()
    let tables = FieldTables.markdown()
    for spec in [ObjectSpec.job, .session, .task, .retry, .redirects, .tls, .expect] {
      for field in spec.fields {
        #expect(schema.contains("\"\(field.key)\": {"), "\(spec.name).\(field.key)")
        #expect(tables.contains("| `\(field.key)` |"), "\(spec.name).\(field.key)")
      }
    }
  }

  @Test func theSchemaReadsAsYAMLAndEveryReferenceIsDefined() throws {
    let (root, diagnostics) = JobYAML(bytes: Array(JobSchema.json().utf8)).read()
    #expect(diagnostics.isEmpty)
    let schema = try #require(root)
    let definitions = try #require(schema["$defs"])
    var references: Set<String> = []
    collect(schema, into: &references)
    #expect(references.count > 10)
    for name in references { #expect(definitions[name] != nil, "\(name)") }
    #expect(schema["additionalProperties"]?.boolean == false)
    #expect(schema["patternProperties"]?["^x-"] != nil)
    #expect(schema["$schema"]?.scalarText == "https://json-schema.org/draft/2020-12/schema")
  }

  private func collect(_ node: YAMLNode, into references: inout Set<String>) {
    switch node.content {
    case .scalar: break
    case .sequence(let nodes): for node in nodes { collect(node, into: &references) }
    case .mapping(let entries):
      for entry in entries {
        if entry.key.scalarText == "$ref", let text = entry.value.scalarText {
          references.insert(String(text.dropFirst("#/$defs/".count)))
        }
        collect(entry.value, into: &references)
      }
    }
  }

  @Test func eachFieldIsDocumentedInOneSentence() {
    for spec in [ObjectSpec.job, .session, .task, .cookies, .cache, .proxy, .credential] {
      for field in spec.fields {
        #expect(field.doc.hasSuffix("."), "\(spec.name).\(field.key)")
        #expect(!field.doc.isEmpty)
      }
    }
  }
}

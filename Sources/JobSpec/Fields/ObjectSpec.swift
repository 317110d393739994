/// An object of the job format: a map whose keys are known.
package final class ObjectSpec: Sendable {
  /// The name of its definition in the schema and of its table.
  package let name: String
  package let doc: String
  package let fields: [FieldSpec]
  private let index: [String: Int]

  package init(_ name: String, _ doc: String, _ fields: [FieldSpec]) {
    self.name = name
    self.doc = doc
    self.fields = fields
    index = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.key, $0) })
  }

  /// The name, for a sentence.
  var words: String { name.replacing("_", with: " ") }

  /// The field with this key.
  package subscript(key: String) -> FieldSpec? { index[key].map { fields[$0] } }
}

/// The fields of the job format as Markdown, made from their declarations.
package enum FieldTables {
  /// A heading and a table for each object, the top level first.
  package static func markdown() -> String {
    var order: [ObjectSpec] = [.job]
    var next = 0
    while next < order.count {
      for spec in order[next].fields.flatMap({ objects(in: $0.type) })
      where !order.contains(where: { $0.name == spec.name }) {
        order.append(spec)
      }
      next += 1
    }
    return order.map(section).joined(separator: "\n")
  }

  private static func objects(in type: FieldType) -> [ObjectSpec] {
    switch type {
    case .object(let spec): [spec]
    case .list(let type, _), .map(let type, _): objects(in: type)
    case .alternatives(let types), .tuple(let types): types.flatMap(objects)
    default: []
    }
  }

  private static func section(_ spec: ObjectSpec) -> String {
    let hasKinds = spec.fields.contains { $0.kinds != .all }
    let kinds = hasKinds ? " for |" : ""
    let rule = hasKinds ? "---|" : ""
    var text = "## \(spec.name)\n\n\(spec.doc)\n\n"
    text += "| key |\(kinds) value | default | meaning |\n|---|\(rule)---|---|---|\n"
    for field in spec.fields { text += row(field, hasKinds) }
    return text
  }

  private static func row(_ field: FieldSpec, _ hasKinds: Bool) -> String {
    var meaning = field.doc
    if let property = field.property { meaning += " (`\(property)`)" }
    if let later = later(field.availability) { meaning += " " + later }
    let standard = field.isRequired ? "required" : field.standard ?? ""
    let kinds = hasKinds ? " \(field.kinds.words) |" : ""
    return "| `\(field.key)` |\(kinds) \(cell(words(field.type))) | \(cell(standard)) "
      + "| \(cell(meaning)) |\n"
  }

  private static func later(_ availability: Availability) -> String? {
    switch availability {
    case .now: nil
    case .later: "*Not in this version.*"
    case .laterUnless(let names, _):
      names.isEmpty
        ? "*Not in this version.*"
        : "*In this version: \(names.map { "`\($0)`" }.joined(separator: ", ")).*"
    case .laterFor(let names, _):
      "*Not in this version: \(names.map { "`\($0)`" }.joined(separator: ", ")).*"
    }
  }

  /// Objects are named, for each has a table.
  private static func words(_ type: FieldType) -> String {
    switch type {
    case .object(let spec): "[\(spec.name)](#\(spec.name))"
    case .list(let type, _): "a list of \(words(type))"
    case .map(let type, _): "a map to \(words(type))"
    case .alternatives(let types): types.map(words).joined(separator: ", or ")
    case .tuple(let types): "[" + types.map(words).joined(separator: ", ") + "]"
    default: type.words
    }
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

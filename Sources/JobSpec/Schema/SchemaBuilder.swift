/// Turns declared fields into JSON Schema.
struct SchemaBuilder {
  /// Objects that were referred to, by name.
  private(set) var specs: [String: ObjectSpec] = [:]

  /// A text that holds a placeholder is checked once it is filled in.
  private static let placeholder = SchemaValue.object([
    ("type", .text("string")), ("pattern", .text("\\$\\{")),
  ])
  private static let ownKeys = SchemaValue.object([("^x-", .bool(true))])

  /// The schema of an object.
  mutating func object(_ spec: ObjectSpec) -> SchemaValue {
    let properties = spec.fields.map { ($0.key, property($0)) }
    let required = spec.fields.filter(\.isRequired).map { SchemaValue.text($0.key) }
    var members: [(String, SchemaValue)] = [
      ("description", .text(spec.doc)), ("type", .text("object")),
      ("properties", .object(properties)),
      ("patternProperties", Self.ownKeys), ("additionalProperties", .bool(false)),
    ]
    if !required.isEmpty { members.append(("required", .list(required))) }
    return .object(members)
  }

  private mutating func property(_ field: FieldSpec) -> SchemaValue {
    let type = schema(field.type, interpolates: field.interpolation != .none).members
    return .object([("description", .text(Self.description(field)))] + type)
  }

  private static func description(_ field: FieldSpec) -> String {
    var text = field.doc
    if let standard = field.standard { text += " Default: \(standard)." }
    if let property = field.property { text += " (\(property))" }
    switch field.availability {
    case .now: break
    case .later: text += " Not in this version."
    case .laterUnless, .laterFor: text += " Not wholly in this version."
    }
    return text
  }

  private mutating func schema(_ type: FieldType, interpolates: Bool) -> SchemaValue {
    switch type {
    case .list(let element, let least):
      return list(schema(element, interpolates: interpolates), atLeast: least)
    case .tuple(let types):
      let items = types.map { schema($0, interpolates: interpolates) }
      return .object([
        ("type", .text("array")), ("prefixItems", .list(items)), ("items", .bool(false)),
        ("minItems", .integer(Int64(types.count))),
      ])
    case .map(let value, let keys): return map(schema(value, interpolates: interpolates), keys)
    case .object(let spec):
      specs[spec.name] = spec
      return .object([("$ref", .text("#/$defs/\(spec.name)"))])
    case .alternatives(let types): return alternatives(types, interpolates)
    case .anything: return .object([])
    default: return scalar(type, interpolates)
    }
  }

  private func list(_ element: SchemaValue, atLeast least: Int) -> SchemaValue {
    var members: [(String, SchemaValue)] = [("type", .text("array")), ("items", element)]
    if least > 0 { members.append(("minItems", .integer(Int64(least)))) }
    return .object(members)
  }

  private func map(_ value: SchemaValue, _ keys: TextRule) -> SchemaValue {
    var members: [(String, SchemaValue)] = [
      ("type", .text("object")), ("additionalProperties", value),
    ]
    if let pattern = keys.pattern {
      let own = keys.isOfNames ? "^x-|" + pattern : pattern
      members.append(("propertyNames", .object([("pattern", .text(own))])))
    }
    if keys.isOfNames { members.insert(("patternProperties", Self.ownKeys), at: 1) }
    return .object(members)
  }

  private mutating func alternatives(_ types: [FieldType], _ interpolates: Bool) -> SchemaValue {
    var all = types.map { schema($0, interpolates: false) }
    // Each scalar stands bare, and the placeholder once for all of them.
    if interpolates, types.contains(where: \.isScalar) { all.append(Self.placeholder) }
    for (index, type) in types.enumerated() where !type.isScalar {
      all[index] = schema(type, interpolates: interpolates)
    }
    return .object([("anyOf", .list(all))])
  }

  private func scalar(_ type: FieldType, _ interpolates: Bool) -> SchemaValue {
    let bare = bare(type)
    if !interpolates || isOpen(type) { return bare }
    return .object([("anyOf", .list([bare, Self.placeholder]))])
  }

  /// Whether any text is allowed already.
  private func isOpen(_ type: FieldType) -> Bool {
    if case .text(let rule) = type { rule.pattern == nil } else { false }
  }

  private func bare(_ type: FieldType) -> SchemaValue {
    switch type {
    case .text(let rule): text(rule)
    case .bool: .object([("type", .text("boolean"))])
    case .int(let range): int(range)
    case .number(let range):
      .object([
        ("type", .text("number")), ("minimum", .number(range.lowerBound)),
        ("maximum", .number(range.upperBound)),
      ])
    case .duration(let positive): number(or: Self.durationPattern, positive: positive)
    case .size: number(or: Self.sizePattern, positive: false)
    case .rate: .object([("type", .text("string")), ("pattern", .text(Self.ratePattern))])
    case .oneOf(let names): names.contains(where: isNumber) ? mixed(names) : strings(names)
    default: .object([("type", .text("null"))])
    }
  }

  /// A number or boolean is taken as it is written where text is due.
  private func text(_ rule: TextRule) -> SchemaValue {
    let types: [SchemaValue] = [.text("string"), .text("number"), .text("boolean")]
    var members: [(String, SchemaValue)] = [
      ("type", rule.takesNumbers ? .list(types) : .text("string"))
    ]
    if let pattern = rule.pattern { members.append(("pattern", .text(pattern))) }
    return .object(members)
  }

  private func int(_ range: ClosedRange<Int64>) -> SchemaValue {
    var members: [(String, SchemaValue)] = [("type", .text("integer"))]
    if range.lowerBound != .min { members.append(("minimum", .integer(range.lowerBound))) }
    if range.upperBound != .max { members.append(("maximum", .integer(range.upperBound))) }
    return .object(members)
  }

  private func number(or pattern: String, positive: Bool) -> SchemaValue {
    let bound = positive ? "exclusiveMinimum" : "minimum"
    return .object([
      ("type", .list([.text("number"), .text("string")])), (bound, .integer(0)),
      ("pattern", .text(pattern)),
    ])
  }

  private func isNumber(_ name: String) -> Bool { Self.number(name) != nil }

  private static func number(_ name: String) -> SchemaValue? {
    if let whole = Int64(name) { return .integer(whole) }
    return Double(name).map(SchemaValue.number)
  }

  private func strings(_ names: [String]) -> SchemaValue {
    .object([("enum", .list(names.map(SchemaValue.text)))])
  }

  /// Names that look like numbers are taken as numbers too.
  private func mixed(_ names: [String]) -> SchemaValue {
    .object([
      ("enum", .list(names.map(SchemaValue.text) + names.compactMap(Self.number)))
    ])
  }

  private static let sizePattern =
    "^ *[0-9]+([.][0-9]+)? *(B|kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|PiB)? *$"
  private static let ratePattern =
    "^ *[0-9]+([.][0-9]+)? *(B|kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|PiB)? */s *$"
  private static let durationPattern =
    "^ *([0-9]+([.][0-9]+)?|([0-9]+([.][0-9]+)?d *)?([0-9]+([.][0-9]+)?h *)?"
    + "([0-9]+([.][0-9]+)?m *)?([0-9]+([.][0-9]+)?s *)?([0-9]+([.][0-9]+)?ms)?) *$"
}

/// What a field's value may be. Feeds the decoder, the JSON Schema and the tables of `docs/`.
package indirect enum FieldType: Sendable {
  /// Text; a plain number or boolean is taken as it is written.
  case text(TextRule)
  case bool
  /// A whole number within the range.
  case int(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  /// `60s`, `1h30m`, or seconds; `positive` refuses zero.
  case duration(positive: Bool)
  /// Bytes: `4096`, `16 KiB`, `20 MB`.
  case size
  /// A size and `/s`.
  case rate
  /// One of these names.
  case oneOf([String])
  case null
  case list(FieldType, atLeast: Int)
  /// As many elements as types, in order.
  case tuple([FieldType])
  /// Names of the author's own.
  case map(FieldType, keys: TextRule)
  case object(ObjectSpec)
  /// The first that fits the value's shape.
  case alternatives([FieldType])
  /// Any YAML value.
  case anything

  /// What is allowed, in words, to stand after `expected`.
  package var words: String {
    switch self {
    case .text(let rule): rule.words
    case .bool: "true or false"
    case .int(let range): Self.words(of: range)
    case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .duration: "a duration like 60s or 1h30m"
    case .size: "a size like 4096 or 16 KiB"
    case .rate: "a rate like 10 MiB/s"
    case .oneOf(let names): Self.oneOfWords(names)
    case .null: "null"
    case .list(.object(let spec), _): "a list of \(spec.words)s"
    case .list: "a list"
    case .tuple(let types): "a list of \(types.count) values"
    case .map(.object(let spec), _): "a map of name to \(spec.words)"
    case .map: "a map"
    case .object(let spec): Self.objectWords(spec)
    case .alternatives(let types): Self.alternativeWords(types)
    case .anything: "any value"
    }
  }

  private static func words(of range: ClosedRange<Int64>) -> String {
    if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
    if range.upperBound == .max { return "a whole number from \(range.lowerBound)" }
    return "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }

  private static func objectWords(_ spec: ObjectSpec) -> String {
    let keys = spec.fields.prefix(4).map(\.key).joined(separator: ", ")
    return "a map (\(keys)\(spec.fields.count > 4 ? ", …" : ""))"
  }

  private static func oneOfWords(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func alternativeWords(_ types: [FieldType]) -> String {
    guard let last = types.last, types.count > 1 else { return types.first?.words ?? "nothing" }
    return types.dropLast().map(\.words).joined(separator: ", ") + ", or " + last.words
  }

  /// Whether the value is written as a YAML scalar.
  package var isScalar: Bool {
    switch self {
    case .text, .bool, .int, .number, .duration, .size, .rate, .oneOf, .null: true
    case .list, .tuple, .map, .object, .anything: false
    case .alternatives(let types): types.allSatisfy(\.isScalar)
    }
  }

  /// Whether the value is written as a YAML list.
  var isSequence: Bool {
    switch self {
    case .list, .tuple: true
    default: false
    }
  }

  /// Whether the value is written as a YAML map.
  var isMapping: Bool {
    switch self {
    case .map, .object: true
    default: false
    }
  }
}

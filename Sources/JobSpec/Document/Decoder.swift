import TransferCore

/// Reads nodes as the declared fields say, and tells what is wrong with them.
final class Decoder {
  let findings: Findings
  let interpolator: Interpolator
  /// Where it is, in the document's structure.
  private var path = DocumentPath()
  var nearestKeys: [Slip: String?] = [:]

  /// A misspelt key of an object.
  struct Slip: Hashable {
    var name: String
    var object: String
  }

  init(findings: Findings, interpolator: Interpolator) {
    self.findings = findings
    self.interpolator = interpolator
  }

  // MARK: Places

  func within<Result>(_ step: DocumentPath.Step, _ body: () -> Result) -> Result {
    path.push(step)
    defer { path.pop() }
    return body()
  }

  /// Reads something that stands elsewhere.
  func within<Result>(_ other: DocumentPath, _ body: () -> Result) -> Result {
    let here = path
    path = other
    defer { path = here }
    return body()
  }

  func place(_ range: SourceRange) -> Place { Place(range: range, path: path) }

  // MARK: Objects

  /// Reads a node as an object. `isWhole`: required fields must be there.
  func object(_ node: YAMLNode, as spec: ObjectSpec, isWhole: Bool = true) -> ObjectValue? {
    guard case .mapping(let entries) = node.content else {
      tellNoObject(node, spec)
      return nil
    }
    var object = ObjectValue(range: node.range)
    object.entries.reserveCapacity(entries.count)
    for entry in entries { append(entry, to: &object, spec) }
    if isWhole { checkRequired(object, spec) }
    return object
  }

  /// Reads one entry of an object's node.
  func append(_ entry: YAMLNode.Entry, to object: inout ObjectValue, _ spec: ObjectSpec) {
    guard let field = field(of: entry.key, in: spec) else { return }
    let value = within(.key(field.key)) { self.value(of: entry.value, as: field.type, in: field) }
    object.entries.append(
      ObjectValue.Entry(
        field: field, keyRange: entry.key.range, value: value, range: entry.value.range))
  }

  /// The field that a key names; nil when it is the author's own (`x-…`) or wrong.
  func field(of key: YAMLNode, in spec: ObjectSpec) -> FieldSpec? {
    guard case .scalar(let name, _) = key.content else {
      findings.error(.keyNotText, "a key must be text", at: place(key.range))
      return nil
    }
    if let field = spec[name] { return field }
    if name.hasPrefix("x-") { return nil }
    tellUnknown(name, at: within(.key(name)) { self.place(key.range) }, spec)
    return nil
  }

  private func checkRequired(_ object: ObjectValue, _ spec: ObjectSpec) {
    for field in spec.fields where field.isRequired && !object.has(field.key) {
      tellMissing(field, in: object.range)
    }
  }

  func tellMissing(_ field: FieldSpec, in range: SourceRange) {
    let start = SourceRange(start: range.start, end: range.start)
    findings.error(
      .missingKey, "`\(field.key)` is missing", at: place(start),
      hint: "it must be \(field.type.words)")
  }

  // MARK: Values

  /// Reads a node as a type.
  func value(of node: YAMLNode, as type: FieldType, in field: FieldSpec) -> FieldValue {
    switch type {
    case .alternatives(let types): alternative(node, types, of: type, field)
    case .list(let element, let least): list(node, of: element, atLeast: least, field)
    case .tuple(let types): tuple(node, types, field)
    case .map(let type, let keys): map(node, of: type, keys: keys, field)
    case .object(let spec): object(node, as: spec).map(FieldValue.object) ?? .invalid
    case .anything: JSONText.text(of: node, in: field, by: self).map(FieldValue.pieces) ?? .invalid
    default: scalar(node, as: [type], of: type, field)
    }
  }

  private func alternative(
    _ node: YAMLNode, _ types: [FieldType], of whole: FieldType, _ field: FieldSpec
  ) -> FieldValue {
    let fitting: FieldType?
    switch node.content {
    case .scalar:
      if types.contains(where: \.isScalar) { return scalar(node, as: types, of: whole, field) }
      fitting = nil
    case .sequence: fitting = types.first(where: \.isSequence)
    case .mapping: fitting = types.first(where: \.isMapping)
    }
    if let fitting { return value(of: node, as: fitting, in: field) }
    return wrongType(node, whole)
  }

  /// What is being read, to begin a message with.
  var subject: String {
    switch path.last {
    case .key(let key): "`\(key)`"
    case .index: path.lastKey.map { "each of `\($0)`" } ?? "each element"
    case nil: "a job"
    }
  }

  /// The nearest key upwards.
  var key: String? { path.lastKey }

  private func list(
    _ node: YAMLNode, of type: FieldType, atLeast least: Int, _ field: FieldSpec
  ) -> FieldValue {
    guard case .sequence(let nodes) = node.content else {
      return wrongType(node, .list(type, atLeast: least))
    }
    if nodes.count < least {
      findings.error(
        .tooFew, "\(subject) must not be empty", at: place(node.range),
        hint: "leave it out if it isn't needed")
      return .invalid
    }
    var elements: [FieldValue.Element] = []
    elements.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      let value = within(.index(index)) { self.value(of: node, as: type, in: field) }
      elements.append(FieldValue.Element(value: value, range: node.range))
    }
    return .list(elements)
  }

  private func tuple(_ node: YAMLNode, _ types: [FieldType], _ field: FieldSpec) -> FieldValue {
    guard case .sequence(let nodes) = node.content else { return wrongType(node, .tuple(types)) }
    guard nodes.count == types.count else {
      findings.error(
        .wrongType, "\(subject) must be a list of \(types.count) values, not of \(nodes.count)",
        at: place(node.range))
      return .invalid
    }
    var elements: [FieldValue.Element] = []
    for (index, (node, type)) in zip(nodes, types).enumerated() {
      let value = within(.index(index)) { self.value(of: node, as: type, in: field) }
      elements.append(FieldValue.Element(value: value, range: node.range))
    }
    return .list(elements)
  }

  private func map(
    _ node: YAMLNode, of type: FieldType, keys: TextRule, _ field: FieldSpec
  ) -> FieldValue {
    guard case .mapping(let entries) = node.content else {
      return wrongType(node, .map(type, keys: keys))
    }
    var pairs: [FieldValue.Pair] = []
    pairs.reserveCapacity(entries.count)
    for entry in entries {
      guard let key = mapKey(entry.key, keys) else { continue }
      let value = within(.key(key)) { self.value(of: entry.value, as: type, in: field) }
      pairs.append(
        FieldValue.Pair(
          key: key, keyRange: entry.key.range, value: value, range: entry.value.range))
    }
    return .map(pairs)
  }

  /// A key of the author's own; nil when it is to be passed over.
  func mapKey(_ node: YAMLNode, _ rule: TextRule) -> String? {
    guard case .scalar(let key, _) = node.content else {
      findings.error(.keyNotText, "a key must be text", at: place(node.range))
      return nil
    }
    if rule.isOfNames, key.hasPrefix("x-") { return nil }
    if let problem = rule.problem(in: key) {
      findings.error(
        .badName, "`\(shortened(key))` \(problem.message)",
        at: within(.key(key)) { self.place(node.range) }, hint: problem.hint)
      return nil
    }
    return key
  }

  // MARK: Scalars

  /// Reads it as the first of the scalar ones among `types` that fits.
  private func scalar(
    _ node: YAMLNode, as types: [FieldType], of whole: FieldType, _ field: FieldSpec
  ) -> FieldValue {
    guard case .scalar(let text, let isPlain) = node.content else {
      return wrongType(node, whole)
    }
    var source = ScalarSource(text: text, isPlain: isPlain)
    if field.interpolation != .none, text.utf8.span.contains("$") {
      let filled = interpolator.fill(
        text, at: place(node.range), isPlain: isPlain, allowing: field.interpolation)
      switch filled {
      case .invalid: return .invalid
      case .opaque(let text): return .opaque(text)
      case .pieces(let text): return pieces(text, as: types, at: node.range)
      case .literal(let text): source = ScalarSource(text: text, isPlain: nil)
      }
    }
    return parse(source, node, as: types, of: whole)
  }

  /// Text that is known only when the task runs.
  private func pieces(
    _ text: PlanText, as types: [FieldType], at range: SourceRange
  ) -> FieldValue {
    let takesText = types.contains { if case .text = $0 { true } else { false } }
    if takesText { return .pieces(text) }
    findings.error(
      .captureNotAllowed, "\(subject) must be known before the run: \(text.shown) isn't",
      at: place(range))
    return .invalid
  }

  private func parse(
    _ source: ScalarSource, _ node: YAMLNode, as types: [FieldType], of whole: FieldType
  ) -> FieldValue {
    var problems: [ScalarMismatch] = []
    for type in types where type.isScalar {
      do throws(ScalarMismatch) {
        return try source.value(as: type)
      } catch { problems.append(error) }
    }
    tell(problems, with: source, node, as: types.filter(\.isScalar), of: whole)
    return .invalid
  }
}

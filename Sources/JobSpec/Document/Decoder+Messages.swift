// What is said of a node that isn't what its field declares.
extension Decoder {
  func tellUnknown(_ name: String, at place: Place, _ spec: ObjectSpec) {
    findings.error(
      .unknownKey, "`\(name)` is not a key of \(owner(spec))", at: place,
      hint: meant(by: name, in: spec).map { "did you mean \($0)?" } ?? keysHint(spec))
  }

  /// The key that is meant, in quotes. One slip is often in many tasks.
  private func meant(by name: String, in spec: ObjectSpec) -> String? {
    let slip = Slip(name: name, object: spec.name)
    if let known = nearestKeys[slip] { return known }
    let keys = spec.fields.map(\.key)
    let meant =
      nearest(to: name, in: keys).map { "`\($0)`" }
      ?? ForeignNames.suggestion(for: name, among: keys)
    nearestKeys[slip] = .some(meant)
    return meant
  }

  private func owner(_ spec: ObjectSpec) -> String {
    if ["job", "task", "session", "secret"].contains(spec.name) { return "a \(spec.name)" }
    return key.map { "`\($0)`" } ?? "it"
  }

  private func keysHint(_ spec: ObjectSpec) -> String {
    guard spec.fields.count <= 10 else {
      return "`jobrun schema` has all keys; one that begins with `x-` is yours and ignored"
    }
    return "its keys are " + spec.fields.map(\.key).joined(separator: ", ")
  }

  func tellNoObject(_ node: YAMLNode, _ spec: ObjectSpec) {
    findings.error(
      .wrongType, "\(subject) must be a map, not \(node.describedKind)", at: place(node.range),
      hint: keysHint(spec))
  }

  func wrongType(_ node: YAMLNode, _ type: FieldType) -> FieldValue {
    if isNothing(node) {
      tellNothing(node, type)
    } else {
      findings.error(
        .wrongType, "\(subject) must be \(type.words), not \(node.describedKind)",
        at: place(node.range), hint: listHint(node, type))
    }
    return .invalid
  }

  /// A key without a value.
  private func isNothing(_ node: YAMLNode) -> Bool {
    node.isNull && node.range.start == node.range.end
  }

  private func tellNothing(_ node: YAMLNode, _ type: FieldType) {
    findings.error(
      .wrongType, "\(subject) has no value", at: place(node.range),
      hint: "leave the key out, or write \(type.words)")
  }

  /// One value where a list of such values is due.
  private func listHint(_ node: YAMLNode, _ type: FieldType) -> String? {
    guard case .list(let element, _) = type, element.isScalar,
      case .scalar(let text, let isPlain) = node.content, text.count <= 40, !node.isNull
    else { return nil }
    if key == "run" || key == "command" {
      return "each argument by itself, as in `[curl, -s, URL]`; no shell reads it"
    }
    return "write it as a list: `[\(isPlain ? text : "\"\(text)\"")]`"
  }

  /// `problems` are those of each of `types`.
  func tell(
    _ problems: [ScalarMismatch], with source: ScalarSource, _ node: YAMLNode,
    as types: [FieldType], of whole: FieldType
  ) {
    if source.isPlain == true, isNothing(node) { return tellNothing(node, whole) }
    if source.text.isEmpty, source.isPlain != true {
      return findings.error(
        .badValue, "\(subject) must not be empty", at: place(node.range),
        hint: "leave the key out, or write \(whole.words)")
    }
    let problem = telling(problems, types)
    let found = source.isPlain == nil ? "`\(shortened(source.text))`" : found(node, source.text)
    let message = problem.message ?? " must be \(whole.words), not \(found)"
    findings.error(
      problem.id, "\(subject)\(message)", at: place(node.range),
      hint: problem.hint ?? suggestion(source.text, types))
  }

  /// The problem that says most: that of the one type which isn't a list of words.
  private func telling(_ problems: [ScalarMismatch], _ types: [FieldType]) -> ScalarMismatch {
    if problems.count == 1 { return problems[0] }
    let detailed = zip(problems, types).filter { _, type in
      switch type {
      case .oneOf, .null: false
      default: true
      }
    }
    guard detailed.count == 1, detailed[0].0.message != nil else {
      return ScalarMismatch(.badValue)
    }
    return detailed[0].0
  }

  private func found(_ node: YAMLNode, _ text: String) -> String {
    let kind = node.describedKind
    return kind == "text" ? "`\(shortened(text))`" : kind
  }

  /// Numbers that look alike are no slips of each other.
  private func suggestion(_ text: String, _ types: [FieldType]) -> String? {
    guard text.first?.isLetter == true else { return nil }
    for case .oneOf(let names) in types {
      if let near = nearest(to: text, in: names) { return "did you mean `\(near)`?" }
    }
    return nil
  }
}

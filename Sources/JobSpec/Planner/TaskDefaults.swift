/// The fields that every task starts from.
struct TaskDefaults {
  private struct Default {
    var node: YAMLNode.Entry
    var field: FieldSpec
    /// Read once, when nothing in it depends on the task.
    var entry: ObjectValue.Entry?
  }

  private var defaults: [Default] = []
  private static let path: DocumentPath = {
    var path = DocumentPath()
    path.push(.key("defaults"))
    return path
  }()

  /// Takes in what the file says.
  mutating func read(_ entries: [YAMLNode.Entry], _ decoder: Decoder) {
    for node in entries {
      guard let field = decoder.within(Self.path, { decoder.field(of: node.key, in: .task) }) else {
        continue
      }
      if field.key == "id" {
        decoder.findings.error(
          .conflict, "`id` can't have a default: each task has its own",
          at: Place(range: node.key.range, path: Self.path.appending(.key("id"))))
        continue
      }
      let isFixed = !node.value.holdsDollar
      defaults.append(
        Default(node: node, field: field, entry: isFixed ? Self.entry(node, decoder) : nil))
    }
  }

  private static func entry(_ node: YAMLNode.Entry, _ decoder: Decoder) -> ObjectValue.Entry? {
    var object = ObjectValue(range: node.value.range)
    decoder.within(path) { decoder.append(node, to: &object, .task) }
    var entry = object.entries.first
    entry?.home = path
    return entry
  }

  func has(_ key: String) -> Bool { defaults.contains { $0.field.key == key } }

  /// The default of a field.
  func entry(_ key: String, _ decoder: Decoder) -> ObjectValue.Entry? {
    guard let known = defaults.first(where: { $0.field.key == key }) else { return nil }
    return known.entry ?? Self.entry(known.node, decoder)
  }

  /// Adds to a task what it doesn't say itself; headers merge by name.
  func lay(under object: inout ObjectValue, for kind: TaskKinds, _ decoder: Decoder) {
    for known in defaults where known.field.kinds.contains(kind) {
      let key = known.field.key
      if key == "matrix" || key == "items" { continue }
      let own = object.entries.firstIndex { $0.field.key == key }
      if own != nil, key != "headers" { continue }
      guard let entry = known.entry ?? Self.entry(known.node, decoder) else { continue }
      if let own {
        object.entries[own].value = HeaderValues.merged(
          entry.value, under: object.entries[own].value)
      } else {
        object.entries.append(entry)
      }
    }
  }
}

/// Headers as they are written, laid over one another by name.
enum HeaderValues {
  static func merged(_ lower: FieldValue, under upper: FieldValue) -> FieldValue {
    let own = names(upper)
    switch (lower, upper) {
    case (.map(let below), .map(let above)):
      return .map(below.filter { !own.contains($0.key.lowercased()) } + above)
    default:
      let kept = pairs(lower).filter { pair in
        guard case .list(let parts) = pair.value, let name = parts.first?.value.string else {
          return false
        }
        return !own.contains(name.lowercased())
      }
      return .list(kept + pairs(upper))
    }
  }

  private static func names(_ value: FieldValue) -> Set<String> {
    Set(
      pairs(value).compactMap { pair in
        guard case .list(let parts) = pair.value else { return nil }
        return parts.first?.value.string?.lowercased()
      })
  }

  private static func pairs(_ value: FieldValue) -> [FieldValue.Element] {
    switch value {
    case .list(let elements): elements
    case .map(let pairs):
      pairs.map { pair in
        let name = FieldValue.Element(value: .text(pair.key), range: pair.keyRange)
        let value = FieldValue.Element(value: pair.value, range: pair.range)
        return FieldValue.Element(value: .list([name, value]), range: pair.keyRange)
      }
    default: []
    }
  }
}

extension YAMLNode {
  /// Whether a placeholder may stand in it.
  var holdsDollar: Bool {
    switch content {
    case .scalar(let text, _): text.utf8.span.contains("$")
    case .sequence(let nodes): nodes.contains(where: \.holdsDollar)
    case .mapping(let entries): entries.contains { $0.value.holdsDollar }
    }
  }
}

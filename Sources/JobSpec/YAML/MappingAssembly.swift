/// A mapping while it is read: finds keys that come twice and lays merged mappings under the rest.
struct MappingAssembly {
  private var entries: [YAMLNode.Entry] = []
  private var places = KeyPlaces()
  /// What `<<` brought, the first wins.
  private var merged: [YAMLNode.Entry] = []

  init() { entries.reserveCapacity(KeyPlaces.usual) }

  /// Takes the key in, or answers where it stood first.
  mutating func firstPlace(of key: String, at range: SourceRange) -> SourceRange? {
    places.first(of: key, at: range)
  }

  mutating func append(_ key: YAMLNode, _ value: YAMLNode) {
    entries.append(YAMLNode.Entry(key: key, value: value))
  }

  /// Takes the value of a `<<` key: a mapping or a list of them; false when it is neither.
  mutating func merge(_ value: YAMLNode) -> Bool {
    switch value.content {
    case .scalar: return false
    case .mapping(let entries):
      merged += entries
      return true
    case .sequence(let items):
      for item in items {
        guard case .mapping(let entries) = item.content else { return false }
        merged += entries
      }
      return true
    }
  }

  /// In file order, the merged keys that aren't written out after the rest.
  consuming func finished() -> [YAMLNode.Entry] {
    for entry in merged {
      guard case .scalar(let key, _) = entry.key.content else { continue }
      if places.first(of: key, at: entry.key.range) == nil { entries.append(entry) }
    }
    return entries
  }
}

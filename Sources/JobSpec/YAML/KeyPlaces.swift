/// The keys of one mapping, so that a second one of the same name is found.
struct KeyPlaces {
  private var few: [(key: String, range: SourceRange)] = []
  private var many: [String: SourceRange] = [:]
  private static let fewAtMost = 12
  /// A task has about so many keys.
  static let usual = 6

  init() { few.reserveCapacity(Self.usual) }

  /// Takes the key in, or answers where it was first.
  mutating func first(of key: String, at range: SourceRange) -> SourceRange? {
    if let known = self[key] { return known }
    if few.count < Self.fewAtMost {
      few.append((key, range))
    } else {
      many[key] = range
    }
    return nil
  }

  subscript(key: String) -> SourceRange? {
    for entry in few where entry.key == key { return entry.range }
    return many.isEmpty ? nil : many[key]
  }
}

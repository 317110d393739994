/// Finds what an object asks for that this version doesn't do.
enum LaterFeatures {
  struct Found {
    /// Keys within the object, like `tls.client_key`.
    var keyPath: String
    var place: Place
    var what: String
  }

  /// `path` is the object's own; entries that stand elsewhere bring theirs.
  static func found(in object: ObjectValue, at path: DocumentPath) -> [Found] {
    var found: [Found] = []
    for index in object.entries.indices where mayNeed(object.entries[index]) {
      let entry = object.entries[index]
      collect(entry, at: entry.home ?? path, "", into: &found)
    }
    return found
  }

  private static func mayNeed(_ entry: borrowing ObjectValue.Entry) -> Bool {
    switch entry.value {
    case .object, .list: return true
    default: break
    }
    if case .now = entry.field.availability { return false }
    return true
  }

  private static func collect(
    _ entry: ObjectValue.Entry, at path: DocumentPath, _ prefix: String, into found: inout [Found]
  ) {
    let field = entry.field
    if case .now = field.availability {
      let path = path.appending(.key(field.key))
      switch entry.value {
      case .object(let inner): collect(inner, at: path, prefix + field.key + ".", into: &found)
      case .list(let elements):
        for (index, element) in elements.enumerated() {
          guard case .object(let inner) = element.value else { continue }
          let path = path.appending(.index(index))
          collect(inner, at: path, prefix + field.key + ".", into: &found)
        }
      default: break
      }
      return
    }
    guard let what = need(entry) else { return }
    let place = Place(range: entry.keyRange, path: path.appending(.key(field.key)))
    found.append(Found(keyPath: prefix + field.key, place: place, what: what))
  }

  private static func collect(
    _ object: ObjectValue, at path: DocumentPath, _ prefix: String, into found: inout [Found]
  ) {
    for entry in object.entries { collect(entry, at: path, prefix, into: &found) }
  }

  private static func need(_ entry: ObjectValue.Entry) -> String? {
    switch entry.value {
    case .invalid, .opaque: return nil
    default: break
    }
    switch entry.field.availability {
    case .now: return nil
    case .later(let what): return what
    case .laterUnless(let texts, let what):
      if case .list(let elements) = entry.value, elements.isEmpty { return nil }
      return texts.contains { isSame(entry, as: $0) } ? nil : what
    case .laterFor(let texts, let what):
      return texts.contains { isSame(entry, as: $0) } ? what : nil
    }
  }

  private static func isSame(_ entry: ObjectValue.Entry, as text: String) -> Bool {
    let source = ScalarSource(text: text, isPlain: nil)
    let types: [FieldType] =
      if case .alternatives(let types) = entry.field.type { types } else { [entry.field.type] }
    return types.filter(\.isScalar).contains { type in
      (try? source.value(as: type))?.isSameScalar(as: entry.value) ?? false
    }
  }
}

/// An object of a job file as it is written: its fields that are there, nothing defaulted.
struct ObjectValue {
  struct Entry {
    var field: FieldSpec
    var keyRange: SourceRange
    var value: FieldValue
    var range: SourceRange
    /// Of the object that it stands in, when that isn't the one it counts for.
    var home: DocumentPath?
  }

  var entries: [Entry] = []
  var range: SourceRange

  subscript(key: String) -> Entry? {
    index(of: key).map { entries[$0] }
  }

  /// Most keys that are asked for aren't there, and most of those differ in length.
  private func index(of key: String) -> Int? {
    let length = key.utf8.count
    for index in entries.indices {
      let other = entries[index].field.key
      if other.utf8.count == length, other == key { return index }
    }
    return nil
  }

  private func value(_ key: String) -> FieldValue? { index(of: key).map { entries[$0].value } }

  func has(_ key: String) -> Bool { index(of: key) != nil }

  func bool(_ key: String) -> Bool? {
    if case .bool(let value)? = value(key) { value } else { nil }
  }

  func int(_ key: String) -> Int64? {
    if case .int(let value)? = value(key) { value } else { nil }
  }

  func duration(_ key: String) -> Duration? {
    if case .duration(let value)? = value(key) { value } else { nil }
  }

  func bytes(_ key: String) -> Int64? {
    if case .bytes(let value)? = value(key) { value } else { nil }
  }

  /// Text that is known.
  func string(_ key: String) -> String? { value(key)?.string }

  func object(_ key: String) -> ObjectValue? {
    if case .object(let value)? = value(key) { value } else { nil }
  }

  func list(_ key: String) -> [FieldValue.Element]? {
    if case .list(let value)? = value(key) { value } else { nil }
  }

  /// The known texts of a list.
  func strings(_ key: String) -> [String]? { list(key)?.compactMap(\.value.string) }

  func choice<Choice: RawRepresentable>(_ key: String, _: Choice.Type = Choice.self) -> Choice?
  where Choice.RawValue == String {
    string(key).flatMap(Choice.init(rawValue:))
  }

  /// A copy in which `upper`'s fields replace ours, objects and maps key by key.
  func overlaid(by upper: ObjectValue) -> ObjectValue {
    var merged = self
    for entry in upper.entries { merged.lay(entry) }
    merged.range = upper.range
    return merged
  }

  private mutating func lay(_ entry: Entry) {
    guard let index = entries.firstIndex(where: { $0.field.key == entry.field.key }) else {
      entries.append(entry)
      return
    }
    var laid = entry
    switch (entries[index].value, entry.value) {
    case (.object(let lower), .object(let upper)): laid.value = .object(lower.overlaid(by: upper))
    case (.map(let lower), .map(let upper)) where entry.field.key != "headers":
      let kept = lower.filter { old in !upper.contains { $0.key == old.key } }
      laid.value = .map(kept + upper)
    default: break
    }
    entries[index] = laid
  }
}

import TransferCore

extension JobPlanner {
  private static let kinds: [(key: String, kind: TaskKinds)] = [
    ("download", .download), ("upload", .upload), ("data", .data), ("mirror", .mirror),
  ]

  /// What a task does; brings in the defaults that are for that kind.
  func kind(of object: inout ObjectValue, _ written: WrittenTask) -> TaskKinds? {
    let own = Self.kinds.filter { object.has($0.key) }
    if own.count > 1 {
      let entry = object[own[1].key]
      findings.error(
        .conflict,
        "a task is one of download, upload, data and mirror, and this has `"
          + own.map(\.key).joined(separator: "` and `") + "`",
        at: Place(
          range: entry?.keyRange ?? written.range,
          path: written.path.appending(.key(own[1].key))),
        hint: "make it two tasks")
      return nil
    }
    let usual = Self.kinds.first { defaults.has($0.key) }
    guard let kind = own.first?.kind ?? usual?.kind else {
      let start = SourceRange(start: written.range.start, end: written.range.start)
      findings.error(
        .missingKey, "a task needs one of `download`, `upload` and `data`",
        at: Place(range: start, path: written.path),
        hint: "like `download: https://host/file`")
      return nil
    }
    checkKinds(object, kind, written)
    defaults.lay(under: &object, for: kind, decoder)
    return kind
  }

  private func checkKinds(_ object: ObjectValue, _ kind: TaskKinds, _ written: WrittenTask) {
    for entry in object.entries where !entry.field.kinds.contains(kind) {
      let key = entry.field.key
      findings.error(
        .wrongKind, "`\(key)` is for \(entry.field.kinds.plural), and this task is \(kind.article)",
        at: Place(range: entry.keyRange, path: written.path.appending(.key(key))),
        hint: key == "to" ? "`save` writes a data task's answer to a file" : nil)
    }
  }

  /// The id as it counts, without a copy's ending.
  func id(of object: ObjectValue, _ written: WrittenTask) -> String? {
    if let key = written.key {
      if let entry = object["id"] {
        findings.error(
          .conflict, "`id` is the key of the map already: `\(key)`",
          at: Place(range: entry.keyRange, path: written.path.appending(.key("id"))),
          hint: "leave it out")
      }
      return key
    }
    guard let entry = object["id"] else {
      let start = SourceRange(start: written.range.start, end: written.range.start)
      findings.error(
        .missingKey, "a task in a list needs an `id`", at: Place(range: start, path: written.path),
        hint: "`after`, the state and the log name it by its id")
      return nil
    }
    switch entry.value {
    case .text(let text), .opaque(let text): return text
    case .pieces:
      findings.error(
        .captureNotAllowed, "an id must be known before the run",
        at: Place(range: entry.range, path: written.path.appending(.key("id"))))
      return nil
    default: return nil
    }
  }

  /// The index of a task's session.
  func session(of object: ObjectValue, _ path: DocumentPath) -> Int? {
    guard let reader else { return nil }
    guard let entry = object["session"] else { return reader.sessions.index(of: "default") }
    if case .opaque = entry.value { return reader.sessions.index(of: "default") }
    guard let name = entry.value.string else { return nil }
    if let index = reader.sessions.index(of: name) { return index }
    let near = nearest(to: name, in: reader.sessions.names)
    findings.error(
      .unknownSession, "there is no session `\(name)`",
      at: Place(range: entry.range, path: (entry.home ?? path).appending(.key("session"))),
      hint: near.map { "did you mean `\($0)`?" } ?? "write it under `sessions:`")
    return nil
  }
}

extension TaskKinds {
  /// `a download`.
  fileprivate var article: String {
    switch self {
    case .upload: "an upload"
    case .data: "a data task"
    default: "a \(words)"
    }
  }

  /// `downloads and data tasks`.
  fileprivate var plural: String {
    let named: [(TaskKinds, String)] = [
      (.download, "downloads"), (.upload, "uploads"), (.data, "data tasks"),
    ]
    return named.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
  }
}

import TransferCore

/// Reads headers of a job file, and lays them over one another.
struct HeaderRules {
  let findings: Findings

  private static let refused: [String: String] = [
    "host": "it is made from the address; `connect_to` sends a request elsewhere",
    "connection": "connections are managed by jobrun",
    "content-length": "it is counted from the body",
    "transfer-encoding": "the framing is chosen by the protocol",
    "www-authenticate": "it is for answers",
    "proxy-authorization": "write `user` and `password` under `proxy`",
    "proxy-authenticate": "it is for answers",
  ]
  private static let scopedAny: Set<String> = ["user-agent", "accept", "accept-language"]

  /// The headers of a field, in order. `path` is the field's own.
  func headers(of entry: ObjectValue.Entry, at path: DocumentPath) -> [HeaderField] {
    switch entry.value {
    case .map(let pairs): headers(of: pairs, at: path)
    case .list(let elements): headers(of: elements, at: path)
    default: []
    }
  }

  private func headers(of pairs: [FieldValue.Pair], at path: DocumentPath) -> [HeaderField] {
    var fields: [HeaderField] = []
    var first: [String: SourceRange] = [:]
    for pair in pairs {
      let place = Place(range: pair.keyRange, path: path.appending(.key(pair.key)))
      let name = pair.key.lowercased()
      if let earlier = first[name] {
        findings.error(
          .duplicateHeader, "`\(pair.key)` is here twice: names compare without case", at: place,
          hint: "a list of [name, value] pairs sends a header twice",
          notes: [Diagnostic.Note(message: "it is here first", range: earlier)])
        continue
      }
      first[name] = pair.keyRange
      if let field = field(pair.key, pair.value, pair.range, at: place) { fields.append(field) }
    }
    return fields
  }

  private func headers(of elements: [FieldValue.Element], at path: DocumentPath) -> [HeaderField] {
    elements.enumerated().compactMap { index, element in
      guard case .list(let pair) = element.value, pair.count == 2,
        let name = pair[0].value.string
      else { return nil }
      let place = Place(range: pair[0].range, path: path.appending(.index(index)))
      return field(name, pair[1].value, pair[1].range, at: place)
    }
  }

  private func field(
    _ name: String, _ value: FieldValue, _ range: SourceRange, at place: Place
  ) -> HeaderField? {
    let key = name.lowercased()
    if let why = Self.refused[key] {
      findings.error(.refusedHeader, "`\(name)` can't be set by a job", at: place, hint: why)
      return nil
    }
    if key == "authorization" {
      findings.warning(
        .authorizationHeader, "`\(name)` is set by hand", at: place,
        hint: "write it under `credentials`: those go to one protection space alone, and are "
          + "looked at anew where a redirect leads")
    }
    let usual: HeaderField.Scope = Self.scopedAny.contains(key) ? .any : .origin
    switch value {
    case .object(let object):
      let scope: HeaderField.Scope = object.choice("scope") ?? usual
      return HeaderField(name: name, value: object["value"]?.value.planText, scope: scope)
    case .null:
      if range.start == range.end { warnBare(name, at: place) }
      return HeaderField(name: name, value: nil, scope: usual)
    case .invalid: return nil
    default: return HeaderField(name: name, value: value.planText, scope: usual)
    }
  }

  private func warnBare(_ name: String, at place: Place) {
    findings.warning(
      .bareHeader, "`\(name)` has no value, which removes the header", at: place,
      hint: "write `\(name): null` to remove it, or `\(name): \"\"` to send it empty")
  }

  /// `upper` over `lower`: a name in `upper` takes the place of all of that name.
  static func merged(_ lower: [HeaderField], under upper: [HeaderField]) -> [HeaderField] {
    if upper.isEmpty { return lower }
    let names = Set(upper.map { $0.name.lowercased() })
    return lower.filter { !names.contains($0.name.lowercased()) } + upper
  }

  /// With our User-Agent, when none is said.
  static func identified(_ fields: [HeaderField], version: String) -> [HeaderField] {
    if fields.contains(where: { $0.name.lowercased() == "user-agent" }) { return fields }
    let own = HeaderField(name: "User-Agent", value: PlanText("jobrun/\(version)"), scope: .any)
    return [own] + fields
  }
}

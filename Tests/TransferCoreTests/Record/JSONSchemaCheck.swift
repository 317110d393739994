/// As much of JSON Schema 2020-12 as the repository's own schema files use, and stricter in one
/// thing: a member that the schema doesn't name is a complaint.
struct JSONSchemaCheck {
  let root: JSONValue
  private(set) var complaints: [String] = []
  /// `definition.member` of every member that was seen, for the other direction.
  private(set) var seen: Set<String> = []

  init(root: JSONValue) { self.root = root }

  mutating func check(_ value: JSONValue, against definition: String) {
    guard let schema = root["$defs"]?[definition] else {
      complaints.append("no definition \(definition)")
      return
    }
    check(value, schema, at: definition)
  }

  private mutating func check(_ value: JSONValue, _ schema: JSONValue, at path: String) {
    if let reference = schema["$ref"]?.text?.split(separator: "/").last {
      check(value, against: String(reference))
    }
    if let wanted = schema["const"], wanted != value { complaints.append("\(path): not \(wanted)") }
    if let allowed = schema["enum"], !allowed.elements.contains(value) {
      complaints.append("\(path): \(value) is none of the allowed")
    }
    if let type = schema["type"]?.text, !Self.isType(type, value) {
      complaints.append("\(path): \(value) is no \(type)")
    }
    if let pattern = schema["pattern"]?.text, let text = value.text,
      (try? Regex(pattern).wholeMatch(in: text)) == nil
    {
      complaints.append("\(path): \(text) doesn't match \(pattern)")
    }
    checkBounds(value, schema, at: path)
    checkMembers(value, schema, at: path)
    if let items = schema["items"] {
      for element in value.elements { check(element, items, at: path) }
    }
  }

  private mutating func checkBounds(_ value: JSONValue, _ schema: JSONValue, at path: String) {
    guard case .number(let number) = value else { return }
    if case .number(let least)? = schema["minimum"], number < least {
      complaints.append("\(path): \(number) < \(least)")
    }
    if case .number(let most)? = schema["maximum"], number > most {
      complaints.append("\(path): \(number) > \(most)")
    }
  }

  private mutating func checkMembers(_ value: JSONValue, _ schema: JSONValue, at path: String) {
    guard case .object(let members) = value, let properties = schema["properties"] else { return }
    for name in schema["required"]?.elements.compactMap(\.text) ?? [] where members[name] == nil {
      complaints.append("\(path): \(name) is missing")
    }
    for (name, member) in members {
      guard let property = properties[name] else {
        complaints.append("\(path): \(name) isn't in the schema")
        continue
      }
      seen.insert("\(path).\(name)")
      check(member, property, at: "\(path).\(name)")
    }
  }

  private static func isType(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .boolean),
      ("number", .number):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }
}

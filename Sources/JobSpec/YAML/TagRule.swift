/// What the tags of the core schema do to a node; all others are refused.
enum TagRule {
  enum Effect {
    /// As it stands.
    case keep
    /// Text, whatever it looks like.
    case text
    /// Typed by its looks, although it may be in quotes.
    case plain
    /// The tag is of the core schema, and the node isn't what it says: in words, what it says.
    case mismatch(String)
    case unknown
  }

  private static let prefix = "tag:yaml.org,2002:"

  static func effect(ofScalar tag: String, text: String) -> Effect {
    guard tag != "!" else { return .text }
    guard tag.hasPrefix(prefix) else { return .unknown }
    switch (tag.dropFirst(prefix.count), CoreSchema.value(of: text)) {
    case ("str", _): return .text
    case ("null", .null), ("bool", .boolean), ("int", .integer), ("int", .hugeInteger):
      return .plain
    case ("float", .float), ("float", .integer), ("float", .hugeInteger): return .plain
    case ("null", _): return .mismatch("null")
    case ("bool", _): return .mismatch("true or false")
    case ("int", _): return .mismatch("an integer")
    case ("float", _): return .mismatch("a number")
    case ("seq", _): return .mismatch("a list")
    case ("map", _): return .mismatch("a map")
    default: return .unknown
    }
  }

  static func effect(ofSequence tag: String) -> Effect {
    if tag == "!" || tag == prefix + "seq" { return .keep }
    return collectionEffect(tag)
  }

  static func effect(ofMapping tag: String) -> Effect {
    if tag == "!" || tag == prefix + "map" { return .keep }
    return collectionEffect(tag)
  }

  /// How an author writes the tag.
  static func written(_ tag: String) -> String {
    if tag.hasPrefix(prefix) { return "!!" + tag.dropFirst(prefix.count) }
    return tag.hasPrefix("!") ? tag : "!<\(tag)>"
  }

  private static func collectionEffect(_ tag: String) -> Effect {
    guard tag.hasPrefix(prefix) else { return .unknown }
    switch tag.dropFirst(prefix.count) {
    case "str": return .mismatch("text")
    case "null": return .mismatch("null")
    case "bool": return .mismatch("true or false")
    case "int": return .mismatch("an integer")
    case "float": return .mismatch("a number")
    case "seq": return .mismatch("a list")
    case "map": return .mismatch("a map")
    default: return .unknown
    }
  }
}

extension TagRule.Effect {
  var keeps: Bool {
    if case .keep = self { true } else { false }
  }
}

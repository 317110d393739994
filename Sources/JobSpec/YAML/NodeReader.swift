/// Builds nodes out of libyaml's events. A node that can't be used is nil and told of; what holds
/// it goes on without it and is damaged.
struct NodeReader {
  /// Collections in each other, at most.
  static let depthAtMost = 64

  /// Reading ends here; why is among the diagnostics, or is the syntax problem.
  struct Stop: Error {}

  let events: EventParser
  var diagnostics: [Diagnostic] = []
  private(set) var syntaxProblem: SyntaxProblem?
  /// Something below the node that was read last can't be used.
  var isDamaged = false
  var path = DocumentPath()
  private var anchors = Anchors()
  private var count = 0
  private var depth = 0
  /// The greatest depth since the innermost anchored node began.
  private var deepest = 0

  init(events: EventParser) { self.events = events }

  mutating func advance() throws(Stop) {
    do {
      try events.advance()
    } catch {
      syntaxProblem = error
      throw Stop()
    }
  }

  /// The node that begins with the current event; afterwards its last event is the current one.
  mutating func node() throws(Stop) -> YAMLNode? {
    count += 1
    guard events.kind != .alias else { return try aliased() }
    guard let anchor = events.anchor else { return try bareNode() }
    let (outerDeepest, outerCount) = (deepest, count - 1)
    deepest = depth
    anchors[anchor] = .open
    let node = try bareNode()
    anchors[anchor] =
      node.map { node in
        .ready(.init(node: node, count: count - outerCount, height: deepest - depth))
      } ?? .damaged
    deepest = max(deepest, outerDeepest)
    return node
  }

  private mutating func bareNode() throws(Stop) -> YAMLNode? {
    switch events.kind {
    case .scalar: return scalar()
    case .sequenceStart: return try sequence()
    default: return try mapping()
    }
  }

  private mutating func scalar() -> YAMLNode? {
    let text = events.text
    var isPlain = events.isPlain
    if let tag = events.tag {
      switch TagRule.effect(ofScalar: tag, text: text) {
      case .text: isPlain = false
      case .plain: isPlain = true
      case .keep: break
      case let effect: return refuse(tag, effect)
      }
    }
    return YAMLNode(.scalar(text: text, isPlain: isPlain), range: events.range)
  }

  private mutating func sequence() throws(Stop) -> YAMLNode? {
    let opening = CollectionOpening(events)
    let tag = events.tag
    try enter()
    var items: [YAMLNode] = []
    try advance()
    while events.kind != .sequenceEnd {
      path.push(.index(items.count))
      if let item = try node() { items.append(item) }
      path.pop()
      try advance()
    }
    depth -= 1
    if let tag, case let effect = TagRule.effect(ofSequence: tag), !effect.keeps {
      return refuse(tag, effect, at: opening.range)
    }
    return YAMLNode(.sequence(items), range: opening.closed(by: events, last: items.last))
  }

  private mutating func mapping() throws(Stop) -> YAMLNode? {
    let opening = CollectionOpening(events)
    let tag = events.tag
    try enter()
    var assembly = MappingAssembly()
    var last: YAMLNode?
    try advance()
    while events.kind != .mappingEnd {
      last = try entry(of: &assembly) ?? last
      try advance()
    }
    depth -= 1
    if let tag, case let effect = TagRule.effect(ofMapping: tag), !effect.keeps {
      return refuse(tag, effect, at: opening.range)
    }
    return YAMLNode(
      .mapping(assembly.finished()), range: opening.closed(by: events, last: last))
  }

  /// One key and its value; the value, or nil when it isn't kept.
  private mutating func entry(of assembly: inout MappingAssembly) throws(Stop) -> YAMLNode? {
    switch try key(of: &assembly) {
    case .new(let key, let text):
      path.push(.key(text))
      defer { path.pop() }
      guard let value = try node() else { return nil }
      assembly.append(key, value)
      return value
    case let other: return try dropOrMerge(other, into: &assembly)
    }
  }

  /// The value of a key that isn't kept as an entry: `<<`, a second one, a damaged one.
  mutating func dropOrMerge(
    _ key: MappingKey, into assembly: inout MappingAssembly
  ) throws(Stop) -> YAMLNode? {
    let value = try node()
    if case .merge = key, let value, !assembly.merge(value) {
      tell(
        .error, "bad-merge",
        "`<<` takes a map or a list of maps, and here is \(value.describedKind)",
        at: value.range, hint: "name an anchor of a map, as in `<<: *base` with `base: &base { … }`"
      )
    }
    return value
  }
}

// MARK: - Keys

/// What a key turned out to be.
enum MappingKey {
  case new(YAMLNode, text: String)
  case merge
  case dropped
}

extension NodeReader {
  /// The key that begins with the current event; afterwards its value's first event is current.
  mutating func key(of assembly: inout MappingAssembly) throws(Stop) -> MappingKey {
    let isTagged = events.kind == .scalar && events.tag != nil
    let kind = events.kind
    let key = try node()
    try advance()
    guard let key else { return .dropped }
    guard case .scalar(let text, let isPlain) = key.content else {
      refuseKey(key, isBraces: kind == .mappingStart)
      return .dropped
    }
    if text.isEmpty, isPlain {
      tell(
        .error, "bad-key", "a key is missing before this `:`", at: key.range,
        hint: "write the key's name, or put text that begins with `:` in quotes")
      isDamaged = true
      return .dropped
    }
    if let first = assembly.firstPlace(of: text, at: key.range) {
      tellTwice(text, at: key.range, first: first)
      return .dropped
    }
    return text == "<<" && isPlain && !isTagged ? .merge : .new(key, text: text)
  }

  private mutating func tellTwice(_ key: String, at range: SourceRange, first: SourceRange) {
    let merges = key == "<<"
    diagnostics.append(
      Diagnostic(
        .error, "duplicate-key", "`\(key)` is written twice in one map", at: range,
        path: path.text(with: key),
        hint: merges ? "give all maps in one list: `<<: [*a, *b]`" : "keep one of the two",
        notes: [.init(message: "the first `\(key)` is here", range: first)]))
  }

  private mutating func refuseKey(_ key: YAMLNode, isBraces: Bool) {
    tell(
      .error, "bad-key", "a key must be text, and here is \(key.describedKind)", at: key.range,
      hint: isBraces
        ? "text with braces goes in quotes; jobrun's placeholders are `${vars.NAME}`"
        : "put the key in quotes if it is meant as text")
    isDamaged = true
  }
}

// MARK: - Bounds, aliases and refusals

extension NodeReader {
  mutating func enter() throws(Stop) {
    depth += 1
    deepest = max(deepest, depth)
    if depth > Self.depthAtMost { throw tooDeep() }
  }

  mutating func leave() { depth -= 1 }

  private mutating func aliased() throws(Stop) -> YAMLNode? {
    let name = events.anchor ?? ""
    guard case .ready(let anchored)? = anchors[name] else {
      refuseAlias(name)
      return nil
    }
    count += anchored.count - 1
    guard anchors.add(anchored.count) else {
      tell(
        .error, "alias-limit",
        "the aliases of this file add more than \(Anchors.addedNodesAtMost) values",
        at: events.range,
        hint: "put what tasks share under `defaults:` or in a session instead of repeating it")
      throw Stop()
    }
    deepest = max(deepest, depth + anchored.height)
    if depth + anchored.height > Self.depthAtMost { throw tooDeep() }
    return YAMLNode(anchored.node.content, range: events.range)
  }

  private mutating func refuseAlias(_ name: String) {
    isDamaged = true
    switch anchors[name] {
    case .damaged, .ready: break
    case .open:
      tell(
        .error, "unknown-anchor", "`*\(name)` stands inside what `&\(name)` names",
        at: events.range,
        hint: "a value can't contain itself; write it out")
    case nil:
      let near = NearestName.suggestion(for: name, among: anchors.names)
      tell(
        .error, "unknown-anchor", "no anchor `&\(name)` stands above `*\(name)`", at: events.range,
        hint: near.map { "did you mean `*\($0)`?" }
          ?? "text that begins with `*` goes in quotes: `\"*\(name)\"`")
    }
  }

  private mutating func tooDeep() -> Stop {
    diagnostics.append(
      Diagnostic(
        .error, "depth-limit",
        "more than \(Self.depthAtMost) lists and maps stand in each other here", at: events.range,
        hint: "a job needs fewer than ten; look for brackets that aren't closed"))
    return Stop()
  }

  private mutating func refuse(
    _ tag: String, _ effect: TagRule.Effect, at range: SourceRange? = nil
  ) -> YAMLNode? {
    let written = TagRule.written(tag)
    if case .mismatch(let wanted) = effect {
      tell(
        .error, "bad-tag", "`\(written)` says \(wanted), and this is something else",
        at: range ?? events.range, hint: "remove `\(written)`, or correct the value")
    } else {
      tell(
        .error, "bad-tag", "the tag `\(written)` means nothing in a job",
        at: range ?? events.range,
        hint: "remove it, or put text that begins with `!` in quotes")
    }
    isDamaged = true
    return nil
  }

  mutating func tell(
    _ severity: Diagnostic.Severity, _ id: String, _ message: String, at range: SourceRange,
    hint: String
  ) {
    diagnostics.append(
      Diagnostic(severity, id, message, at: range, path: path.text(), hint: hint))
  }
}

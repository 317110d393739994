/// Reads the one document of a file; what stands under one top-level key may be handed over piece
/// by piece, or passed over.
struct DocumentReader {
  enum Mode {
    case whole
    case streaming(String, (StreamedElement) -> Void)
    /// The bytes tell whether anything can follow that key.
    case skipping(String, TopLevelTail)

    var key: String? {
      switch self {
      case .whole: nil
      case .streaming(let key, _), .skipping(let key, _): key
      }
    }
  }

  var reader: NodeReader
  let mode: Mode
  /// Nothing follows what was passed over: the rest needn't be read.
  private var isFinished = false

  init(events: EventParser, mode: Mode) {
    reader = NodeReader(events: events)
    self.mode = mode
  }

  /// The root, or nil when there is none or it can't be used.
  mutating func read() throws(NodeReader.Stop) -> YAMLNode? {
    try reader.advance()
    try reader.advance()
    guard reader.events.kind == .documentStart else { return nil }
    try reader.advance()
    let root =
      reader.events.kind == .mappingStart && reader.events.anchor == nil
      ? try rootMapping() : try reader.node()
    if !isFinished { try checkEnd() }
    guard let root, !reader.isDamaged else { return nil }
    return handedOver(root)
  }

  private mutating func checkEnd() throws(NodeReader.Stop) {
    try reader.advance()
    try reader.advance()
    guard reader.events.kind == .documentStart else { return }
    reader.tell(
      .error, "second-document", "a second document begins here; a job file holds one",
      at: reader.events.range, hint: "remove this `---`, or move what follows to its own file")
  }

  private mutating func rootMapping() throws(NodeReader.Stop) -> YAMLNode {
    let opening = CollectionOpening(reader.events)
    var assembly = MappingAssembly()
    var last: YAMLNode?
    try reader.enter()
    try reader.advance()
    while !isFinished, reader.events.kind != .mappingEnd {
      last = try entry(of: &assembly, isBlock: !opening.isFlow) ?? last
      if !isFinished { try reader.advance() }
    }
    reader.leave()
    return YAMLNode(
      .mapping(assembly.finished()), range: opening.closed(by: reader.events, last: last))
  }

  private mutating func entry(
    of assembly: inout MappingAssembly, isBlock: Bool
  ) throws(NodeReader.Stop) -> YAMLNode? {
    let key = try reader.key(of: &assembly)
    guard case .new(let name, let text) = key else {
      return try reader.dropOrMerge(key, into: &assembly)
    }
    reader.path.push(.key(text))
    defer { reader.path.pop() }
    let value =
      text == mode.key && isCollection
      ? try passed(isBlock: isBlock && name.range.start.column == 1) : try reader.node()
    if let value { assembly.append(name, value) }
    return value
  }

  /// The current event starts a collection that no alias can name.
  private var isCollection: Bool {
    let events = reader.events
    return (events.kind == .sequenceStart || events.kind == .mappingStart)
      && events.anchor == nil && events.tag == nil
  }

  /// Hands over or passes over the collection that begins here; what stays is an empty one.
  private mutating func passed(isBlock: Bool) throws(NodeReader.Stop) -> YAMLNode? {
    switch mode {
    case .whole: return try reader.node()
    case .streaming(_, let element):
      return reader.events.kind == .sequenceStart
        ? try streamSequence(element) : try streamMapping(element)
    case .skipping(_, let tail):
      let opening = CollectionOpening(reader.events)
      let content: YAMLNode.Content =
        reader.events.kind == .sequenceStart ? .sequence([]) : .mapping([])
      if isBlock, !tail.mayHoldKey(after: opening.range.start.line) {
        isFinished = true
        return YAMLNode(content, range: opening.range)
      }
      let last = try skip()
      return YAMLNode(
        content, range: opening.closed(by: reader.events, last: last))
    }
  }
}

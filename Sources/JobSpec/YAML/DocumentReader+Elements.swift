extension DocumentReader {
  mutating func streamSequence(
    _ element: (StreamedElement) -> Void
  ) throws(NodeReader.Stop) -> YAMLNode {
    let opening = CollectionOpening(reader.events)
    try reader.enter()
    try reader.advance()
    var index = 0
    var last: YAMLNode?
    while reader.events.kind != .sequenceEnd {
      reader.path.push(.index(index))
      let value = try undamagedNode()
      reader.path.pop()
      // An element that a line of the wrong indentation cut short isn't what was meant.
      try reader.advance()
      if let value {
        element(StreamedElement(index: index, key: nil, value: value))
        last = YAMLNode(.sequence([]), range: value.range)
      }
      index += 1
    }
    reader.leave()
    return YAMLNode(.sequence([]), range: opening.closed(by: reader.events, last: last))
  }

  mutating func streamMapping(
    _ element: (StreamedElement) -> Void
  ) throws(NodeReader.Stop) -> YAMLNode {
    let opening = CollectionOpening(reader.events)
    try reader.enter()
    try reader.advance()
    var assembly = MappingAssembly()
    var index = 0
    var last: YAMLNode?
    while reader.events.kind != .mappingEnd {
      let key = try reader.key(of: &assembly)
      if case .new(let name, let text) = key {
        reader.path.push(.key(text))
        let value = try undamagedNode()
        reader.path.pop()
        try reader.advance()
        if let value {
          element(StreamedElement(index: index, key: name, value: value))
          last = YAMLNode(.sequence([]), range: value.range)
        }
        index += 1
      } else {
        last = try reader.dropOrMerge(key, into: &assembly) ?? last
        try reader.advance()
      }
    }
    reader.leave()
    // What `<<` brought is known to be wanted only when all written keys are known.
    for (offset, entry) in assembly.finished().enumerated() {
      element(StreamedElement(index: index + offset, key: entry.key, value: entry.value))
    }
    return YAMLNode(.mapping([]), range: opening.closed(by: reader.events, last: last))
  }

  /// A node that is whole, or nil; its damage is its own.
  private mutating func undamagedNode() throws(NodeReader.Stop) -> YAMLNode? {
    let outer = reader.isDamaged
    reader.isDamaged = false
    defer { reader.isDamaged = outer }
    let node = try reader.node()
    return reader.isDamaged ? nil : node
  }

  /// Reads past the collection that begins here; anchored nodes in it are kept for aliases.
  /// The node that ended it, if it is known.
  mutating func skip() throws(NodeReader.Stop) -> YAMLNode? {
    var depth = 0
    var last: YAMLNode?
    repeat {
      if depth > 0, reader.events.kind != .alias, reader.events.anchor != nil {
        last = try reader.node()
      } else {
        switch reader.events.kind {
        case .sequenceStart, .mappingStart: depth += 1
        case .sequenceEnd, .mappingEnd: depth -= 1
        default: last = YAMLNode(.sequence([]), range: reader.events.range)
        }
      }
      if depth > 0 { try reader.advance() }
    } while depth > 0
    return last
  }

  /// The root without the elements of the mode's key that stand in it because an alias or a
  /// merge brought them, or because an alias may name them: they are handed over from here.
  func handedOver(_ root: YAMLNode) -> YAMLNode {
    guard let key = mode.key, case .mapping(var entries) = root.content,
      let place = entries.firstIndex(where: { $0.key.isScalar(key) })
    else { return root }
    let value = entries[place].value
    let element: (StreamedElement) -> Void =
      if case .streaming(_, let element) = mode { element } else { { _ in } }
    switch value.content {
    case .scalar: break
    case .sequence(let items):
      for (index, item) in items.enumerated() {
        element(StreamedElement(index: index, key: nil, value: item))
      }
      entries[place].value = YAMLNode(.sequence([]), range: value.range)
    case .mapping(let tasks):
      for (index, task) in tasks.enumerated() {
        element(StreamedElement(index: index, key: task.key, value: task.value))
      }
      entries[place].value = YAMLNode(.mapping([]), range: value.range)
    }
    return YAMLNode(.mapping(entries), range: root.range)
  }
}

extension YAMLNode {
  fileprivate func isScalar(_ text: String) -> Bool {
    if case .scalar(text, _) = content { true } else { false }
  }
}

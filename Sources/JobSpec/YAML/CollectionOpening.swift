/// Where a list or map began, until its end is known.
struct CollectionOpening {
  let range: SourceRange
  let isFlow: Bool

  /// Of the collection that the current event starts.
  init(_ events: EventParser) {
    range = events.range
    isFlow = events.isFlow
  }

  /// The whole range. libyaml ends a block collection where the next thing begins; ours ends with
  /// its last value.
  func closed(by events: EventParser, last: YAMLNode?) -> SourceRange {
    guard !isFlow else { return SourceRange(start: range.start, end: events.range.end) }
    return SourceRange(start: range.start, end: last?.range.end ?? range.end)
  }
}

/// A place in a job file: 1-based line, and 1-based column in Unicode scalars.
package struct SourcePosition: Comparable, Hashable, Sendable {
  package var line: Int32
  package var column: Int32
  package init(line: Int32, column: Int32) {
    self.line = line
    self.column = column
  }
  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// From `start` up to, but not with, `end`.
package struct SourceRange: Hashable, Sendable {
  package var start: SourcePosition
  package var end: SourcePosition
  package init(start: SourcePosition, end: SourcePosition) {
    self.start = start
    self.end = end
  }
}

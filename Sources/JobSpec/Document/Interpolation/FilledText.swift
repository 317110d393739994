import TransferCore

/// A text with its placeholders filled in.
enum Filled {
  case literal(String)
  /// Waits for secrets or captures.
  case pieces(PlanText)
  /// Not known in this mode.
  case opaque(String)
  /// Something was wrong and has been told.
  case invalid
}

/// What a copy of a task adds to the names that placeholders know.
struct CopyScope {
  enum Item: Equatable {
    case none
    case row([Column])
    /// The items can't be read in this mode.
    case unknown
  }
  struct Column: Equatable {
    var name: String
    var value: String
  }
  struct Value {
    var name: String
    var value: String
  }

  var matrix: [Value] = []
  var item = Item.none
}

/// Puts a filled text together.
struct FilledText {
  private var pieces: [PlanText.Piece] = []
  private var literal = ""
  private var isOpaque = false
  private var isInvalid = false

  mutating func append(literal text: some StringProtocol) { literal += text }

  mutating func fail() { isInvalid = true }

  mutating func append(_ part: Filled, encoding: PercentEncoding?) {
    switch part {
    case .literal(let text): literal += encoding?.encode(text) ?? text
    case .opaque(let text):
      isOpaque = true
      literal += text
    case .invalid: isInvalid = true
    case .pieces(let text):
      for piece in text.pieces { append(piece, encoding: encoding) }
    }
  }

  private mutating func append(_ piece: PlanText.Piece, encoding: PercentEncoding?) {
    switch piece {
    case .literal(let text): literal += encoding?.encode(text) ?? text
    case .secret(let name, let own):
      flush()
      pieces.append(.secret(name: name, encoding: encoding ?? own))
    case .capture(let task, let name, let own):
      flush()
      pieces.append(.capture(task: task, name: name, encoding: encoding ?? own))
    }
  }

  private mutating func flush() {
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    literal = ""
  }

  var filled: Filled {
    if isInvalid { return .invalid }
    if pieces.isEmpty { return isOpaque ? .opaque(literal) : .literal(literal) }
    var whole = self
    whole.flush()
    let text = PlanText(pieces: whole.pieces)
    return isOpaque ? .opaque(text.shown) : .pieces(text)
  }
}

/// Finds a placeholder's own place within its text's.
enum PlaceholderRange {
  /// `range` itself when the text isn't written on one line as it stands.
  static func narrow(
    _ range: SourceRange, to part: Substring, in text: String, isPlain: Bool
  ) -> SourceRange {
    let quotes: Int32 = isPlain ? 0 : 1
    let width = range.end.column - range.start.column
    guard range.start.line == range.end.line,
      width == Int32(text.utf8.span.scalarCount) + 2 * quotes
    else { return range }
    let before = Int32(text[..<part.startIndex].utf8.span.scalarCount)
    var narrowed = range
    narrowed.start.column += quotes + before
    narrowed.end = narrowed.start
    narrowed.end.column += Int32(part.utf8.span.scalarCount)
    return narrowed
  }
}

import TransferCore

/// A value of a job file, read as its field's type, placeholders filled in.
enum FieldValue {
  /// Something about it was wrong and has been told.
  case invalid
  /// Not known in this mode: text with the placeholder as it is written.
  case opaque(String)
  case null
  case text(String)
  /// Text that waits for secrets or captures.
  case pieces(PlanText)
  case bool(Bool)
  case int(Int64)
  case number(Double)
  case duration(Duration)
  /// A size, or a rate a second.
  case bytes(Int64)
  case list([Element])
  case map([Pair])
  case object(ObjectValue)

  struct Element {
    var value: FieldValue
    var range: SourceRange
  }

  struct Pair {
    var key: String
    var keyRange: SourceRange
    var value: FieldValue
    var range: SourceRange
  }

  /// Text, also when it isn't wholly known.
  var planText: PlanText? {
    switch self {
    case .text(let text), .opaque(let text): PlanText(text)
    case .pieces(let text): text
    default: nil
    }
  }

  /// Text that is known.
  var string: String? { if case .text(let text) = self { text } else { nil } }

  /// Whether two scalars are the same.
  func isSameScalar(as other: FieldValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }
}

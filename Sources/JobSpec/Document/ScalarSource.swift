/// A scalar to be read as a type.
struct ScalarSource {
  var text: String
  /// Written without quotes; nil when placeholders were filled in, and the text may be any type.
  var isPlain: Bool?

  private var core: CoreSchema.Value {
    isPlain == false ? .text : CoreSchema.value(of: text)
  }

  /// Reads it as one scalar type.
  func value(as type: FieldType) throws(ScalarProblem) -> FieldValue {
    switch type {
    case .text(let rule): try text(by: rule)
    case .bool: try bool()
    case .int(let range): try int(range)
    case .number(let range): try number(range)
    case .duration(let positive): try duration(positive: positive)
    case .size: .bytes(try bytes(ScalarText.size))
    case .rate: .bytes(try bytes(ScalarText.rate))
    case .oneOf(let names): try name(of: names)
    case .null: try null()
    default: preconditionFailure("not a scalar type")
    }
  }

  private func text(by rule: TextRule) throws(ScalarProblem) -> FieldValue {
    if isPlain == true {
      if rule == .mode, case .integer = core { throw .bareMode(text) }
      if core == .null { throw ScalarProblem(.wrongType) }
    }
    if let problem = rule.problem(in: text) {
      throw ScalarProblem(.badValue, "`\(shortened(text))` \(problem.message)", problem.hint)
    }
    return .text(text)
  }

  private func bool() throws(ScalarProblem) -> FieldValue {
    if case .boolean(let value) = core { return .bool(value) }
    switch text.lowercased() {
    case "yes", "on", "y", "no", "off", "n":
      let isTrue = ["yes", "on", "y"].contains(text.lowercased())
      throw ScalarProblem(
        .wrongType, nil, "in YAML 1.2 `\(text)` is text: write \(isTrue ? "true" : "false")")
    case "true", "false":
      throw ScalarProblem(.wrongType, nil, "write it without quotes and in small letters")
    default: throw ScalarProblem(.wrongType)
    }
  }

  private func int(_ range: ClosedRange<Int64>) throws(ScalarProblem) -> FieldValue {
    switch core {
    case .integer(let value):
      guard range.contains(value) else { throw ScalarProblem(.outOfRange) }
      return .int(value)
    case .hugeInteger: throw ScalarProblem(.outOfRange)
    default: throw ScalarProblem(.wrongType, nil, unquotingHint)
    }
  }

  private func number(_ range: ClosedRange<Double>) throws(ScalarProblem) -> FieldValue {
    let value: Double
    switch core {
    case .integer(let whole): value = Double(whole)
    case .float(let float): value = float
    case .hugeInteger: throw ScalarProblem(.outOfRange)
    default: throw ScalarProblem(.wrongType, nil, unquotingHint)
    }
    guard range.contains(value) else { throw ScalarProblem(.outOfRange) }
    return .number(value)
  }

  private var unquotingHint: String? {
    guard isPlain == false else { return nil }
    switch CoreSchema.value(of: text) {
    case .integer, .float: return "write it without quotes"
    default: return nil
    }
  }

  private func duration(positive: Bool) throws(ScalarProblem) -> FieldValue {
    let value = try ScalarText.checkedDuration(text)
    if positive, value <= .zero {
      throw ScalarProblem(.outOfRange, "must be longer than zero")
    }
    return .duration(value)
  }

  private func bytes(
    _ read: (String) throws(ScalarProblem) -> Int64
  ) throws(ScalarProblem) -> Int64 {
    try read(text)
  }

  private func name(of names: [String]) throws(ScalarProblem) -> FieldValue {
    guard names.contains(text) else { throw ScalarProblem(.badValue) }
    return .text(text)
  }

  private func null() throws(ScalarProblem) -> FieldValue {
    guard isPlain == true, core == .null else { throw ScalarProblem(.wrongType) }
    return .null
  }
}

/// Why a scalar isn't what it must be.
struct ScalarProblem: Error {
  var id: DiagnosticID
  /// What is wrong, to stand after the field's name; nil when the type's words say it.
  var message: String?
  var hint: String?

  init(_ id: DiagnosticID, _ message: String? = nil, _ hint: String? = nil) {
    self.id = id
    self.message = message
    self.hint = hint
  }

  /// YAML reads 0640 as six hundred and forty.
  static func bareMode(_ text: String) -> Self {
    Self(
      .wrongType, "must be text in quotes: YAML reads the bare number \(text) as decimal",
      "write it as \"\(text.hasPrefix("0") ? text : "0" + text)\"")
  }
}

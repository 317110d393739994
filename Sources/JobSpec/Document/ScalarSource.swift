/// A scalar to be read as a type.
struct ScalarSource {
  var text: String
  /// Written without quotes; nil when placeholders were filled in, and the text may be any type.
  var isPlain: Bool?

  private var core: CoreSchema.Value {
    isPlain == false ? .text : CoreSchema.value(of: text)
  }

  /// Reads it as one scalar type.
  func value(as type: FieldType) throws(ScalarMismatch) -> FieldValue {
    switch type {
    case .text(let rule): try text(by: rule)
    case .bool: try bool()
    case .int(let range): try int(range)
    case .number(let range): try number(range)
    case .duration(let positive): try duration(positive: positive)
    case .size: .bytes(try measured(SizeText.parse))
    case .rate: .bytes(try measured(RateText.parse))
    case .oneOf(let names): try name(of: names)
    case .null: try null()
    default: preconditionFailure("not a scalar type")
    }
  }

  private func text(by rule: TextRule) throws(ScalarMismatch) -> FieldValue {
    if isPlain == true {
      if rule == .mode, case .integer = core { throw .bareMode(text) }
      if core == .null { throw ScalarMismatch(.wrongType) }
    }
    if let problem = rule.problem(in: text) {
      throw ScalarMismatch(.badValue, ": `\(shortened(text))` \(problem.message)", problem.hint)
    }
    return .text(text)
  }

  private func bool() throws(ScalarMismatch) -> FieldValue {
    if case .boolean(let value) = core { return .bool(value) }
    switch text.lowercased() {
    case "yes", "on", "y", "no", "off", "n":
      let isTrue = ["yes", "on", "y"].contains(text.lowercased())
      throw ScalarMismatch(
        .wrongType, nil, "in YAML 1.2 `\(text)` is text: write \(isTrue ? "true" : "false")")
    case "true", "false":
      throw ScalarMismatch(.wrongType, nil, "write it without quotes and in small letters")
    default: throw ScalarMismatch(.wrongType)
    }
  }

  private func int(_ range: ClosedRange<Int64>) throws(ScalarMismatch) -> FieldValue {
    switch core {
    case .integer(let value):
      guard range.contains(value) else { throw ScalarMismatch(.outOfRange) }
      return .int(value)
    case .hugeInteger: throw ScalarMismatch(.outOfRange)
    default: throw ScalarMismatch(.wrongType, nil, unquotingHint)
    }
  }

  private func number(_ range: ClosedRange<Double>) throws(ScalarMismatch) -> FieldValue {
    let value: Double
    switch core {
    case .integer(let whole): value = Double(whole)
    case .float(let float): value = float
    case .hugeInteger: throw ScalarMismatch(.outOfRange)
    default: throw ScalarMismatch(.wrongType, nil, unquotingHint)
    }
    guard range.contains(value) else { throw ScalarMismatch(.outOfRange) }
    return .number(value)
  }

  private var unquotingHint: String? {
    guard isPlain == false else { return nil }
    switch CoreSchema.value(of: text) {
    case .integer, .float: return "write it without quotes"
    default: return nil
    }
  }

  private func duration(positive: Bool) throws(ScalarMismatch) -> FieldValue {
    let value = try measured(DurationText.parse)
    if positive, value <= .zero {
      throw ScalarMismatch(.outOfRange, " must be longer than zero")
    }
    return .duration(value)
  }

  private func measured<Value>(
    _ parse: (String) throws(ScalarProblem) -> Value
  ) throws(ScalarMismatch) -> Value {
    if isPlain == true, case .boolean = core { throw ScalarMismatch(.wrongType) }
    if isPlain == true, case .null = core { throw ScalarMismatch(.wrongType) }
    do throws(ScalarProblem) {
      return try parse(text)
    } catch {
      throw ScalarMismatch(.badValue, ": " + error.message, error.hint)
    }
  }

  private func name(of names: [String]) throws(ScalarMismatch) -> FieldValue {
    guard names.contains(text) else { throw ScalarMismatch(.badValue) }
    return .text(text)
  }

  private func null() throws(ScalarMismatch) -> FieldValue {
    guard isPlain == true, core == .null else { throw ScalarMismatch(.wrongType) }
    return .null
  }
}

/// Why a scalar isn't what it must be.
struct ScalarMismatch: Error {
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
      .wrongType, " must be text in quotes: YAML reads the bare number \(text) as decimal",
      "write it as \"\(text.hasPrefix("0") ? text : "0" + text)\"")
  }
}

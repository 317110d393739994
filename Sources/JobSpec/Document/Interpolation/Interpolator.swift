import TransferCore

/// Fills in placeholders. Knows the job's names, and what the task at hand adds to them.
final class Interpolator {
  let environment: PlanEnvironment
  let findings: Findings

  /// The job's vars as they are written, by name.
  var variables: [String: Variable] = [:]
  var secrets: Set<String> = []
  var jobName: String?
  var jobFolder = "/"
  var timezone: String?
  /// The copy of a task that is being read; nil outside of tasks.
  var copy: CopyScope?

  private(set) var usedVariables: Set<String> = []
  /// Whether `matrix` or `item` was asked for since this was last set to false.
  var usesCopy = false
  /// What was captured by other tasks and asked for since this was last emptied.
  var captures: [CaptureUse] = []

  private var known: [Substring: Placeholder] = [:]
  private var resolving: [String] = []
  private var resolved: [String: Filled] = [:]
  private var civilTimes: [Int64: CivilTime] = [:]

  struct Variable {
    var node: YAMLNode
    var place: Place
    var keyRange: SourceRange
  }

  struct CaptureUse {
    var task: String
    var name: String
    var place: Place
  }

  init(environment: PlanEnvironment, findings: Findings) {
    self.environment = environment
    self.findings = findings
  }

  /// Fills in one text. What is wrong has been told when it answers `.invalid`.
  func fill(
    _ text: String, at place: Place, isPlain: Bool, allowing allowed: FieldSpec.Interpolation
  ) -> Filled {
    var builder = FilledText()
    var rest = text[...]
    while let dollar = rest.firstIndex(ofByte: "$") {
      builder.append(literal: rest[..<dollar])
      rest = rest[dollar...]
      step(&rest, in: text, place, isPlain, allowed, &builder)
    }
    builder.append(literal: rest)
    return builder.filled
  }

  /// Takes what the `$` at the start of `rest` means.
  private func step(
    _ rest: inout Substring, in text: String, _ place: Place, _ isPlain: Bool,
    _ allowed: FieldSpec.Interpolation, _ builder: inout FilledText
  ) {
    let next = rest.utf8.dropFirst().first
    if next == UInt8(ascii: "$") {
      builder.append(literal: "$")
      rest = rest.dropFirst(2)
      return
    }
    guard next == UInt8(ascii: "{") else {
      builder.append(literal: "$")
      rest = rest.dropFirst()
      return
    }
    guard let close = rest.firstIndex(ofByte: "}") else {
      findings.error(
        .badPlaceholder, "`\(rest.prefix(20))` has no closing `}`", at: place,
        hint: "close it, or write `$${` for `${` itself")
      builder.fail()
      rest = ""
      return
    }
    let whole = rest[...close]
    if let value = copysValue(whole) {
      builder.append(literal: value)
      rest = rest[rest.utf8.index(after: close)...]
      return
    }
    let narrow = PlaceholderRange.narrow(place.range, to: whole, in: text, isPlain: isPlain)
    take(whole, at: Place(range: narrow, path: place.path), allowed, &builder)
    rest = rest[rest.utf8.index(after: close)...]
  }

  /// What a copy of a task has for a placeholder that was met before: nothing can be wrong with it.
  private func copysValue(_ whole: Substring) -> String? {
    guard let copy, let placeholder = known[whole] else { return nil }
    let value: String?
    switch placeholder.name {
    case .item(let column):
      guard case .row(let columns) = copy.item else { return nil }
      value =
        column.map { name in columns.first { $0.name == name }?.value } ?? columns.first?.value
    case .matrix(let name): value = copy.matrix.first { $0.name == name }?.value
    default: return nil
    }
    guard let value else { return nil }
    usesCopy = true
    return placeholder.encoding?.encode(value) ?? value
  }

  private func take(
    _ whole: Substring, at place: Place, _ allowed: FieldSpec.Interpolation,
    _ builder: inout FilledText
  ) {
    do throws(Placeholder.Problem) {
      let placeholder = try placeholder(whole)
      let part = value(of: placeholder, written: String(whole), at: place, allowed)
      builder.append(part, encoding: placeholder.encoding)
    } catch {
      findings.error(.badPlaceholder, error.message, at: place, hint: error.hint)
      builder.fail()
    }
  }

  /// The same few stand in many tasks.
  private func placeholder(_ whole: Substring) throws(Placeholder.Problem) -> Placeholder {
    if let known = known[whole] { return known }
    let placeholder = try Placeholder(String(whole.dropFirst(2).dropLast()))
    known[Substring(String(whole))] = placeholder
    return placeholder
  }

  private func value(
    of placeholder: Placeholder, written: String, at place: Place,
    _ allowed: FieldSpec.Interpolation
  ) -> Filled {
    switch placeholder.name {
    case .variable(let name): return variable(name, at: place, allowed)
    case .environment(let name, let fallback):
      return variable(ofEnvironment: name, fallback, written: written, at: place)
    case .secret(let name): return secret(name, at: place, allowed, placeholder.encoding)
    case .matrix(let name): return matrix(name, written: written, at: place)
    case .item(let column): return item(column, written: written, at: place)
    case .jobName: return named("job.name", at: place) { self.jobName }
    case .jobFolder: return .literal(jobFolder)
    case .runID: return .literal(environment.runID)
    case .runDate: return time(shift: 0, format: "%F")
    case .runTime(let shift, let format): return time(shift: shift, format: format)
    case .capture(let task, let name):
      return capture(task, name, written: written, at: place, placeholder.encoding)
    }
  }

  private func capture(
    _ task: String, _ name: String, written: String, at place: Place,
    _ encoding: PercentEncoding?
  ) -> Filled {
    guard copy != nil else {
      findings.error(
        .captureNotAllowed, "`\(written)` means something only within a task", at: place)
      return .invalid
    }
    captures.append(CaptureUse(task: task, name: name, place: place))
    let piece = PlanText.Piece.capture(task: task, name: name, encoding: encoding)
    return .pieces(PlanText(pieces: [piece]))
  }

  private func named(_ name: String, at place: Place, _ value: () -> String?) -> Filled {
    if let value = value() { return .literal(value) }
    findings.error(
      .placeholderCircle, "`${\(name)}` is not known yet where it stands", at: place)
    return .invalid
  }

  // MARK: Names

  private func variable(
    _ name: String, at place: Place, _ allowed: FieldSpec.Interpolation
  ) -> Filled {
    usedVariables.insert(name)
    if let override = environment.variables[name] {
      return .literal(override)
    }
    guard let variable = variables[name] else {
      unknown("var", name, Array(variables.keys), at: place, hint: "write it under `vars:`")
      return .invalid
    }
    let value = resolve(name, variable, at: place)
    if case .pieces(let text) = value, allowed != .secrets, let secret = text.secretNames.first {
      refuse(secret: secret, at: place, through: name)
      return .invalid
    }
    return value
  }

  /// The value of a var, once; circles are refused.
  private func resolve(_ name: String, _ variable: Variable, at place: Place) -> Filled {
    if let known = resolved[name] { return known }
    if let start = resolving.firstIndex(of: name) {
      let circle = (resolving[start...] + [name]).map { "vars." + $0 }.joined(separator: " -> ")
      findings.error(
        .placeholderCircle, "`vars.\(name)` depends on itself: \(circle)", at: place,
        hint: "write one of them out")
      return .invalid
    }
    resolving.append(name)
    defer { resolving.removeLast() }
    let outer = copy
    copy = nil
    defer { copy = outer }
    let value = read(variable)
    resolved[name] = value
    // What is wrong with it has been told; that nothing uses it matters no more.
    if case .invalid = value { usedVariables.insert(name) }
    return value
  }

  private func read(_ variable: Variable) -> Filled {
    guard case .scalar(let text, let isPlain) = variable.node.content, !variable.node.isNull else {
      findings.error(
        .wrongType, "a var must be text, not \(variable.node.describedKind)", at: variable.place)
      return .invalid
    }
    let filled = fill(text, at: variable.place, isPlain: isPlain, allowing: .secrets)
    guard case .literal(let value) = filled, value.utf8.count > Self.variableLimit else {
      return filled
    }
    findings.error(
      .badValue, "a var grows to \(value.utf8.count) bytes; 64 KiB are allowed",
      at: variable.place, hint: "vars that hold vars multiply: write the text out where it is used")
    return .invalid
  }

  /// Bytes of a var's value: vars that hold vars would else grow without bound.
  private static let variableLimit = 65_536

  /// Reads every var, so that what is wrong in one that nobody uses is told too.
  func resolveAll() {
    for (name, variable) in variables.sorted(by: { $0.key < $1.key })
    where environment.variables[name] == nil {
      _ = resolve(name, variable, at: variable.place)
    }
  }

  private func variable(
    ofEnvironment name: String, _ fallback: String?, written: String, at place: Place
  ) -> Filled {
    let value = environment.variable(name)
    if let fallback { return .literal(value.flatMap { $0.isEmpty ? nil : $0 } ?? fallback) }
    if let value { return .literal(value) }
    let message = "the environment has no `\(name)`"
    let hint = "set it, or give a fallback: `${env.\(name):-…}`"
    if environment.mode == .validate {
      findings.warning(.unsetVariable, message, at: place, hint: hint)
      return .opaque(written)
    }
    findings.error(.unsetVariable, message, at: place, hint: hint)
    return .invalid
  }

  private func secret(
    _ name: String, at place: Place, _ allowed: FieldSpec.Interpolation,
    _ encoding: PercentEncoding?
  ) -> Filled {
    guard secrets.contains(name) else {
      unknown("secret", name, Array(secrets), at: place, hint: "write it under `secrets:`")
      return .invalid
    }
    guard allowed == .secrets else {
      refuse(secret: name, at: place, through: nil)
      return .invalid
    }
    return .pieces(PlanText(pieces: [.secret(name: name, encoding: encoding)]))
  }

  private func refuse(secret: String, at place: Place, through variable: String?) {
    let via = variable.map { ", which comes with `${vars.\($0)}`," } ?? ""
    findings.error(
      .secretNotAllowed,
      "the secret `\(secret)`\(via) can't stand here: this value is shown and stored", at: place,
      hint: "secrets may stand in addresses, headers, bodies, credentials and proxies")
  }

  private func matrix(_ name: String, written: String, at place: Place) -> Filled {
    usesCopy = true
    guard let copy, !copy.matrix.isEmpty else {
      notInCopy(written, "matrix", at: place)
      return .invalid
    }
    if let value = copy.matrix.first(where: { $0.name == name })?.value { return .literal(value) }
    let names = copy.matrix.map(\.name)
    unknown("matrix name", name, names, at: place, hint: "this task has \(quoted(names))")
    return .invalid
  }

  private func item(_ column: String?, written: String, at place: Place) -> Filled {
    usesCopy = true
    guard let copy, copy.item != .none else {
      notInCopy(written, "items", at: place)
      return .invalid
    }
    guard case .row(let columns) = copy.item else { return .opaque(written) }
    guard let column else { return .literal(columns.first?.value ?? "") }
    if let value = columns.first(where: { $0.name == column })?.value { return .literal(value) }
    let names = columns.map(\.name).filter { !$0.isEmpty }
    let known = names.isEmpty ? "these items have no columns" : "there are \(quoted(names))"
    unknown("column", column, names, at: place, hint: known)
    return .invalid
  }

  private func notInCopy(_ written: String, _ key: String, at place: Place) {
    findings.error(
      .unknownPlaceholder, "`\(written)` means something only in a task with `\(key)`", at: place,
      hint: "write `\(key):` beside it")
  }

  private func unknown(
    _ what: String, _ name: String, _ known: [String], at place: Place, hint: String
  ) {
    let near = nearest(to: name, in: known.sorted())
    findings.error(
      .unknownPlaceholder, "there is no \(what) `\(name)`", at: place,
      hint: near.map { "did you mean `\($0)`?" } ?? hint)
  }

  private func quoted(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  private func time(shift: Int64, format: String) -> Filled {
    let seconds = environment.runStart + shift
    if let known = civilTimes[shift] {
      return .literal(CivilFormat.text(of: known, seconds: seconds, format: format))
    }
    // An unknown zone has been told where it stands.
    guard let time = environment.civilTime(seconds, timezone) else { return .invalid }
    civilTimes[shift] = time
    return .literal(CivilFormat.text(of: time, seconds: seconds, format: format))
  }
}

import TransferCore

/// The job's sessions, resolved.
final class SessionTable {
  struct Resolved {
    var plan: SessionPlan
    var policy: TransferPolicy
    /// Its policy's index in the plan, once a task uses it.
    var policyIndex = 0
    /// Every task's, with our User-Agent.
    var headers: [HeaderField]
    /// What it asks for that this version doesn't do.
    var later: [LaterFeatures.Found]
    /// Schemes of its own handlers.
    var handlers: Set<String> = []
    /// Of its name in the file; nil when it isn't in the file.
    var place: Place?
    var isUsed = false
  }

  struct Written {
    var name: String
    var place: Place
    var object: ObjectValue
  }

  private let findings: Findings
  private let environment: PlanEnvironment
  private let resolvePath: (String) -> String?
  private var written: [String: Written] = [:]
  private var merged: [String: ObjectValue] = [:]
  private var later: [String: [LaterFeatures.Found]] = [:]
  private var headers: [String: [HeaderField]] = [:]
  private var resolving: [String] = []
  private var index: [String: Int] = [:]
  private(set) var sessions: [Resolved] = []
  /// Names of sessions that others start from.
  private(set) var extended: Set<String> = []

  /// `resolvePath` makes a path of a session absolute.
  init(
    findings: Findings, environment: PlanEnvironment, resolvePath: @escaping (String) -> String?
  ) {
    self.findings = findings
    self.environment = environment
    self.resolvePath = resolvePath
  }

  /// Resolves sessions in file order; `default` exists anyway.
  func resolve(_ all: [Written]) {
    for session in all { written[session.name] = session }
    for session in all {
      let rules = SessionRules(findings: findings, session: session)
      rules.check()
    }
    for session in all { append(session.name, session.place, object(session.name)) }
    if written["default"] == nil {
      append("default", nil, ObjectValue(range: SourceRange.fileStart))
    }
    checkIdentifiers(all)
  }

  func index(of name: String) -> Int? { index[name] }

  var names: [String] { sessions.map(\.plan.name) }

  func use(_ index: Int, policies: inout PolicyTable) {
    guard !sessions[index].isUsed else { return }
    sessions[index].isUsed = true
    sessions[index].policyIndex = policies.intern(sessions[index].policy)
  }

  /// A session's fields over those that it extends.
  private func object(_ name: String) -> ObjectValue {
    if let known = merged[name] { return known }
    guard let session = written[name] else { return ObjectValue(range: SourceRange.fileStart) }
    resolving.append(name)
    defer { resolving.removeLast() }
    var object = session.object
    let path = session.place.path
    var found = LaterFeatures.found(in: object, at: path)
    let rules = HeaderRules(findings: findings)
    var fields =
      object["headers"].map { rules.headers(of: $0, at: path.appending(.key("headers"))) }
      ?? []
    if let base = base(of: session) {
      let lower = self.object(base)
      found += inherited(later[base] ?? [], by: object)
      fields = HeaderRules.merged(headers[base] ?? [], under: fields)
      object = lower.overlaid(by: object)
    }
    merged[name] = object
    later[name] = found
    headers[name] = fields
    return object
  }

  /// What is later in a base, but for what the session says itself.
  private func inherited(
    _ found: [LaterFeatures.Found], by object: ObjectValue
  ) -> [LaterFeatures.Found] {
    found.filter { feature in
      var inner: ObjectValue? = object
      var isOwn = false
      for key in feature.keyPath.split(separator: ".") {
        isOwn = inner?.has(String(key)) ?? false
        inner = inner?.object(String(key))
      }
      return !isOwn
    }
  }

  private func base(of session: Written) -> String? {
    guard let entry = session.object["extends"], let base = entry.value.string else { return nil }
    let path = session.place.path.appending(.key("extends"))
    let place = Place(range: entry.range, path: path)
    extended.insert(base)
    guard let lower = written[base] else {
      if base == "default" { return nil }
      let near = nearest(to: base, in: written.keys.sorted())
      findings.error(
        .unknownSession, "there is no session `\(base)`", at: place,
        hint: near.map { "did you mean `\($0)`?" } ?? "write it under `sessions:`")
      return nil
    }
    if let start = resolving.firstIndex(of: base) {
      let circle = (resolving[start...] + [base]).joined(separator: " -> ")
      findings.error(
        .extendsCircle, "`\(session.name)` extends itself: \(circle)", at: place,
        hint: "leave out one `extends`",
        notes: circleNotes(resolving[start...].dropLast()))
      return nil
    }
    if lower.object.string("type") == "background" {
      findings.error(
        .extendsBackground, "`\(base)` is a background session and can't be extended", at: place,
        hint: "put what they share in a third session that both extend",
        notes: [Diagnostic.Note(message: "`\(base)` is here", range: lower.place.range)])
      return nil
    }
    return base
  }

  private func circleNotes(_ names: ArraySlice<String>) -> [Diagnostic.Note] {
    names.compactMap { name in
      guard let entry = written[name]?.object["extends"] else { return nil }
      let text = "`\(name)` extends `\(entry.value.string ?? "")` here"
      return Diagnostic.Note(message: text, range: entry.range)
    }
  }

  private func append(_ name: String, _ place: Place?, _ object: ObjectValue) {
    let reader = SessionReader(findings: findings, resolvePath: resolvePath)
    var policy = TransferPolicy()
    PolicyReader.apply(object, to: &policy)
    let plan = reader.plan(name, object, at: place)
    var session = Resolved(
      plan: plan, policy: policy,
      headers: HeaderRules.identified(headers[name] ?? [], version: environment.version),
      later: later[name] ?? [], place: place)
    if case .map(let pairs)? = object["handlers"]?.value {
      session.handlers = Set(pairs.map { $0.key.lowercased() })
    }
    index[name] = sessions.count
    sessions.append(session)
  }

  private func checkIdentifiers(_ all: [Written]) {
    var first: [String: ObjectValue.Entry] = [:]
    for session in all {
      guard let entry = session.object["identifier"], let text = entry.value.string else {
        continue
      }
      guard let earlier = first[text] else {
        first[text] = entry
        continue
      }
      findings.error(
        .duplicateIdentifier, "two sessions have the identifier `\(text)`",
        at: Place(range: entry.range, path: session.place.path.appending(.key("identifier"))),
        hint: "each background session needs its own",
        notes: [Diagnostic.Note(message: "it is here first", range: earlier.range)])
    }
  }
}

extension SourceRange {
  /// The first place of a file.
  static var fileStart: SourceRange {
    let start = SourcePosition(line: 1, column: 1)
    return SourceRange(start: start, end: start)
  }
}

import JobSpec
import Testing
import TransferCore

/// A job file of a test; `⟪` and `⟫` mark what a diagnostic must point at.
struct JobCase {
  let marked: MarkedText
  var environment = JobCase.usual()

  /// The text of a whole file.
  init(_ text: String) { marked = MarkedText(text) }

  /// A file of version 1.
  static func job(_ text: String) -> JobCase { JobCase("version: 1\n" + text) }

  /// A file with one download, `fields` among its own.
  static func download(_ fields: String) -> JobCase {
    job("tasks:\n- { id: a, download: 'https://h.example/a', to: a, \(fields) }\n")
  }

  /// A file with one task.
  static func task(_ fields: String) -> JobCase { job("tasks:\n- { id: a, \(fields) }\n") }

  /// A file with one session that one task uses.
  static func session(_ fields: String) -> JobCase {
    job(
      "sessions:\n  s: { \(fields) }\n"
        + "tasks:\n- { id: a, session: s, download: 'https://h.example/a', to: a }\n")
  }

  static func usual() -> PlanEnvironment {
    var environment = PlanEnvironment(
      jobFile: "/jobs/nightly.yaml", runID: "run-7", runStart: 1_769_826_615, version: "1.2.3")
    environment.homeFolder = "/home/me"
    environment.workingFolder = "/desk"
    environment.variable = { ["SET": "here", "EMPTY": ""][$0] }
    environment.civilTime = { seconds, zone in
      guard zone == nil || zone == "UTC" || zone == "Asia/Tokyo" else { return nil }
      return civil(seconds, offset: zone == "Asia/Tokyo" ? 9 * 3600 : 0)
    }
    return environment
  }

  /// Of days in January and February 2026, which is all that tests need.
  private static func civil(_ seconds: Int64, offset: Int64) -> CivilTime {
    let since = seconds + offset - 1_767_225_600
    let day = Int(since / 86_400)
    let rest = Int(since % 86_400)
    return CivilTime(
      year: 2026, month: day < 31 ? 1 : 2, day: day < 31 ? day + 1 : day - 30,
      hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, weekday: (4 + day) % 7,
      dayOfYear: day + 1, offsetSeconds: Int(offset), zoneName: offset == 0 ? "UTC" : "JST")
  }

  func with(_ change: (inout PlanEnvironment) -> Void) -> JobCase {
    var copy = self
    change(&copy.environment)
    return copy
  }

  var planned: PlannedJob { JobReader.plan(bytes: marked.bytes, in: environment) }

  /// The plan of a file without errors.
  func plan(_ location: SourceLocation = #_sourceLocation) throws -> Plan {
    let planned = planned
    let errors = planned.diagnostics.filter { $0.severity == .error }.map(\.message)
    #expect(errors == [], sourceLocation: location)
    return try #require(planned.plan, sourceLocation: location)
  }

  /// The one task of a file without errors.
  func onlyTask(_ location: SourceLocation = #_sourceLocation) throws -> TaskPlan {
    let plan = try plan(location)
    #expect(plan.tasks.count == 1, sourceLocation: location)
    return try #require(plan.tasks.first, sourceLocation: location)
  }

  func download(_ location: SourceLocation = #_sourceLocation) throws -> DownloadPlan {
    guard case .download(let download) = try onlyTask(location).work else {
      throw NotADownload()
    }
    return download
  }

  struct NotADownload: Error {}

  /// Expects one diagnostic with this id, at the marked place.
  @discardableResult
  func finds(
    _ id: DiagnosticID, _ severity: Diagnostic.Severity = .error, path: String? = nil,
    says: String? = nil, hint: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) -> Diagnostic? {
    let all = planned.diagnostics
    let found = all.filter { $0.id == id.rawValue }
    let told = Comment(rawValue: all.map { "\($0.id): \($0.message)" }.joined(separator: "\n"))
    #expect(found.count == 1, told, sourceLocation: location)
    guard let first = found.first else { return nil }
    #expect(first.severity == severity, sourceLocation: location)
    if let range = marked.ranges.first {
      #expect(first.range == range, told, sourceLocation: location)
    }
    if let path { #expect(first.path == path, sourceLocation: location) }
    if let says { #expect(first.message.contains(says), told, sourceLocation: location) }
    if let hint, !hint.isEmpty {
      let given = first.hint ?? "none"
      #expect(given.contains(hint), "\(given)", sourceLocation: location)
    }
    if severity == .error { #expect(planned.plan == nil, sourceLocation: location) }
    return first
  }
}

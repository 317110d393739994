/// Collects what is found about a job file. Copies of one task find the same things at the same
/// places: each is kept once.
final class Findings {
  private(set) var diagnostics: [Diagnostic] = []
  private var seen: Set<Key> = []
  private(set) var hasErrors = false

  private struct Key: Hashable {
    var id: String
    var range: SourceRange
    var message: String
  }

  func add(_ diagnostic: Diagnostic) {
    let key = Key(id: diagnostic.id, range: diagnostic.range, message: diagnostic.message)
    guard seen.insert(key).inserted else { return }
    if diagnostic.severity == .error { hasErrors = true }
    diagnostics.append(diagnostic)
  }

  func error(
    _ id: DiagnosticID, _ message: String, at place: Place, hint: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    add(make(.error, id, message, at: place, hint: hint, notes: notes))
  }

  func warning(
    _ id: DiagnosticID, _ message: String, at place: Place, hint: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    add(make(.warning, id, message, at: place, hint: hint, notes: notes))
  }

  func note(_ id: DiagnosticID, _ message: String, at place: Place, hint: String? = nil) {
    add(make(.note, id, message, at: place, hint: hint, notes: []))
  }

  private func make(
    _ severity: Diagnostic.Severity, _ id: DiagnosticID, _ message: String, at place: Place,
    hint: String?, notes: [Diagnostic.Note]
  ) -> Diagnostic {
    Diagnostic(
      severity, id.rawValue, message, at: place.range, path: place.path.text(), hint: hint,
      notes: notes)
  }
}

/// Where something stands, in the file and in its structure.
struct Place {
  var range: SourceRange
  var path: DocumentPath
}

/// The name of `names` that a misspelt one was meant to be.
func nearest(to name: String, in names: some Sequence<String>) -> String? {
  NearestName.suggestion(for: name, among: names)
}

/// Text for a message: its start, on one line.
func shortened(_ text: String) -> String {
  let line = text.prefix(60).map { $0.isNewline ? " " : $0 }
  return String(line) + (text.count > 60 ? "…" : "")
}

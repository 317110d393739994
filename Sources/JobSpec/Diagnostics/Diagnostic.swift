/// A mistake, a warning or a note about a job file, with its place. Collected, never thrown.
package struct Diagnostic: Equatable, Sendable {
  package enum Severity: String, Sendable, CaseIterable { case error, warning, note }

  package var severity: Severity
  /// Stable, in kebab case, like `unknown-key`; each stands in `docs/errors.md`.
  package var id: String
  /// One sentence without a full stop: what was found and what is allowed.
  package var message: String
  package var range: SourceRange
  /// The place in the document's structure, like `tasks[3].checksum`.
  package var path: String?
  /// Other places that matter.
  package var notes: [Note] = []
  /// The way out, in one sentence.
  package var hint: String?

  package struct Note: Equatable, Sendable {
    package var message: String
    package var range: SourceRange
    package init(message: String, range: SourceRange) {
      self.message = message
      self.range = range
    }
  }

  package init(
    _ severity: Severity, _ id: String, _ message: String, at range: SourceRange,
    path: String? = nil, hint: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.id = id
    self.message = message
    self.range = range
    self.path = path
    self.hint = hint
    self.notes = notes
  }
}

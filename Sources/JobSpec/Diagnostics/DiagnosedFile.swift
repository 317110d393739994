/// A job file and what was found in it, in line order and without repeats.
package struct DiagnosedFile: Sendable {
  /// As the user named it; `-` is standard input.
  package let path: String
  package let source: SourceText
  package let diagnostics: [Diagnostic]

  /// `diagnostics` in any order; of equal ones, the first stays.
  package init(path: String, source: SourceText, diagnostics: [Diagnostic]) {
    self.path = path
    self.source = source
    self.diagnostics = Self.ordered(diagnostics)
  }

  package func count(of severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  private static func ordered(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Identity: Hashable {
      var id: String
      var message: String
      var range: SourceRange
    }
    var seen: Set<Identity> = []
    return diagnostics.enumerated()
      .filter {
        seen.insert(
          Identity(id: $0.element.id, message: $0.element.message, range: $0.element.range)
        ).inserted
      }
      .sorted { left, right in
        let (first, second) = (left.element.range.start, right.element.range.start)
        return first == second ? left.offset < right.offset : first < second
      }
      .map(\.element)
  }
}

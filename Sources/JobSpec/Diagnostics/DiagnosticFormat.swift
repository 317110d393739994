import TransferCore

/// The forms that `validate` prints what it found in.
package enum DiagnosticFormat: String, Sendable, CaseIterable {
  /// For people: the line, and carets below what is meant.
  case text
  /// `{ schema, diagnostics: […] }`.
  case json
  /// SARIF 2.1.0, for code hosts.
  case sarif
  /// Workflow commands of GitHub Actions.
  case github
  /// JUnit XML: a suite and a case a file.
  case junit

  /// All files in one output, which ends with a line break unless it is empty.
  /// - Parameters:
  ///   - version: of this program, for SARIF.
  ///   - colored: ANSI colors, in the text form alone.
  package func render(_ files: [DiagnosedFile], version: String, colored: Bool = false) -> String {
    switch self {
    case .text: TextRenderer(isColored: colored).render(files)
    case .json: JSONRenderer.render(files)
    case .sarif: SARIFRenderer(version: version).render(files)
    case .github: GitHubRenderer.render(files)
    case .junit: JUnitRenderer.render(files)
    }
  }
}

/// Why a text isn't the duration, size or rate that it should be; the caller knows its place.
package struct ScalarProblem: Error, Equatable, Sendable {
  /// What is wrong, as a clause that can end a message: "`10M` is ambiguous".
  package var message: String
  /// The way out.
  package var hint: String

  package init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

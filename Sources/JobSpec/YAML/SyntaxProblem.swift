/// What libyaml says when it can't go on, in its own words.
struct SyntaxProblem: Error {
  var text: String
  var context: String?
  var place: SourcePosition
  /// Where what `context` names began.
  var contextPlace: SourcePosition
  /// The scalar that was read last.
  var lastScalar: SourceRange?
}

struct SyntaxAdvice {
  let problem: SyntaxProblem
  let source: SourceText
  init(_ p: SyntaxProblem, in s: SourceText) {
    problem = p
    source = s
  }
  var diagnostic: Diagnostic {
    Diagnostic(
      .error, "yaml-syntax", problem.text, at: SourceRange(start: problem.place, end: problem.place)
    )
  }
}

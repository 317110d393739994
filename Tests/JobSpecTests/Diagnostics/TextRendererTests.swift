import JobSpec
import Testing

@Suite struct TextRendererTests {
  private func render(
    _ marked: String, message: String = "m", hint: String? = nil, colored: Bool = false
  ) -> String {
    let marked = MarkedText(marked)
    let diagnostic = Diagnostic(.error, "some-id", message, at: marked.ranges[0], hint: hint)
    let file = DiagnosedFile(
      path: "job.yaml", source: SourceText(marked.text), diagnostics: [diagnostic])
    return DiagnosticFormat.text.render([file], version: "1", colored: colored)
  }

  /// The source line and the carets, from the bar on.
  private func snippet(_ marked: String) -> [String] {
    render(marked).split(separator: "\n").dropFirst(3).map {
      String($0.drop { $0 != "|" }.dropFirst(2))
    }
  }

  @Test func aDiagnosticWithAllItsParts() {
    let marked = MarkedText("a: 1\n\n\n\n\n\n\n\n  ⟪b⟫: ⟪two⟫ # c\n")
    let diagnostic = Diagnostic(
      .warning, "some-id", "what was found", at: marked.ranges[1], path: "tasks[3].b",
      hint: "the way out", notes: [.init(message: "and this", range: marked.ranges[0])])
    let other = Diagnostic(.note, "other-id", "late", at: marked.ranges[1])
    let file = DiagnosedFile(
      path: "jobs/x.yaml", source: SourceText(marked.text), diagnostics: [diagnostic, other])
    #expect(
      DiagnosticFormat.text.render([file], version: "1") == """
        warning: what was found [some-id]
         --> jobs/x.yaml:9:6
          |
        9 |   b: two # c
          |      ^^^
          = in: tasks[3].b
          = hint: the way out
        note: and this
         --> jobs/x.yaml:9:3
          |
        9 |   b: two # c
          |   ^

        note: late [other-id]
         --> jobs/x.yaml:9:6
          |
        9 |   b: two # c
          |      ^^^

        """)
  }

  @Test func linesUnderEachOtherHaveOneGutter() {
    let marked = MarkedText("⟪a⟫\n\n\n\n\n\n\n\n\n⟪b⟫\n")
    let diagnostic = Diagnostic(
      .error, "id", "m", at: marked.ranges[1],
      notes: [.init(message: "n", range: marked.ranges[0])])
    let file = DiagnosedFile(
      path: "j", source: SourceText(marked.text), diagnostics: [diagnostic])
    #expect(
      DiagnosticFormat.text.render([file], version: "1") == """
        error: m [id]
          --> j:10:1
           |
        10 | b
           | ^
        note: n
          --> j:1:1
           |
         1 | a
           | ^

        """)
  }

  @Test(arguments: [
    ("a: ⟪b⟫", "   ^"), ("日本: ⟪b⟫", "      ^"), ("日⟪本⟫: b", "  ^^"), ("e\u{301}: ⟪b⟫", "   ^"),
    ("⟪e\u{301}⟫: b", "^"), ("🎉 ⟪x⟫", "   ^"), ("x\t⟪y⟫", "     ^"), ("ｱ: ⟪한글⟫", "   ^^^^"),
    ("a:⟪⟫", "  ^"), ("a: ⟪b c d⟫ e", "   ^^^^^"), ("⟪⟫", "^"), ("\u{200B}⟪x⟫", " ^"),
    ("\u{200D}⟪x⟫", "^"),
  ])
  func caretsStayBelowWhatTheyMean(marked: String, carets: String) {
    #expect(snippet(marked).last == carets)
  }

  @Test func aRangeOverSeveralLinesIsMarkedOnItsFirst() {
    #expect(snippet("a: ⟪[b,  \n  c]⟫\n") == ["a: [b,  ", "   ^^^"])
  }

  @Test func longLinesAreCutAroundTheCarets() {
    let left = String(repeating: "l", count: 200)
    let right = String(repeating: "r", count: 200)
    for marked in [
      "\(left)⟪xyz⟫\(right)", "⟪xyz⟫\(right)", "\(left)⟪xyz⟫", "ab⟪xyz⟫\(right)",
      "\(left)⟪xyz⟫cd", "日\(left)⟪xyz⟫\(right)",
    ] {
      let lines = snippet(marked)
      let at = lines[0].firstRange(of: "xyz")
      #expect(lines[0].count <= 76)
      #expect(lines[0].count >= 70)
      #expect(lines[1].count { $0 == "^" } == 3)
      #expect(at?.lowerBound == lines[1].prefix { $0 == " " }.count)
    }
    let all = snippet("a: ⟪\(left)\(right)⟫")
    #expect(all[0].count <= 76 && all[1].count <= 76)
    #expect(all[0].hasSuffix("…"))
    let wide = snippet(String(repeating: "日", count: 100) + "⟪x⟫")
    #expect(wide[1].count <= 76)
  }

  @Test func longMessagesAreBrokenBetweenWords() {
    let words = Array(repeating: "word", count: 30).joined(separator: " ")
    let text = render("⟪a⟫", message: words, hint: words)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.contains("\n       word word"))
    #expect(text.contains("\n          word word"))
  }

  @Test func whatATerminalWouldObeyIsNotSent() {
    let text = render("a: ⟪\u{1B}[31m\u{202E}\u{9B}⟫", message: "found \u{1B}]0;x\u{7}")
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    #expect(text.contains("a: \u{FFFD}[31m\u{FFFD}\u{FFFD}"))
  }

  @Test func colorsAddNothingElse() {
    let plain = render("a: ⟪b⟫", hint: "h")
    let colored = render("a: ⟪b⟫", hint: "h", colored: true)
    #expect(colored.hasPrefix("\u{1B}[1;31merror\u{1B}[0m"))
    var (bare, isCode) = ("", false)
    for character in colored {
      if character == "\u{1B}" { isCode = true }
      if !isCode { bare.append(character) }
      if character == "m" { isCode = false }
    }
    #expect(bare == plain)
  }
}

extension String {
  /// Where `part` begins, in characters.
  fileprivate func firstRange(of part: String) -> Range<Int>? {
    let (all, wanted) = (Array(self), Array(part))
    guard all.count >= wanted.count else { return nil }
    return (0...(all.count - wanted.count)).first { Array(all[$0..<($0 + wanted.count)]) == wanted }
      .map { $0..<($0 + wanted.count) }
  }
}

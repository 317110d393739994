import JobSpec
import Testing

/// What YAML can't read: the place is marked; message and hint are whole.
@Suite struct SyntaxAdviceTests {
  struct Case: CustomTestStringConvertible {
    let marked: String
    let message: String
    let hint: String
    var testDescription: String { marked }

    init(_ marked: String, _ message: String, _ hint: String) {
      (self.marked, self.message, self.hint) = (marked, message, hint)
    }
  }

  static let quotes = [
    Case(
      "a: { a: ⟪${x}⟫ }\n", "between `{` and `}` a `${…}` must be in quotes",
      "put the text in quotes: `a: { a: \"${x}\" }`"),
    Case(
      "a: [a⟪${x}⟫, '${y}', ${z}/b]\n", "between `[` and `]` a `${…}` must be in quotes",
      "put the text in quotes: `a: [\"a${x}\", '${y}', \"${z}/b\"]`"),
    Case(
      "a: [b,\n  ⟪${x}⟫]\n", "between `[` and `]` a `${…}` must be in quotes",
      "put the text in quotes: `\"${x}\"]`"),
    Case(
      "- to: ⟪@⟫x # y\n", "text that begins with `@` must be in quotes",
      "put it in quotes: `- to: \"@x\" # y`"),
    Case(
      "a: ⟪`⟫x`\n", "text that begins with a backtick must be in quotes",
      "put it in quotes: a: \"`x`\""),
    Case(
      "a: {b: ⟪%⟫x, c: d}\n", "text that begins with `%` must be in quotes",
      "put it in quotes: `a: {b: \"%x\", c: d}`"),
    Case(
      "a: b⟪:⟫ c\n", "a value that holds `: ` must be in quotes",
      "put it in quotes: `a: \"b: c\"`"),
    Case(
      "a: {b: c⟪:⟫ d, e: f}\n", "a value that holds `: ` must be in quotes",
      "put it in quotes: `a: {b: \"c: d\", e: f}`"),
    Case(
      "a: say \"b\"⟪:⟫ c\n", "a value that holds `: ` must be in quotes",
      "put it in quotes: `a: 'say \"b\": c'`"),
    Case(
      "a: \"b\" ⟪c⟫\n", "text follows the closing `\"`",
      "put the whole value in quotes: `a: '\"b\" c'`"),
    Case(
      "a: 'it'⟪s'⟫\n", "text follows the closing `'`",
      "put the whole value in quotes: `a: \"it's\"`"),
    Case(
      "a: ⟪*.txt⟫\n", "`*` begins an alias, and this is no name",
      "put text that begins with `*` in quotes: `a: \"*.txt\"`"),
    Case(
      "a: ⟪& b⟫\n", "`&` begins an anchor, and this is no name",
      "put text that begins with `&` in quotes: `a: \"& b\"`"),
    Case(
      "a: ⟪!x! y⟫\n", "`!` begins a tag, and this is none",
      "put text that begins with `!` in quotes: `a: \"!x! y\"`"),
    Case(
      "a: ⟪,⟫b\n", "text that begins with `,` must be in quotes",
      "put it in quotes: `a: \",b\"`"),
    Case(
      "a: ⟪?⟫ b\n", "text that begins with `? ` must be in quotes",
      "put it in quotes: `a: \"? b\"`"),
    Case(
      "a: ⟪-⟫ b\n", "a list can't begin on the line of its key",
      "begin it on the next line, or write it as `[one, two]`"),
    Case(
      "a: ⟪| b⟫\n", "only a comment may follow `|` on its line",
      "write the text on the next lines, indented; "
        + "put text that begins with `|` in quotes: `a: \"| b\"`"
    ),
    Case(
      "a: {u: http://x/?a=⟪{⟫b}}\n", "between `{` and `}` text that holds `{` must be in quotes",
      "put it in quotes: `a: {u: \"http://x/?a={b}\"}`"),
  ]

  static let open = [
    Case(
      "a: ⟪\"⟫b\nc: d\n", "this `\"` is never closed",
      "write the closing `\"`; a `\"` inside double quotes is written `\\\"`"),
    Case(
      "a: ⟪'⟫b\nc: d\n", "this `'` is never closed",
      "write the closing `'`; an apostrophe inside single quotes is written twice"),
    Case(
      "a: ⟪\"⟫b\nc: \"d\"\n", "this `\"` is closed only on line 2, and more follows there",
      "write the closing `\"` where the text ends"),
    Case(
      "a: ⟪[⟫b, c\nd: e\n", "this `[` isn't closed",
      "write `]` where it ends, and a `,` between its parts"),
    Case(
      "a: ⟪{⟫b: c\nd: e\n", "this `{` isn't closed",
      "write `}` where it ends, and a `,` between its parts"),
    Case(
      "a: [b⟪}⟫\n", "a `[` is closed by this `}`",
      "write `]` before it, or in its place"),
    Case(
      "a: {b: [c⟪}⟫\n", "a `[` is closed by this `}`",
      "write `]` before it, or in its place"),
    Case(
      "a: {b: c}⟪}⟫\n", "this `}` closes no `{`",
      "remove it, or put the text in quotes if the `}` belongs to it"),
    Case(
      "a: ⟪]⟫\n", "this `]` closes no `[`",
      "remove it, or put the text in quotes if the `]` belongs to it"),
    Case(
      "a: [b, ⟪,⟫ c]\n", "nothing stands before this `,`",
      "remove the `,`, or write what belongs before it"),
    Case(
      "a: [\"b\" ⟪\"⟫c\"]\n", "a `,` or `]` is due here",
      "put a `,` between two parts, or a text of several words in one pair of quotes"),
    Case(
      "{ \"a\": 1, ⟪// b⟫\n  \"c\": 2 }\n", "`//` begins no comment in YAML",
      "write `#` in its place"),
    Case(
      "a: {b: ⟪c⟫\n  d: e}\n", "a `,` is missing after this",
      "between braces and brackets each part but the last ends with a `,`"),
  ]

  static let structure = [
    Case(
      "⟪\t⟫a: b\n", "a tab indents this line; YAML indents with spaces alone",
      "put spaces in its place; `expand -t 2 OLD > NEW` does that"),
    Case(
      "a:\n  b: c\n⟪\t⟫d: e\n", "a tab indents this line; YAML indents with spaces alone",
      "put spaces in its place; `expand -t 2 OLD > NEW` does that"),
    Case(
      "a: |\n  b\n⟪\t⟫c\n", "a tab indents this line; YAML indents with spaces alone",
      "put spaces in its place; `expand -t 2 OLD > NEW` does that"),
    Case(
      "a:b\n⟪c⟫: d\n", "this key stands below a value that has begun on line 1",
      "write a space after the colon: `a: b`"),
    Case(
      "a\n\n⟪b⟫: c\n", "this key stands below a value that has begun on line 1",
      "a key and its value are written `name: value`; line 1 has no `: `"),
    Case(
      "a: 1\n  ⟪b⟫: 2\n", "this key stands below a value that has begun on line 1",
      "indent both lines alike, or leave the key on line 1 without a value of its own"),
    Case(
      "a: 1\n⟪b c⟫\nd: 2\n", "`: ` is missing after this key",
      "write `name: value`; text that goes on from the line above is indented deeper"),
    Case(
      "a: 1\n⟪b:c⟫\nd: 2\n", "`: ` is missing after this key",
      "write a space after the colon: `b: c`"),
    Case(
      "a:\n  b: 1\n ⟪c: 2⟫\n", "this line is indented by 1, which fits nothing above it",
      "indent it like the lines that it belongs with"),
    Case(
      "a:\n  - b: c\n   ⟪d: e⟫\n", "this line is indented by 3, which fits nothing above it",
      "the keys of an item begin in one column: indent it by 4"),
    Case(
      "a:\n   - b\n  ⟪- c⟫\n", "this list item fits no list above it",
      "the items of one list begin in one column: indent it by 3"),
    Case(
      "- a\n⟪b: c⟫\n", "a list goes on here, and this is no item: it lacks `- `",
      "write `- ` before it, or indent it under the item above"),
    Case(
      "a: 1\n⟪- b⟫\n", "a map goes on here, and this is no key",
      "indent the list under its key, which has no value of its own"),
    Case(
      "a: 1\n...\n⟪b: 2⟫\n", "text follows the end of the document (`...`)",
      "a job file holds one document: remove the `...`, or what follows it"),
    Case(
      "⟪%FOO⟫\n---\na: 1\n",
      "a line that begins with `%` is a directive to YAML, and this is none it knows",
      "remove the line, or indent it if it belongs to a text"),
  ]

  static let escapes = [
    Case(
      "a: \"é⟪\\q⟫\"\n", "`\\q` means nothing in double quotes",
      "in single quotes a backslash is itself; in double quotes write `\\\\`"),
    Case(
      "a: \"C:⟪\\d⟫ir\"\n", "`\\d` means nothing in double quotes",
      "in single quotes a backslash is itself; in double quotes write `\\\\`"),
    Case(
      "a: \"⟪\\x⟫ZZ\"\n", "`\\x` lacks its hexadecimal digits",
      "write `\\xHH`, `\\uHHHH` or `\\UHHHHHHHH`; in single quotes a backslash is itself"),
    Case(
      "a: \"⟪\\u⟫D800\"\n", "this escape names no character",
      "write `\\xHH`, `\\uHHHH` or `\\UHHHHHHHH`; in single quotes a backslash is itself"),
  ]

  @Test(arguments: quotes) func textThatNeedsQuotes(_ example: Case) { check(example) }

  @Test(arguments: open) func whatIsOpenOrClosedTwice(_ example: Case) { check(example) }

  @Test(arguments: structure) func linesThatFitNowhere(_ example: Case) { check(example) }

  @Test(arguments: escapes) func escapesThatMeanNothing(_ example: Case) { check(example) }

  private func check(_ example: Case) {
    let marked = MarkedText(example.marked)
    let (root, diagnostics) = read(marked.text)
    #expect(root == nil)
    #expect(diagnostics.map(\.id) == ["yaml-syntax"])
    #expect(diagnostics.map(\.range) == [marked.ranges[0]])
    #expect(diagnostics.map(\.message) == [example.message])
    #expect(diagnostics.map(\.hint) == [example.hint])
  }

  @Test func notesSayWhatTheErrorHangsOn() {
    let marked = MarkedText("a: ⟪{⟫b: [⟪c⟫\n  d: e}\n")
    let quote = MarkedText("a: \"b\n⟪---⟫\nc\"\n")
    #expect(read(quote.text).diagnostics[0].notes.map(\.range) == [quote.ranges[0]])
    let open = MarkedText("a: [b, c\nd⟪:⟫ e\n")
    #expect(read(open.text).diagnostics[0].notes.map(\.range) == [open.ranges[0]])
    #expect(read(marked.text).diagnostics[0].notes.count == 1)
  }

  @Test func aSpaceThatIsNoneIsPointedAt() {
    let marked = MarkedText("a: b:⟪\u{A0}⟫c: d\n")
    let diagnostics = read(marked.text).diagnostics
    #expect(diagnostics[0].notes.map(\.range) == [marked.ranges[0]])
    #expect(diagnostics[0].notes[0].message.contains("U+00A0"))
  }
}

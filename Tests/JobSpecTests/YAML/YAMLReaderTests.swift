import JobSpec
import Testing

@Suite struct YAMLReaderTests {
  @Test func nodesKeepWhatWasWritten() {
    #expect(
      shape("a: 1.10\nb: '1'\nc: [x, \"y\", ~]\nd: {}\ne:\n")
        == "{a: 1.10, b: \"1\", c: [x, \"y\", ~], d: {}, e: }")
    #expect(shape("a: |\n  x\n  y\nb: >-\n  x\n  y\n") == "{a: \"x\ny\n\", b: \"x y\"}")
    #expect(shape("- a\n- - b\n  - c\n") == "[a, [b, c]]")
    #expect(shape("x-note: 1\na: {x-y: 2}\n") == "{x-note: 1, a: {x-y: 2}}")
    #expect(shape("%YAML 1.2\n---\na: b\n...\n") == "{a: b}")
  }

  @Test func aByteOrderMarkMovesNoColumn() {
    let (root, diagnostics) = read("\u{FEFF}ab: c\r\nd: e\r\n")
    #expect(diagnostics.isEmpty)
    #expect(root?["ab"]?.range == MarkedText("ab: ⟪c⟫").ranges[0])
    #expect(root?["d"]?.range == MarkedText("\nd: ⟪e⟫").ranges[0])
  }

  @Test(arguments: [
    ("a: ⟪b c⟫\n", "a"), ("é𝄞: x\na: ⟪é𝄞⟫\n", "a"), ("a: ⟪\"b\"⟫ # c\n", "a"),
    ("a: ⟪[b, c]⟫\n", "a"), ("a: ⟪{b: c}⟫ \n", "a"), ("a:\n  ⟪- b\n  - c⟫\n\n\nd: e\n", "a"),
    ("a:\n  ⟪b:\n    c: d⟫\n\n# e\nf: g\n", "a"), ("a:⟪⟫\nb: c\n", "a"),
    ("x: &x b\na: ⟪*x⟫\n", "a"), ("x: &x {a: ⟪b⟫}\n<<: *x\n", "a"), ("⟪a: b⟫\n", ""),
  ])
  func rangesAreOneBasedAndCountScalars(marked: String, key: String) {
    let marked = MarkedText(marked)
    let root = read(marked.text).root
    #expect((key.isEmpty ? root : root?[key])?.range == marked.ranges[0])
  }

  @Test func aliasesAndMergesAreResolved() {
    #expect(shape("a: &a [1, 2]\nb: *a\n") == "{a: [1, 2], b: [1, 2]}")
    #expect(
      shape("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n") == "{a: {x: 1, y: 2}, b: {y: 3, x: 1}}")
    #expect(
      shape("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n")
        == "{a: {x: 1}, b: {x: 2, y: 2}, c: {x: 1, y: 2}}")
    #expect(shape("a: {<<: {x: 1}, y: 2}\n") == "{a: {y: 2, x: 1}}")
    #expect(shape("a: &a x\n*a : y\n") == "{a: x, x: y}")
    #expect(shape("a: &a x\nb: &a y\nc: *a\n") == "{a: x, b: y, c: y}")
    #expect(shape("a: {\"<<\": 1}\n") == "{a: {\"<<\": 1}}")
  }

  @Test func tagsOfTheCoreSchemaType() {
    #expect(
      shape("a: !!str 1\nb: !!int \"2\"\nc: !!map {}\nd: !!seq []\ne: ! 3\nf: !!float 1\n")
        == "{a: \"1\", b: 2, c: {}, d: [], e: \"3\", f: 1}")
    #expect(shape("a: !!bool 'true'\nb: !!null ''\n") == "{a: true, b: }")
  }

  @Test(arguments: [
    ("a: ⟪!!int x⟫\n", "bad-tag"), ("a: ⟪!!set {⟫x}\n", "bad-tag"), ("a: ⟪!foo x⟫\n", "bad-tag"),
    ("a: ⟪!!str [⟫x]\n", "bad-tag"), ("a: ⟪!!map x⟫\n", "bad-tag"), ("a: ⟪!<x:y> z⟫\n", "bad-tag"),
    ("a: 1\n⟪a⟫: 2\n", "duplicate-key"), ("b:\n  a: 1\n  ⟪\"a\"⟫: 2\n", "duplicate-key"),
    ("⟪[a]⟫: b\n", "bad-key"), ("a: {⟪{ b }⟫}\n", "bad-key"), ("? ⟪- a⟫\n: b\n", "bad-key"),
    ("?⟪⟫\n: b\n", "bad-key"),
    ("a: ⟪*b⟫\n", "unknown-anchor"), ("a: &a [⟪*a⟫]\n", "unknown-anchor"),
    ("a: {<<: ⟪x⟫}\n", "bad-merge"), ("a: {<<: ⟪[x]⟫}\n", "bad-merge"),
    ("a: b\n⟪---⟫\nc: d\n", "second-document"), ("⟪⟫", "empty-file"), ("⟪⟫# a\n\n", "empty-file"),
    ("⟪⟫---\n...\n", "empty-file"), ("⟪⟫~\n", "empty-file"),
  ])
  func mistakesHaveAPlace(marked: String, id: String) {
    let marked = MarkedText(marked)
    let diagnostics = read(marked.text).diagnostics
    #expect(diagnostics.map(\.id) == [id])
    #expect(diagnostics.map(\.range) == marked.ranges)
    #expect(diagnostics.allSatisfy { $0.severity == .error && $0.hint != nil })
  }

  @Test func severalMistakesAreToldAtOnce() {
    let (root, diagnostics) = read("a: *x\nb: !y z\nc: 1\nc: 2\nd: [*w, {e: *v}]\n")
    #expect(root == nil, "what can't be used isn't decoded, so that nothing follows from it")
    #expect(
      diagnostics.map(\.id) == [
        "unknown-anchor", "bad-tag", "duplicate-key", "unknown-anchor", "unknown-anchor",
      ])
    #expect(diagnostics.map(\.path) == ["a", "b", "c", "d[0]", "d[0].e"])
  }

  @Test func aDuplicateKeyNamesTheFirstAndTheFirstStays() {
    let marked = MarkedText("a:\n  - ⟪b⟫: 1\n    c: 2\n    ⟪b⟫: 3\n")
    let (root, diagnostics) = read(marked.text)
    #expect(root?.shape == "{a: [{b: 1, c: 2}]}")
    #expect(diagnostics[0].range == marked.ranges[1])
    #expect(diagnostics[0].notes.map(\.range) == [marked.ranges[0]])
    #expect(diagnostics[0].path == "a[0].b")
  }

  @Test func duplicatesAreFoundInLargeMapsToo() {
    let keys = (0..<100).map { "k\($0): 1\n" }.joined()
    #expect(read(keys).diagnostics.isEmpty)
    #expect(read(keys + "k3: 1\nk77: 1\n").diagnostics.map(\.path) == ["k3", "k77"])
  }
}

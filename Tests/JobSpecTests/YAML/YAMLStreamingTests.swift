import JobSpec
import Testing

@Suite struct YAMLStreamingTests {
  private func stream(
    _ text: String, key: String = "tasks"
  ) -> (elements: [String], root: String?, ids: [String]) {
    var elements: [String] = []
    let (root, diagnostics) = JobYAML(bytes: Array(text.utf8))
      .read(streaming: key) { element in
        let key = element.key.map { "\($0.shape)=" } ?? ""
        elements.append("\(element.index):\(key)\(element.value.shape)")
      }
    return (elements, root?.shape, diagnostics.map(\.id))
  }

  private func skip(_ text: String) -> (root: String?, ids: [String]) {
    let (root, diagnostics) = JobYAML(bytes: Array(text.utf8))
      .read(skipping: "tasks")
    return (root?.shape, diagnostics.map(\.id))
  }

  @Test func elementsComeOneAtATimeAndLeaveTheTree() {
    let (elements, root, ids) = stream("a: 1\ntasks:\n- {id: x}\n- [y]\n- z\nb: 2\n")
    #expect(elements == ["0:{id: x}", "1:[y]", "2:z"])
    #expect(root == "{a: 1, tasks: [], b: 2}")
    #expect(ids.isEmpty)
  }

  @Test func mapsAreStreamedWithTheirKeys() {
    let (elements, root, ids) = stream("tasks:\n  x: {a: 1}\n  \"y\": 2\n  x: 3\n")
    #expect(elements == ["0:x={a: 1}", "1:\"y\"=2"])
    #expect(root == "{tasks: {}}")
    #expect(ids == ["duplicate-key"])
  }

  @Test func otherKindsStayAsTheyAre() {
    #expect(stream("tasks: 5\n").root == "{tasks: 5}")
    #expect(stream("tasks:\n").root == "{tasks: }")
    #expect(stream("a: {tasks: [1]}\n").root == "{a: {tasks: [1]}}")
    #expect(stream("[tasks, 1]\n").root == "[tasks, 1]")
  }

  @Test func theEmptiedCollectionKeepsItsRange() {
    let marked = MarkedText("tasks:\n  ⟪- a\n  - b: c⟫\n\nb: 1\n")
    let (root, _) = JobYAML(bytes: marked.bytes).read(streaming: "tasks") { _ in }
    #expect(root?["tasks"]?.range == marked.ranges[0])
    #expect(
      JobYAML(bytes: marked.bytes).read(skipping: "tasks").root?["tasks"]?.range
        == marked.ranges[0])
  }

  @Test func aliasesReachIntoAndOutOfElements() {
    let (elements, root, ids) = stream(
      "x-a: &a {v: 1}\ntasks:\n- {<<: *a, b: &b 2}\n- *b\nc: *b\n")
    #expect(elements == ["0:{b: 2, v: 1}", "1:2"])
    #expect(root == "{x-a: {v: 1}, tasks: [], c: 2}")
    #expect(ids.isEmpty)
  }

  @Test func aliasedAndMergedCollectionsAreHandedOverToo() {
    #expect(stream("a: &a [1, 2]\ntasks: *a\n").elements == ["0:1", "1:2"])
    #expect(stream("tasks: &a [1]\nb: *a\n").elements == ["0:1"])
    #expect(stream("tasks: &a [1]\nb: *a\n").root == "{tasks: [], b: [1]}")
    #expect(stream("a: &a {tasks: {x: 1}}\n<<: *a\n").elements == ["0:x=1"])
    let merged = stream("a: &a {x: 1, y: 2}\ntasks:\n  <<: *a\n  y: 3\n")
    #expect(merged.elements == ["0:y=3", "1:x=1"])
  }

  @Test func aDamagedElementIsToldOfAndLeftOutAlone() {
    let (elements, root, ids) = stream("tasks:\n- a\n- {b: [*x]}\n- c\n")
    #expect(elements == ["0:a", "2:c"])
    #expect(root == "{tasks: []}")
    #expect(ids == ["unknown-anchor"])
  }

  @Test func elementsBeforeASyntaxErrorWereHandedOver() {
    let (elements, root, ids) = stream("tasks:\n- a\n- b\n- @c\n- d\n")
    #expect(elements == ["0:a"])
    #expect(root == nil)
    #expect(ids == ["yaml-syntax"])
  }

  @Test func anElementThatIsCutShortIsNotHandedOver() {
    let (elements, root, ids) = stream("tasks:\n  - a: 1\n  - b: 2\n   c: 3\n")
    #expect(elements == ["0:{a: 1}"])
    #expect(root == nil)
    #expect(ids == ["yaml-syntax"])
  }

  @Test func aSecondStreamedKeyIsADuplicate() {
    let (elements, _, ids) = stream("tasks: [a]\ntasks: [b]\n")
    #expect(elements == ["0:a"])
    #expect(ids == ["duplicate-key"])
  }

  @Test func skippingReadsWhatFollows() {
    #expect(skip("a: 1\ntasks:\n- {b: [c]}\n- d\ne: 2\n").root == "{a: 1, tasks: [], e: 2}")
    #expect(skip("tasks:\n  a: {b: c}\n  d: e\nf: 1\n").root == "{tasks: {}, f: 1}")
    #expect(skip("tasks:\n- &x {b: &y c}\nd: *x\ne: *y\n").root == "{tasks: [], d: {b: c}, e: c}")
    #expect(skip("{tasks: [a, [b]], c: 1}\n").root == "{tasks: [], c: 1}")
    #expect(skip("{tasks: [a,\n  b\n  ], c: 1}\n").root == "{tasks: [], c: 1}")
    #expect(skip("  tasks:\n  - a\n  c: 1\n").root == "{tasks: [], c: 1}")
    #expect(skip("tasks:\n- a\n\"b\": 1\n").root == "{tasks: [], b: 1}".replacing("b", "\"b\""))
    #expect(skip("tasks:\r- a\r-b: 1\r").root == "{tasks: [], -b: 1}")
    #expect(skip("tasks: [\na,\n]\nb: 1\n").root == "{tasks: [], b: 1}")
    #expect(skip("tasks:\n- a\n? b\n: 1\n").root == "{tasks: [], b: 1}")
  }

  @Test func skippingStopsWhereNothingCanFollow() {
    // What follows is broken, and only a reader that stops doesn't find out.
    let (root, ids) = skip("a: 1\ntasks:\n- a\n# c\n\n- @\n-\n  x: [\n")
    #expect(root == "{a: 1, tasks: []}")
    #expect(ids.isEmpty)
    #expect(skip("tasks:\n- @\nb: 1\n").ids == ["yaml-syntax"])
  }
}

extension String {
  fileprivate func replacing(_ old: Character, _ new: String) -> String {
    reduce(into: "") { $0 += $1 == old ? new : String($1) }
  }
}

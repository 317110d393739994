import JobSpec
import Testing

@Suite struct YAMLBoundsTests {
  private func laughs(levels: Int) -> String {
    var text = "a0: &a0 lol\n"
    for level in 1...levels {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    return text
  }

  private func count(_ node: YAMLNode) -> Int {
    switch node.content {
    case .scalar: 1
    case .sequence(let items): items.reduce(1) { $0 + count($1) }
    case .mapping(let entries): entries.reduce(1) { $0 + count($1.key) + count($1.value) }
    }
  }

  @Test func aliasesMayAddManyNodes() throws {
    let (root, diagnostics) = read(laughs(levels: 4))
    #expect(diagnostics.isEmpty)
    #expect(count(try #require(root)) == 1 + 5 + 1 + 11 + 111 + 1_111 + 11_111)
  }

  @Test func aBillionLaughsIsRefusedWhereTheBoundIsPassed() {
    let (root, diagnostics) = read(laughs(levels: 9))
    #expect(root == nil)
    #expect(diagnostics.map(\.id) == ["alias-limit"])
    // Levels 1 to 4 add 12,340 nodes, so that the eighth alias of level 5 is one too many.
    #expect(diagnostics.first?.range.start == SourcePosition(line: 6, column: 45))
  }

  @Test func theBoundIsExact() {
    // An alias of a list of 99 adds 100.
    let items = Array(repeating: "x", count: 99).joined(separator: ",")
    let aliases = Array(repeating: "*a", count: 1_000).joined(separator: ", ")
    #expect(read("a: &a [\(items)]\nb: [\(aliases)]\n").diagnostics.isEmpty)
    #expect(
      read("a: &a [\(items)]\nc: &c x\nb: [\(aliases)]\nd: *c\n").diagnostics.map(\.id)
        == ["alias-limit"])
  }

  @Test func mergesCountToo() {
    let aliases = Array(repeating: "- {<<: *a}\n", count: 40_000).joined()
    #expect(
      read("a: &a {x: 1}\nb:\n\(aliases)").diagnostics.map(\.id) == ["alias-limit"])
  }

  @Test func depthIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(read(nested(64)).diagnostics.isEmpty)
    #expect(read(nested(65)).diagnostics.map(\.id) == ["depth-limit"])
    #expect(read(nested(100_000)).diagnostics.map(\.id) == ["depth-limit"])
    #expect(read(String(repeating: "- ", count: 65)).diagnostics.map(\.id) == ["depth-limit"])
    #expect(
      read("a: &a \(nested(40))\nb: [[[*a]]]\n").diagnostics.isEmpty)
    #expect(
      read("a: &a \(nested(40))\nb: &b [[[[[[[[[[[[*a]]]]]]]]]]]]\nc: [[[[[[[[[[[*b]]]]]]]]]]]\n")
        .diagnostics.map(\.id) == [], "1 + 11 + 12 + 40 collections")
    #expect(
      read("a: &a \(nested(40))\nb: &b [[[[[[[[[[[[*a]]]]]]]]]]]]\nc: [[[[[[[[[[[[*b]]]]]]]]]]]]\n")
        .diagnostics.map(\.id) == ["depth-limit"])
  }
}

import FaultOrigin
import Testing

/// `docs/faults.md` is made from the table, and from the list of tests that play what it can't.
@Suite struct FaultPageTests {
  @Test func thePageIsTheTable() throws {
    try Golden.expect("docs/faults.md", is: FaultPage.text)
  }

  /// A row of the other kind names a test that is there.
  @Test func everyTestThatIsNamedExists() throws {
    for row in FaultPage.elsewhere {
      let parts = row.test.split(separator: ".").map(String.init)
      try #require(parts.count == 2, "\(row.test)")
      let files = try Clone.files(below: Clone.root + "/Tests").filter { path in
        path.hasSuffix("/\(parts[0]).swift")
      }
      let text = files.first.flatMap(TemporaryFolder.text(of:)) ?? ""
      #expect(text.contains("func \(parts[1])("), "\(row.test)")
    }
  }

  @Test func everyPromiseHasRows() {
    for promise in FaultCase.Promise.allCases {
      #expect(FaultTable.cases.contains { $0.promise == promise }, "\(promise.rawValue)")
    }
    #expect(FaultTable.cases.count + FaultPage.elsewhere.count >= 80)
  }
}

import JobSpec
import Testing

/// The table of `docs/sessions.md`: each field is the program's own, works in this version, and has
/// tests that are there.
@Suite struct SessionPageTests {
  private struct Row {
    var property: String
    var field: String
    var standard: String
    var tests: [String]
  }

  private static func rows() -> [Row] {
    let lines = Page("docs/sessions.md").lines
      .drop { $0 != "<!-- session fields -->" }.prefix { $0 != "<!-- end session fields -->" }
    return lines.dropFirst(3).map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .map { $0.drop { $0 == " " } }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
      return Row(
        property: cells[0], field: cells[1].filter { $0 != "`" }, standard: cells[2],
        tests: cells[3].split(separator: ",").map { $0.filter { !" `".contains($0) } })
    }
  }

  private static func spec(_ field: String) -> FieldSpec? {
    let keys = field.split(separator: ".").map(String.init)
    guard let spec = ObjectSpec.session[keys[0]] else { return nil }
    guard keys.count == 2 else { return spec }
    guard case .object(let inner) = spec.type else { return nil }
    return inner[keys[1]]
  }

  @Test func eachFieldIsTheProgramsOwnAndWorks() throws {
    let rows = Self.rows()
    #expect(rows.count >= 24)
    #expect(Set(rows.map(\.field)).count == rows.count)
    for row in rows {
      let spec = try #require(Self.spec(row.field), "\(row.field)")
      #expect(row.property == spec.property ?? "", "\(row.field)")
      #expect(row.standard == spec.standard ?? "", "\(row.field)")
      switch spec.availability {
      case .later, .laterUnless: Issue.record("\(row.field) is not in this version")
      case .now, .laterFor: break
      }
    }
  }

  /// `extends` is no property, and `sends_launch_events` is for the runner that will outlive its
  /// starter.
  @Test func eachFieldThatWorksIsThere() {
    let named = Set(Self.rows().map(\.field))
    for field in ObjectSpec.session.fields
    where !["extends", "sends_launch_events"].contains(field.key) {
      guard case .now = field.availability else { continue }
      let isThere = named.contains { $0 == field.key || $0.hasPrefix(field.key + ".") }
      #expect(isThere, "\(field.key)")
    }
  }

  @Test func eachTestIsThere() throws {
    let sources = try Clone.files(below: Clone.root + "/Tests")
      .filter { $0.hasSuffix(".swift") }.map { TemporaryFolder.text(of: $0) ?? "" }
    for row in Self.rows() {
      #expect(!row.tests.isEmpty, "\(row.field)")
      for test in row.tests {
        let names = test.split(separator: ".")
        #expect(names.count == 2, "\(test)")
        let isThere = sources.contains { text in
          text.contains("struct \(names[0]) {") && text.contains("func \(names[1])(")
        }
        #expect(isThere, "\(row.field): \(test)")
      }
    }
  }
}

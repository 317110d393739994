import JobSpec
import Testing
import TransferCore

@Suite struct TaskSelectionTests {
  private func plan() throws -> Plan {
    try JobCase.job(
      """
      tasks:
      - { id: a, data: 'https://h/' }
      - { id: b, data: 'https://h/', after: [a], matrix: { n: [1, 2] } }
      - { id: c, data: 'https://h/', after: [b] }
      - { id: d, data: 'https://h/' }
      """
    ).plan()
  }

  @Test func allTasksUnlessSaid() throws {
    #expect(try TaskSelection().tasks(of: plan()) == [0, 1, 2, 3, 4])
  }

  @Test func onlyTakesJustTheTasksNamed() throws {
    #expect(try TaskSelection(only: ["c"]).tasks(of: plan()) == [3])
    #expect(try TaskSelection(only: ["b"]).tasks(of: plan()) == [1, 2])
    #expect(try TaskSelection(only: ["b[2]", "d"]).tasks(of: plan()) == [2, 4])
  }

  @Test func dependenciesComeAlongWhenAsked() throws {
    #expect(
      try TaskSelection(only: ["c"], withDependencies: true).tasks(of: plan()) == [0, 1, 2, 3])
  }

  @Test func skippedTasksAreLeftOut() throws {
    #expect(try TaskSelection(skip: ["b", "d"]).tasks(of: plan()) == [0, 3])
    #expect(
      try TaskSelection(only: ["c"], skip: ["b[1]"], withDependencies: true).tasks(of: plan()) == [
        0, 2, 3,
      ])
  }

  @Test func unknownNamesNameTheNearest() throws {
    let plan = try JobCase.job("tasks: { release: { data: 'https://h/' } }\n").plan()
    #expect(throws: TaskSelection.UnknownTask(id: "relaese", nearest: "release")) {
      try TaskSelection(only: ["relaese"]).tasks(of: plan)
    }
    #expect(throws: TaskSelection.UnknownTask(id: "zzz", nearest: nil)) {
      try TaskSelection(skip: ["zzz"]).tasks(of: plan)
    }
  }
}

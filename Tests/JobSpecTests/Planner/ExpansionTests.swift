import JobSpec
import Testing
import TransferCore

@Suite struct ExpansionTests {
  private func ids(_ fields: String, head: String = "") throws -> [String] {
    try JobCase.job("\(head)tasks:\n- { id: a, data: 'https://h/', \(fields) }\n").plan().tasks.map(
      \.id)
  }

  @Test func aMatrixIsAProductInOrder() throws {
    #expect(
      try ids("matrix: { v: [1.10, 01], w: [x, y] }")
        == ["a[1.10,x]", "a[1.10,y]", "a[01,x]", "a[01,y]"])
    #expect(
      try ids("matrix: { n: { from: 9, to: 11, format: 'p%02d' } }") == [
        "a[p09]", "a[p10]", "a[p11]",
      ])
    #expect(try ids("matrix: { n: { from: -1, to: 0 } }") == ["a[-1]", "a[0]"])
  }

  @Test func itemsAreTasks() throws {
    #expect(try ids("items: [x, 2]") == ["a[x]", "a[2]"])
    #expect(try ids("items: [{ url: u1, name: n }, { url: u2, name: m }]") == ["a[u1]", "a[u2]"])
    #expect(
      try ids("items: [x, y], matrix: { n: [1, 2] }") == ["a[1,x]", "a[1,y]", "a[2,x]", "a[2,y]"])
  }

  @Test func anIDThatHoldsThePlaceholdersHasNoEnding() throws {
    let plan = try JobCase.job(
      "tasks:\n- { id: 'f-${matrix.n}', data: 'https://h/${matrix.n}', matrix: { n: [1, 2] } }\n"
    ).plan()
    #expect(plan.tasks.map(\.id) == ["f-1", "f-2"])
    #expect(plan.tasks.map(\.request.url.literal) == ["https://h/1", "https://h/2"])
  }

  @Test func columnsAreNamed() throws {
    let job = JobCase.job(
      "tasks:\n- { id: a, download: '${item.url}', to: '${item.name}', items: { file: l.csv } }\n")
    let read = job.with { environment in
      environment.readItems = { path, format in
        #expect(path == "/jobs/l.csv")
        #expect(format == .csv)
        return .success([
          .init(columns: [(name: "url", value: "https://h/1"), (name: "name", value: "one")])
        ])
      }
    }
    let plan = try read.plan()
    #expect(plan.tasks.map(\.path) == ["/jobs/one"])
    #expect(plan.tasks.map(\.id) == ["a[https://h/1]"])
    JobCase.job("tasks:\n- { id: a, data: 'https://h/⟪${item.nam}⟫', items: [{ name: x }] }\n")
      .finds(.unknownPlaceholder, hint: "`name`")
  }

  @Test func unreadableItemsAreAnErrorInPlanAndAWarningInValidate() {
    let job = JobCase.job(
      "tasks:\n- { id: a, data: 'https://h/${item}', items: { file: ⟪l.txt⟫ } }\n")
    job.finds(.badItems)
    job.with { $0.mode = .validate }.finds(.badItems, .warning)
  }

  @Test func aNameStandsForAllCopies() throws {
    let plan = try JobCase.job(
      """
      tasks:
      - { id: last, data: 'https://h/', after: [a, b] }
      - { id: a, data: 'https://h/${matrix.n}', matrix: { n: [1, 2] } }
      - { id: b, data: 'https://h/', after: ['a[2]'] }
      """
    ).plan()
    #expect(plan.tasks[0].after == [1, 2, 3])
    #expect(plan.tasks[3].after == [2])
  }

  @Test(arguments: [
    ("matrix: { n: ⟪[]⟫ }", DiagnosticID.tooFew),
    ("matrix: { n: { from: 3, to: 1 } }", .outOfRange),
    ("matrix: { n: { from: 1, to: 9, format: ⟪'%x'⟫ } }", .badValue),
    ("matrix: { n: { from: 1, to: 99999999 } }", .tooManyTasks),
    ("matrix: { ⟪'9x'⟫: [1] }", .badName),
    ("⟪matrix⟫: { n: { from: 1, to: 9999 }, m: { from: 1, to: 9999 } }", .tooManyTasks),
    ("items: ⟪3⟫", .wrongType),
  ])
  func expansionsAreChecked(fields: String, id: DiagnosticID) {
    JobCase.task("data: 'https://h/', \(fields)").finds(id)
  }

  @Test func idsAreUniqueAfterExpansion() {
    JobCase.job(
      "tasks:\n- { id: a, data: 'https://h/' }\n- { id: ⟪a⟫, data: 'https://h/' }\n"
    ).finds(.duplicateID, path: "tasks[1].id")
    JobCase.job("tasks:\n- { id: ⟪a⟫, data: 'https://h/', items: [x, x] }\n").finds(.duplicateID)
  }

  @Test(arguments: ["a b", "a,b", "a[1]", ""])
  func idsAreChecked(id: String) {
    JobCase.job("tasks:\n- { id: ⟪'\(id)'⟫, data: 'https://h/' }\n").finds(.badValue)
  }
}

@Suite struct LinkTests {
  @Test func aChecksumFileThatIsATargetComesFirst() throws {
    let plan = try JobCase.job(
      """
      tasks:
      - { id: iso, download: 'https://h/i', to: d/, checksum: { file: d/SUMS } }
      - { id: sums, download: 'https://h/SUMS', to: d/ }
      """
    ).plan()
    #expect(plan.tasks[0].after == [1])
  }

  @Test func unknownTasksNameTheNearest() {
    JobCase.job(
      "tasks:\n- { id: fetch, data: 'https://h/' }\n"
        + "- { id: b, data: 'https://h/', after: [⟪fecth⟫] }\n"
    ).finds(.unknownTask, path: "tasks[1].after[0]", hint: "`fetch`")
  }

  @Test func circlesNameTheirPlaces() {
    let job = JobCase.job(
      """
      tasks:
      - { id: a, data: 'https://h/', after: [b] }
      - { id: b, data: 'https://h/', after: [⟪a⟫] }
      """)
    #expect(job.finds(.taskCircle, says: "a -> b -> a")?.notes.count == 1)
    JobCase.task("data: 'https://h/', after: [⟪a⟫]").finds(.taskCircle, says: "itself")
  }

  @Test(arguments: [
    ("x/f", "x/f", "both write"), ("x/f", "X/F", "case"), ("x", "x/f", "as a folder"),
    ("x/f", "x", "as a folder"), ("x/f", "/jobs/x/./f", "both write"), ("f", "./f", "both write"),
  ])
  func collisionsNameBothPlaces(first: String, second: String, says: String) {
    let job = JobCase.job(
      """
      tasks:
      - { id: a, download: 'https://h/1', to: \(first) }
      - { id: b, download: 'https://h/2', to: ⟪\(second)⟫ }
      """)
    #expect(job.finds(.collision, says: says)?.notes.first?.range.start.line == 3)
  }

  @Test func savedAnswersCollideToo() {
    JobCase.job(
      "tasks:\n- { id: a, download: 'https://h/1', to: x }\n"
        + "- { id: b, data: 'https://h/', save: ⟪x⟫ }\n"
    ).finds(.collision)
  }

  @Test func copiesThatWriteOneFileAreToldOnce() {
    JobCase.job(
      "tasks:\n- { id: a, download: 'https://h/${matrix.n}', to: ⟪x⟫, matrix: { n: [1, 2, 3] } }\n"
    ).finds(.collision, hint: "matrix")
  }

  @Test func differentFilesOfOneFolderAreFine() throws {
    let plan = try JobCase.job(
      """
      tasks:
      - { id: a, download: 'https://h/1', to: x/a }
      - { id: b, download: 'https://h/2', to: x/ab }
      - { id: c, download: 'https://h/2', to: x/a.d/c }
      """
    ).plan()
    #expect(plan.tasks.count == 3)
  }
}

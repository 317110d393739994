import JobSpec
import Testing
import TransferCore

@Suite struct ShapeTests {
  @Test func unknownKeyNamesTheNearest() {
    JobCase.job("⟪max_erors⟫: 3\ntasks: []\nallow_empty: true\n")
      .finds(.unknownKey, path: "max_erors", hint: "`max_errors`")
    JobCase.download("⟪chekcsum⟫: x").finds(
      .unknownKey, path: "tasks[0].chekcsum", hint: "`checksum`")
    JobCase.session("tls: { ⟪ca_fil⟫: x }").finds(.unknownKey, path: "sessions.s.tls.ca_fil")
  }

  @Test func ownKeysAreIgnoredAtEveryLevel() throws {
    let job = JobCase.job(
      """
      x-note: { any: [thing] }
      sessions: { x-base: 1, s: { x-a: 1, tls: { x-b: 2 } } }
      tasks:
      - { id: a, session: s, download: 'https://h/a', to: a, x-c: 3, expect: { x-d: 4 } }
      """)
    #expect(try job.plan().sessions.map(\.name) == ["s", "default"])
  }

  @Test func missingKeysAreTold() {
    JobCase("tasks: []\nallow_empty: true\n").finds(.missingKey, says: "`version`")
    JobCase("version: 1\n").finds(.missingKey, says: "`tasks`")
    JobCase.task("download: 'https://h/a'").finds(.missingKey, says: "`to`")
    JobCase.job("tasks:\n- ⟪⟫{ download: 'https://h/a', to: a }\n")
      .finds(.missingKey, path: "tasks[0]", says: "`id`")
    JobCase.task("session: default").finds(.missingKey, says: "download")
    JobCase.download("optional: {}").finds(.missingKey, path: "tasks[0].optional", says: "`on`")
  }

  @Test(arguments: [
    ("max_parallel: ⟪0⟫", DiagnosticID.outOfRange, "from 1 to 10000"),
    ("max_errors: ⟪many⟫", .wrongType, "a whole number"),
    ("max_errors: ⟪99999999999999999999⟫", .outOfRange, "a whole number"),
    ("allow_empty: ⟪[true]⟫", .wrongType, "not a list"),
    ("durability: ⟪bach⟫", .badValue, "batch, file or none"),
    ("deadline: ⟪-5s⟫", .badValue, "negative"),
    ("deadline: ⟪0⟫", .outOfRange, "longer than zero"),
    ("name: ⟪.hidden⟫", .badValue, "begins with a letter or digit"),
    ("timezone: ⟪Mars/Base⟫", .unknownTimezone, "time zone"),
    ("description: ⟪~⟫", .wrongType, "must be text"),
    ("description: ⟪{ a: 1 }⟫", .wrongType, "not a map"),
  ])
  func topLevelValuesAreChecked(line: String, id: DiagnosticID, says: String) {
    JobCase.job("\(line)\ntasks: { a: { download: 'https://h/a', to: a } }\n").finds(id, says: says)
  }

  @Test(arguments: ["yes", "on", "NO", "off"])
  func booleansAreTrueAndFalseAlone(word: String) {
    JobCase.download("overwrite: ⟪\(word)⟫").finds(.wrongType, hint: "YAML 1.2")
  }

  @Test func versionMustBeOne() {
    JobCase("version: ⟪2⟫\ntasks: []\nallow_empty: true\n").finds(.outOfRange, says: "must be 1")
  }

  @Test func textTakesNumbersAndBooleansAsWritten() throws {
    let plan = try JobCase.job(
      """
      name: 007
      vars: { v: 1.10, b: true }
      tasks:
      - { id: a, download: 'https://h/${vars.v}/${vars.b}', to: a, headers: { X-N: 01 } }
      """
    ).plan()
    #expect(plan.job.name == "007")
    #expect(plan.tasks[0].request.url.literal == "https://h/1.10/true")
    #expect(plan.tasks[0].request.headers.last?.value?.literal == "01")
    #expect(
      try JobCase.session("http_version: 2, tls: { minimum: 1.3 }").plan().sessions[0].tlsMinimum
        == .oneThree)
  }

  @Test func permissionBitsMustBeText() throws {
    JobCase.download("mode: ⟪0640⟫").finds(.wrongType, hint: "\"0640\"")
    JobCase.download("mode: ⟪\"0990\"⟫").finds(.badValue, says: "octal")
    #expect(try JobCase.download("mode: \"0640\"").download().mode == 0o640)
  }

  @Test func sizesWithoutBinaryOrDecimalAreRefused() {
    JobCase.download("max_bytes: ⟪10M⟫").finds(.badValue, path: "tasks[0].max_bytes", hint: "MiB")
  }

  @Test func allMistakesComeInLineOrder() {
    let diagnostics = JobCase.job(
      """
      max_parallel: 0
      tasks:
      - { id: a, download: 'https://h/a', to: ../a }
      - { id: b, download: 'h/a', to: b }
      allow_empty: maybe
      """
    ).planned.diagnostics
    #expect(diagnostics.map(\.range.start.line) == [2, 4, 5, 6])
  }

  @Test func tasksMayBeAMapOfIDs() throws {
    let plan = try JobCase.job("tasks:\n  a: { download: 'https://h/a', to: a }\n").plan()
    #expect(plan.tasks.map(\.id) == ["a"])
    JobCase.job("tasks:\n  a: { ⟪id⟫: b, download: 'https://h/a', to: a }\n").finds(.conflict)
    JobCase.job("tasks: ⟪3⟫\n").finds(.wrongType, path: "tasks")
  }

  @Test func headMayFollowTheTasks() throws {
    let plan = try JobCase(
      """
      tasks:
      - { id: a, download: '${vars.host}/a', to: a, session: s }
      sessions: { s: { max_connections_per_host: 2 } }
      vars: { host: 'https://h' }
      version: 1
      """
    ).plan()
    #expect(plan.tasks[0].request.url.literal == "https://h/a")
    #expect(plan.sessions[0].maxConnectionsPerHost == 2)
  }

  @Test func anEmptyJobIsAnErrorUnlessAllowed() throws {
    JobCase.job("⟪tasks⟫: []\n").finds(.noTasks, hint: "allow_empty")
    #expect(try JobCase.job("tasks: []\nallow_empty: true\n").plan().tasks.isEmpty)
    JobCase.job("⟪tasks⟫:\n- { id: a, data: 'https://h/${item}', items: [] }\n").finds(.noTasks)
  }

  @Test func settingsAreRead() throws {
    let plan = try JobCase.job(
      """
      root: ../mirror
      durability: file
      max_errors: 3
      deadline: 1h
      max_parallel: 4
      on_failure: stop
      timezone: UTC
      state: st
      log: ~/log.jsonl
      secrets: { a: { env: A }, f: { file: key }, c: { credential: x }, p: { command: [pass, a] } }
      tasks: { a: { download: 'https://h/a', to: a } }
      """
    ).plan()
    #expect(plan.job.root == "/mirror")
    #expect(plan.settings.durability == .file)
    #expect(plan.settings.maxErrors == 3)
    #expect(plan.settings.deadline == .seconds(3600))
    #expect(plan.settings.maxParallel == 4)
    #expect(plan.settings.onFailure == .stop)
    #expect(plan.settings.timezone == "UTC")
    #expect(plan.settings.stateFolder == "/jobs/st")
    #expect(plan.settings.logPath == "/home/me/log.jsonl")
    #expect(
      plan.secrets == [
        "a": .environment("A"), "f": .file("/jobs/key"), "c": .credential("x"),
        "p": .command(["pass", "a"]),
      ])
  }

  @Test func nameIsTheFilesUnlessSaid() throws {
    #expect(try JobCase.download("optional: true").plan().job.name == "nightly")
    let odd = JobCase.download("optional: true").with { $0.jobFile = "/jobs/my job.yml" }
    #expect(try odd.plan().job.name == "my-job")
    #expect(
      try JobCase.job("name: x\ntasks: { a: { data: 'https://h/' } }\n").plan().job.name == "x")
  }
}

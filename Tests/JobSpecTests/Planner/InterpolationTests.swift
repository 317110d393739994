import JobSpec
import Testing
import TransferCore

@Suite struct InterpolationTests {
  private func url(_ text: String, head: String = "") throws -> PlanText {
    try JobCase.job(
      "\(head)tasks:\n- { id: a, download: \"https://h/\(text)\", to: a }\n"
    ).onlyTask().request.url
  }

  @Test(arguments: [
    ("${env.SET}", "here"), ("${env.NOPE:-fall}", "fall"), ("${env.EMPTY:-fall}", "fall"),
    ("${env.EMPTY}", ""), ("${env.NOPE:-}", ""), ("${job.name}", "nightly"),
    ("${job.dir}", "/jobs"), ("${run.id}", "run-7"), ("${run.date}", "2026-01-31"),
    ("${run.time:%Y%m%d%H}", "2026013102"), ("${run.time-1h:%Y%m%d%H}", "2026013101"),
    ("${run.time+1d:%F}", "2026-02-01"), ("$$", "$"), ("$${X}", "${X}"), ("a$b", "a$b"),
    ("5$", "5$"), ("$$$$", "$$"), ("${run.time:%a-%b-%j-%I%p}", "Sat-Jan-031-02AM"),
    ("${run.time:%G-W%V-%u}", "2026-W05-6"), ("${run.time:%s%%}", "1769826615%"),
  ])
  func placeholdersAreFilledIn(text: String, expected: String) throws {
    #expect(try url(text).literal == "https://h/" + expected)
  }

  @Test func valuesAreEncodedAsAsked() throws {
    let head = "vars: { v: 'a b/c?d%é' }\n"
    #expect(try url("${vars.v|path}", head: head).literal == "https://h/a%20b/c%3Fd%25%C3%A9")
    #expect(
      try url("?q=${vars.v|query}", head: head).literal == "https://h/?q=a%20b%2Fc%3Fd%25%C3%A9")
    JobCase.job("vars: { v: x }\ntasks:\n- { id: a, data: 'https://h/⟪${vars.v|html}⟫' }\n")
      .finds(.badPlaceholder, hint: "|path or |query")
  }

  @Test func timesAreInTheJobsTimezone() throws {
    #expect(
      try url("${run.time:%H%z}", head: "timezone: Asia/Tokyo\n").literal == "https://h/11+0900")
  }

  @Test func varsMayReferToOthers() throws {
    let head = "vars: { a: '${vars.b}-${env.SET}', b: '${job.name}' }\n"
    #expect(try url("${vars.a}", head: head).literal == "https://h/nightly-here")
    JobCase.job("vars: { a: '${vars.b}', b: '⟪${vars.a}⟫' }\ntasks: []\nallow_empty: true\n")
      .finds(.placeholderCircle, says: "vars.a -> vars.b -> vars.a")
  }

  @Test func overridesReplaceVars() throws {
    let job = JobCase.job(
      "vars: { v: 1 }\ntasks:\n- { id: a, download: 'https://h/${vars.v}', to: a }\n")
    let url = try job.with { $0.variables = ["v": "2"] }.onlyTask().request.url
    #expect(url.literal == "https://h/2")
    job.with { $0.variables = ["w": "2"] }.finds(.unknownOverride, says: "w")
  }

  @Test(arguments: [
    ("${vars.hots}", DiagnosticID.unknownPlaceholder, "`host`"),
    ("${secrets.tokn}", .unknownPlaceholder, "`token`"),
    ("${matrix.n}", .unknownPlaceholder, ""), ("${item}", .unknownPlaceholder, ""),
    ("${item.url}", .unknownPlaceholder, ""), ("${host}", .badPlaceholder, "`${vars.host}`"),
    ("${var.host}", .badPlaceholder, "`vars`"), ("${}", .badPlaceholder, ""),
    ("${vars.}", .badPlaceholder, ""), ("${job.path}", .badPlaceholder, "job.dir"),
    ("${run.now}", .badPlaceholder, "run.date"), ("${run.time:%Q}", .badPlaceholder, "%Y"),
    ("${run.time:}", .badPlaceholder, ""), ("${run.time-x:%F}", .badPlaceholder, "run.time-1h"),
    ("${env.A:x}", .badPlaceholder, ":-"), ("${tasks.a}", .badPlaceholder, "tasks.ID.NAME"),
  ])
  func unknownNamesAreErrorsWithTheirPlace(text: String, id: DiagnosticID, hint: String) {
    JobCase.job(
      """
      vars: { host: h }
      secrets: { token: { env: T } }
      tasks:
      - { id: a, download: 'https://h/⟪\(text)⟫/${vars.host}${secrets.token}', to: a }
      """
    ).finds(id, path: "tasks[0].download", hint: hint)
  }

  @Test func anOpenPlaceholderIsAnError() {
    JobCase.task("data: 'https://h/${vars.x'").finds(.badPlaceholder, hint: "$${")
  }

  @Test func unsetVariablesAreWarningsInValidateAndErrorsInPlan() throws {
    let job = JobCase.task("download: 'https://h/⟪${env.NOPE}⟫', to: x")
    job.finds(.unsetVariable)
    job.with { $0.mode = .validate }.finds(.unsetVariable, .warning, path: "tasks[0].download")
  }

  @Test func unknownValuesAreNotCheckedInValidate() throws {
    let job = JobCase.task(
      "download: '${env.NOPE}', to: '${env.NOPE}', timeout_for_request: '${env.NOPE}'")
    let planned = job.with { $0.mode = .validate }.planned
    #expect(planned.diagnostics.allSatisfy { $0.severity == .warning })
    #expect(planned.plan != nil)
  }

  @Test func resultIsReadAsTheFieldsType() throws {
    let job = JobCase.job(
      """
      vars: { t: 90s, n: 5, yes: 'true', list: '[1, 2]' }
      tasks:
      - id: a
        download: https://h/a
        to: ${vars.list}
        timeout_for_request: ${vars.t}
        overwrite: ${vars.yes}
        max_bytes: ${vars.n}
      """)
    let download = try job.download()
    #expect(download.path == "/jobs/[1, 2]")
    #expect(download.maxBytes == 5)
    #expect(try job.plan().policies[job.onlyTask().policy].timeoutForRequest == .seconds(90))
    JobCase.job(
      "vars: { t: soon }\n"
        + "tasks:\n- { id: a, data: 'https://h/', timeout_for_request: ⟪'${vars.t}'⟫ }\n"
    ).finds(.badValue, path: "tasks[0].timeout_for_request", says: "soon")
  }

  @Test func keysAreNotFilledIn() {
    JobCase.task("data: 'https://h/', ⟪'${vars.x}'⟫: 1").finds(.unknownKey)
  }

  @Test func secretsStayReferences() throws {
    let head = "secrets: { t: { env: T } }\nvars: { auth: 'Bearer ${secrets.t}' }\n"
    #expect(
      try url("?k=${secrets.t|query}", head: head).pieces
        == [.literal("https://h/?k="), .secret(name: "t", encoding: .query)])
    let task = try JobCase.job(
      head + "tasks:\n- { id: a, data: 'https://h/', headers: { X-T: '${vars.auth}' } }\n"
    ).onlyTask()
    #expect(
      task.request.headers.last?.value?.pieces
        == [.literal("Bearer "), .secret(name: "t", encoding: nil)])
  }

  @Test(arguments: [
    "download: 'https://h/a', to: ⟪'${secrets.t}'⟫", "data: 'https://h/', save: '⟪${secrets.t}⟫'",
    "data: 'https://h/', method: '⟪${secrets.t}⟫'", "data: 'https://h/', session: '⟪${secrets.t}⟫'",
    "upload: '⟪${secrets.t}⟫', to: 'https://h/'",
    "download: 'https://h/a', to: a, timeout_for_request: '⟪${secrets.t}⟫'",
    "data: 'https://h/', after: ['⟪${secrets.t}⟫']",
  ])
  func secretsCantStandWhereValuesAreStored(fields: String) {
    JobCase.job("secrets: { t: { env: T } }\ntasks:\n- { id: a, \(fields) }\n")
      .finds(.secretNotAllowed)
  }

  @Test func aFileNameCantHoldASecretOfItsAddress() {
    JobCase.job(
      "secrets: { t: { env: T } }\n"
        + "tasks:\n- { id: a, download: 'https://h/${secrets.t}', to: ⟪d/⟫ }\n"
    ).finds(.secretNotAllowed, path: "tasks[0].to", hint: "after the folder")
  }

  @Test func jsonTakesSecretsEscaped() throws {
    let task = try JobCase.job(
      """
      secrets: { t: { env: T } }
      tasks:
      - id: a
        data: https://h/
        method: POST
        json: { s: "a${secrets.t}\\"", n: 1.10, z: 01, b: true, l: [~, 'x'], env: '${env.SET}' }
      """
    ).onlyTask()
    guard case .text(let body, let type)? = task.request.body else { throw JobCase.NotADownload() }
    #expect(type == "application/json")
    #expect(
      body.pieces == [
        .literal(#"{"s":"a"#), .secret(name: "t", encoding: .json),
        .literal(#"\"","n":1.10,"z":1,"b":true,"l":[null,"x"],"env":"here"}"#),
      ])
  }

  @Test func capturesAreLaterButChecked() {
    let head = "tasks:\n- { id: tag, data: 'https://h/', capture: { v: { header: X } } }\n"
    let good = JobCase.job(
      head + "- { id: a, data: 'https://h/${tasks.tag.v}' }\n"
    ).planned
    #expect(good.plan?.tasks[1].after == [0])
    #expect(good.plan?.unavailable.contains { $0.what == "captures" } == true)
    JobCase.job(head + "- { id: a, data: 'https://h/⟪${tasks.tag.w}⟫' }\n")
      .finds(.unknownPlaceholder, says: "captures no `w`")
    JobCase.job(head + "- { id: a, data: 'https://h/⟪${tasks.tga.v}⟫' }\n")
      .finds(.unknownTask, hint: "`tag`")
    JobCase.job("vars: { v: '⟪${tasks.a.b}⟫' }\ntasks: []\nallow_empty: true\n")
      .finds(.captureNotAllowed)
  }
}

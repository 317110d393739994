import JobSpec
import Testing
import TransferCore

@Suite struct TaskPlanTests {
  @Test func aDownloadCarriesItsFields() throws {
    let job = JobCase.download(
      """
      checksum: ['sha256:\(String(repeating: "AB", count: 32))', { file: sums, algorithm: md5 }],
      max_bytes: 1 MiB, overwrite: false, allow_unframed: true, keep_mtime: false, priority: high,
      expected_bytes: 10, optional: { on: [404, 410] },
      expect: { status: [200, 3xx], content_type: Text/HTML, size: 12 }
      """)
    let task = try job.onlyTask()
    let download = try job.download()
    #expect(download.path == "/jobs/a")
    #expect(download.beneathRoot)
    #expect(
      download.checksums == [
        .inline(.sha256, value: String(repeating: "ab", count: 32)),
        .file("/jobs/sums", algorithm: .md5),
      ])
    #expect(download.maxBytes == 1_048_576)
    #expect(!download.overwrites && download.allowsUnframed && !download.keepsModificationTime)
    #expect(task.priority == 0.75)
    #expect(task.expectedBytes == 10)
    #expect(task.optional == .statuses([404, 410]))
    #expect(task.expect.status == [.exactly(200), .family(3)])
    #expect(task.expect.contentType == "text/html")
    #expect(task.expect.size == 12)
    #expect(task.request.method == "GET")
    #expect(task.line == 3)
  }

  @Test func uploadsSendFilesFormsAndTexts() throws {
    func request(_ fields: String) throws -> RequestPlan {
      try JobCase.task(fields + ", to: 'https://h/x'").onlyTask().request
    }
    let file = try request("upload: ~/r.csv")
    #expect(file.method == "PUT")
    guard case .file("/home/me/r.csv", contentType: nil)? = file.body else {
      throw JobCase.NotADownload()
    }
    let form = try request(
      "upload: { form: [{ name: a, value: 1 }, { name: f, file: x.bin, filename: y }] }")
    #expect(form.method == "POST")
    guard case .form(let parts)? = form.body, parts.count == 2,
      case .file("/jobs/x.bin", filename: "y") = parts[1].content
    else { throw JobCase.NotADownload() }
    let text = try request("upload: { body: hello }, method: PATCH, if_none_match: '*'")
    #expect(text.method == "PATCH")
    #expect(
      text.headers.last == HeaderField(name: "If-None-Match", value: PlanText("*"), scope: .origin))
    guard case .text(let body, contentType: "text/plain; charset=utf-8")? = text.body else {
      throw JobCase.NotADownload()
    }
    #expect(body.literal == "hello")
  }

  @Test func dataTasksAreReadWhole() throws {
    let task = try JobCase.task(
      "data: 'https://h/', method: POST, body: { file: b }, decode: false, max_bytes: 5, save: s/x"
    ).onlyTask()
    guard case .data(let data) = task.work,
      case .file("/jobs/b", contentType: "application/octet-stream")? = task.request.body
    else { throw JobCase.NotADownload() }
    #expect(data.maxBytes == 5)
    #expect(data.savePath == "/jobs/s/x")
    #expect(!task.request.decodes)
    guard case .data(let usual) = try JobCase.task("data: 'https://h/'").onlyTask().work else {
      throw JobCase.NotADownload()
    }
    #expect(usual.maxBytes == 16 * 1_048_576)
  }

  @Test func aTasksOwnFieldsAreLaidOverItsSessions() throws {
    let plan = try JobCase.job(
      """
      sessions: { s: { timeout_for_request: 5s, retry: { attempts: 2 }, redirects: { max: 7 } } }
      defaults: { session: s }
      tasks:
      - { id: a, data: 'https://h/', retry: { backoff: 9s }, redirects: { follow: never } }
      - { id: b, data: 'https://h/' }
      - { id: c, data: 'https://h/', cache_policy: return_cache_data_dont_load }
      - { id: d, data: 'https://h/', retry: { backoff: 9s }, redirects: { follow: never } }
      """
    ).plan()
    let own = plan.policies[plan.tasks[0].policy]
    #expect(own.timeoutForRequest == .seconds(5))
    #expect(own.retry.attempts == 2 && own.retry.backoff == .seconds(9))
    #expect(own.redirects.max == 7 && own.redirects.follow == .never)
    #expect(plan.policies[plan.tasks[1].policy].retry.backoff == .seconds(1))
    #expect(plan.policies[plan.tasks[2].policy].cachePolicy == .returnCacheDataDontLoad)
    #expect(plan.tasks[3].policy == plan.tasks[0].policy)
    #expect(plan.policies.count == 3)
  }

  @Test func defaultsAreForTheKindsThatTheyFit() throws {
    let plan = try JobCase.job(
      """
      defaults: { keep_mtime: false, method: POST, optional: true, to: d/ }
      tasks:
      - { id: a, download: 'https://h/x', optional: false }
      - { id: b, data: 'https://h/' }
      """
    ).plan()
    guard case .download(let download) = plan.tasks[0].work else { throw JobCase.NotADownload() }
    #expect(!download.keepsModificationTime)
    #expect(download.path == "/jobs/d/x")
    #expect(plan.tasks[0].optional == .never)
    #expect(plan.tasks[1].request.method == "POST")
    JobCase.job("defaults: { ⟪id⟫: a }\ntasks: []\nallow_empty: true\n").finds(.conflict)
    JobCase.job("defaults: { ⟪chekcsum⟫: a }\ntasks: []\nallow_empty: true\n")
      .finds(.unknownKey, path: "defaults.chekcsum")
  }

  @Test(arguments: [
    ("download: 'https://h/a', to: a, ⟪data⟫: 'https://h/'", DiagnosticID.conflict),
    ("data: 'https://h/', ⟪checksum⟫: 'md5:\(String(repeating: "0", count: 32))'", .wrongKind),
    ("data: 'https://h/', ⟪to⟫: x", .wrongKind),
    ("download: 'https://h/a', to: a, ⟪method⟫: POST", .wrongKind),
    ("data: 'https://h/', method: ⟪'P UT'⟫", .badValue),
    ("data: 'https://h/', ⟪body⟫: x, json: {}, method: POST", .conflict),
    ("upload: x, to: 'https://h/', ⟪body⟫: y", .conflict),
    ("upload: x, to: ⟪reports/⟫", .badAddress), ("upload: x", .missingKey),
    ("upload: ⟪{ form: [{ name: a, value: b }], body: c }⟫, to: 'https://h/'", .conflict),
    ("upload: { form: [⟪{ name: a }⟫] }, to: 'https://h/'", .conflict),
    ("upload: { form: ⟪[]⟫ }, to: 'https://h/'", .tooFew),
    ("data: 'https://h/', session: ⟪wbe⟫", .unknownSession),
    ("data: 'https://h/', priority: ⟪2⟫", .badValue),
    ("data: 'https://h/', priority: ⟪hihg⟫", .badValue),
    ("data: 'https://h/', expect: { status: ⟪2xy⟫ }", .badValue),
    ("data: 'https://h/', if_match: ⟪abc⟫", .badValue),
    ("data: 'https://h/', save: ⟪x/⟫", .noFileName),
    ("data: 'https://h/', capture: { v: ⟪{ json: /a, header: b }⟫ }", .conflict),
    ("data: 'https://h/', between: ⟪'25:00-26:00'⟫", .badValue),
    ("data: 'https://h/', earliest_begin: ⟪'2026-02-30T00:00:00Z'⟫", .badValue),
    ("data: 'https://h/', after: ⟪x⟫", .wrongType),
    ("data: 'https://h/', after: [⟪x⟫]", .unknownTask),
    ("download: 'https://h/a', to: a, checksum: ⟪'sha256:ab'⟫", .badValue),
    ("download: 'https://h/a', to: a, checksum: ⟪'sha265:ab'⟫", .badValue),
    ("download: 'https://h/a', to: a, checksum: ⟪abcd⟫", .badValue),
    ("download: 'https://h/a', to: a, expect: { ⟪body_contains⟫: x }", .wrongKind),
    ("download: 'https://h/a', to: ⟪'https://h/a'⟫", .badValue),
    ("download: 'https://h/a', to: ⟪../a⟫", .leavesRoot),
    ("download: 'https://h/a', to: ⟪a/../../b⟫", .leavesRoot),
    ("download: 'https://h/', to: ⟪a/⟫", .noFileName),
    ("download: 'https://h', to: ⟪./⟫", .noFileName),
    ("download: ⟪[]⟫, to: a", .tooFew),
  ])
  func tasksAreChecked(fields: String, id: DiagnosticID) {
    JobCase.task(fields).finds(id)
  }

  @Test(arguments: [
    ("h.example/a", DiagnosticID.badAddress), ("/etc/passwd", .badAddress),
    ("http:/h/a", .badAddress),
    ("https:///a", .badAddress), ("https://h/a b", .badAddress), ("https://h:0/", .badAddress),
    ("https://h:99999/", .badAddress), ("https://h:x/", .badAddress), ("https://::1/", .badAddress),
    ("https://[::1/", .badAddress), ("https://u:p@h/", .userInAddress),
    ("https://u@h/", .userInAddress),
    ("file://host/a", .badAddress), ("gopher://h/a", .schemeNotAllowed),
    ("htps://h/a", .schemeNotAllowed),
  ])
  func addressesAreChecked(text: String, id: DiagnosticID) {
    JobCase.task("data: ⟪'\(text)'⟫").finds(id, path: "tasks[0].data")
  }

  @Test func userInfoIsNotShown() {
    let found = JobCase.task("data: ⟪'https://me:hunter2@h/'⟫")
      .finds(.userInAddress, hint: "credentials")
    #expect(found?.message.contains("hunter2") == false)
  }

  @Test(arguments: [
    "https://h", "https://h/", "HTTPS://h/x", "https://[::1]:8443/x", "https://h:443/?q=a#f",
    "file:///etc/hosts", "http://h/%20", "https://bücher.example/é",
  ])
  func goodAddressesPass(text: String) throws {
    #expect(try JobCase.task("data: '\(text)'").onlyTask().request.url.literal == text)
  }

  @Test func sessionsMayNarrowTheSchemes() {
    JobCase.job(
      "sessions: { default: { protocols: [https] } }\ntasks: { a: { data: ⟪'http://h/'⟫ } }\n"
    ).finds(.schemeNotAllowed, hint: "protocols")
  }

  @Test func aBodyWithGetIsWarnedOf() {
    JobCase.task("data: 'https://h/', ⟪body⟫: x").finds(.bodyWithGet, .warning, hint: "POST")
  }

  @Test func aFileAddressHasNoStatus() {
    JobCase.task("data: 'file:///x', expect: { status: ⟪200⟫ }").finds(.noStatus, .warning)
  }

  @Test(arguments: [
    ("a", "/jobs/a", true), ("./a//b/./c", "/jobs/a/b/c", true), ("d/", "/jobs/d/x y.bin", true),
    ("a/../b", "/jobs/b", true), ("/srv/../a", "/a", false), ("~/a", "/home/me/a", false),
    (".", "/jobs/x y.bin", true), ("/srv/", "/srv/x y.bin", false),
  ])
  func targetsAreMadeAbsolute(to: String, path: String, isBeneath: Bool) throws {
    let job = JobCase.task("download: 'https://h/p/x%20y.bin?q=/z', to: '\(to)'")
    let download = try job.download()
    #expect(download.path == path)
    #expect(download.beneathRoot == isBeneath)
  }

  @Test func rootMayBeOverridden() throws {
    let job = JobCase.download("optional: true").with { $0.root = "out" }
    #expect(try job.download().path == "/desk/out/a")
  }

  @Test(arguments: [
    ("a.bin", "a.bin"), ("%2e%2e%2fetc", "_._etc"), ("..%2f..", "_._.."), ("%00a", "_a"),
    (".bashrc", "_bashrc"), ("%2E%2E", nil), ("con.txt", "_con.txt"), ("a%E2%80%AEb", "a_b"),
    ("", nil), ("%41%zz", "A%zz"), ("caf%C3%A9", "café"), ("a%5Cb", "a_b"),
  ])
  func namesFromAddressesAreMadeSafe(segment: String, name: String?) {
    #expect(SafeFileName.name(ofSegment: segment) == name)
  }

  @Test func longNamesAreCutAtTheirStem() {
    let name = SafeFileName.safe(String(repeating: "é", count: 200) + ".tar")
    #expect(name?.utf8.count ?? 0 <= 255)
    #expect(name?.hasSuffix(".tar") == true)
  }
}

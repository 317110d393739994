import JobSpec
import Testing
import TransferCore

@Suite struct LaterTests {
  @Test(arguments: [
    "name: server",
    "hooks: { on_finish: { run: [x] } }",
    "allows_cellular_access: false", "waits_for_connectivity: true", "between: '01:00-05:00'",
    "earliest_begin: '2026-01-31T02:30:00Z'",
  ])
  func aLaterFieldIsANoteAndMakesThePlanUnavailable(fields: String) {
    let planned = JobCase.download(fields).planned
    #expect(planned.plan?.unavailable.count == 1)
    #expect(planned.diagnostics.map(\.severity) == [.note])
    #expect(planned.diagnostics.map(\.id) == ["not-in-this-version"])
    let path = "tasks[0]." + fields.prefix { $0 != ":" }
    #expect(planned.plan?.unavailable.first?.path == path)
    #expect(planned.plan?.unavailable.first?.line == 3)
  }

  @Test(arguments: [
    "segments: 1", "allows_cellular_access: true", "waits_for_connectivity: false",
    "network_service_type: default",
  ])
  func aDefaultNeedsNothing(fields: String) {
    #expect(JobCase.download(fields).planned.diagnostics.isEmpty)
  }

  @Test(arguments: [
    "cookies: { storage: shared, should_set: true }",
    "cache: { memory_capacity: 524288, disk_capacity: 256 MiB, storage: shared }",
    "unknown_network: allow", "http_version: 2", "proxy: none", "discretionary: false",
  ])
  func aSessionsDefaultNeedsNothing(fields: String) {
    #expect(JobCase.session(fields).planned.diagnostics.isEmpty)
  }

  @Test(arguments: [
    "http_version: '3'", "cache: { memory_capacity: 1 MiB }",
    "handlers: { x: { command: [y] } }",
    "unknown_network: deny", "type: background, identifier: i, discretionary: true",
  ])
  func aSessionsLaterFieldCountsWhenATaskUsesIt(fields: String) {
    let used = JobCase.session(fields).planned
    #expect(used.plan?.unavailable.count == 1)
    let unused = JobCase.job(
      "sessions: { s: { \(fields) } }\ntasks: { a: { data: 'https://h/' } }\n"
    ).planned
    #expect(unused.plan?.unavailable.isEmpty == true)
    #expect(unused.diagnostics.contains { $0.id == "not-in-this-version" && $0.severity == .note })
  }

  @Test func aLaterFieldWithinAListIsFound() {
    let field = "credentials: [{ for: { host: h, protocol: sftp }, user: u, ssh_key: k }]"
    for planned in [JobCase.download(field).planned, JobCase.session(field).planned] {
      #expect(planned.plan?.unavailable.map(\.what) == ["keys for SFTP"])
      #expect(planned.plan?.unavailable.first?.path.hasSuffix("credentials[0].ssh_key") == true)
    }
  }

  @Test func anExtendingSessionInheritsWhatIsLater() {
    func unavailable(_ own: String) -> Int? {
      JobCase.job(
        """
        sessions: { a: { allows_cellular_access: false }, b: { extends: a\(own) } }
        tasks: { t: { session: b, data: 'https://h/' } }
        """
      ).planned.plan?.unavailable.count
    }
    #expect(unavailable("") == 1)
    #expect(unavailable(", allows_cellular_access: true") == 0)
  }

  @Test(arguments: [
    ("download: 'ftp://h/1', to: x", "ftp addresses"),
    ("mirror: 'https://h/', to: x/", "mirror tasks"),
    ("upload: x, to: 'https://h/', resumable: tus", "resumable uploads"),
    ("upload: x, to: 'https://h/', only_changed: true", "only_changed"),
    ("data: 'https://h/', capture: { v: { json: /a } }", "captures"),
    ("data: 'https://h/', becomes_download: { to: x }", "becomes_download"),
  ])
  func whatATaskNeedsIsNamed(fields: String, what: String) {
    #expect(JobCase.task(fields).planned.plan?.unavailable.map(\.what) == [what])
  }

  @Test(arguments: [
    ("hooks: { on_finish: { run: [x] } }", "hooks"), ("metrics: m.prom", "node_exporter metrics"),
    ("rate_limit: { schedule: [{ between: '22:00-06:00' }] }", "timetables of rates"),
    ("state: 'postgresql://h/d'", "state in PostgreSQL"),
  ])
  func theTopLevelCountsAlways(line: String, what: String) {
    let planned = JobCase.job("\(line)\ntasks: { a: { data: 'https://h/' } }\n").planned
    #expect(planned.plan?.unavailable.map(\.what) == [what])
  }
}

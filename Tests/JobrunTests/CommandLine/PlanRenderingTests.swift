import Testing
import TransferCore

@testable import jobrun

@Suite struct PlanRenderingTests {
  private let plain = Style(option: "never", environment: { _ in nil }, isTerminal: false)

  private func table(_ report: PlanReport, width: Int = 80) -> String {
    PlanTable(report: report, style: plain, width: width).text
  }

  @Test func theTableTellsWhatWhereAndWhy() {
    let report = SamplePlan.report(["https_proxy": "http://me:pw@proxy:3128"])
    #expect(
      table(report) == """
        nightly: 4 tasks: 2 fetch, 1 revalidate, 1 upload
        Root: /srv/mirror

        revalidate  release  dists/Release
                    it may have changed; from https://deb.example.org/dists/Release
        fetch       iso[1]  cd/disc-1.iso
                    no file is here yet; from https://deb.example.org/cd/disc-1.iso
        fetch       iso[2]  cd/disc-2.iso
                    no file is here yet; from https://deb.example.org/cd/disc-2.iso
        upload      publish  PUT https://drop.example.org/***/r.csv
                    not sent yet

        By:
          session web: proxy http://***@proxy:3128 (https_proxy), 3 tasks
          session quiet: no proxy (the session says proxy: none), 1 task

        """)
  }

  @Test func manyCopiesAreToldTogether() {
    let text = table(SamplePlan.report(copies: 2000))
    #expect(text.contains("fetch       iso[...]  2000 tasks\n"))
    #expect(text.contains("            no file is here yet; iso[1] to iso[2000]\n"))
    #expect(text.split(separator: "\n").count < 15)
  }

  @Test func aResumedFileTellsWhereItGoesOn() {
    var report = SamplePlan.report()
    report.tasks[1] = PlannedTask(
      task: 1, action: .resume, reason: "a part file is here", fromByte: 4_194_304)
    #expect(
      table(report).contains("resume      iso[1]  cd/disc-1.iso from byte 4194304 (4.0 MiB)\n"))
  }

  @Test func longNamesGetALineOfTheirOwn() {
    for line in table(SamplePlan.report(), width: 40).split(separator: "\n") {
      #expect(
        line.count <= 40 || line.contains("https://") || line.contains("session")
          || line.contains("tasks"), "\(line)")
    }
  }

  @Test func foreignTextCannotRedrawTheTerminal() {
    var report = SamplePlan.report()
    report.plan.tasks[0].id = "a\u{1B}[2Jb"
    #expect(!table(report).contains("\u{1B}"))
  }

  private static let json = """
    {
      "schema": 1,
      "job": "nightly",
      "tasks": [
        {
          "id": "release",
          "session": "web",
          "kind": "download",
          "action": "revalidate",
          "reason": "it may have changed",
          "method": "GET",
          "url": "https://deb.example.org/dists/Release",
          "path": "/srv/mirror/dists/Release",
          "cookies": {
            "jar": "memory",
            "count": 0
          },
          "after": [],
          "priority": 0.5
        },
        {
          "id": "iso[1]",
          "session": "web",
          "kind": "download",
          "action": "fetch",
          "reason": "no file is here yet",
          "method": "GET",
          "url": "https://deb.example.org/cd/disc-1.iso",
          "path": "/srv/mirror/cd/disc-1.iso",
          "checksum": [
            "sha256:00ff",
            "file:/srv/mirror/SHA256SUMS"
          ],
          "cookies": {
            "jar": "memory",
            "count": 0
          },
          "after": [
            "release"
          ],
          "priority": 0.8
        },
        {
          "id": "publish",
          "session": "quiet",
          "kind": "upload",
          "action": "upload",
          "reason": "not sent yet",
          "method": "PUT",
          "url": "https://drop.example.org/***/r.csv",
          "proxy_reason": "the session says proxy: none",
          "cookies": {
            "jar": "memory",
            "count": 0
          },
          "after": [],
          "priority": 0.5
        }
      ],
      "interfaces": []
    }

    """

  @Test func theJSONHasAFixedOrderAndLeavesOutWhatIsNotThere() {
    let bytes = PlanJSON.bytes(SamplePlan.report(copies: 1))
    #expect(String(decoding: bytes, as: UTF8.self) == Self.json)
  }

  @Test func onlyKeepAndSkipAreNothingToDo() {
    var report = SamplePlan.report()
    #expect(report.hasWork)
    report.tasks = [
      PlannedTask(task: 0, action: .keep, reason: ""),
      PlannedTask(task: 1, action: .skip, reason: ""),
    ]
    #expect(!report.hasWork)
    report.tasks[0].action = .revalidate
    #expect(report.hasWork)
  }
}

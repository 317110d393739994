import Glibc
import Testing
import TransferCore

@testable import jobrun

/// What a run tells on standard error.
@Suite struct RunReportingTests {
  private let plan = SamplePlan.make()
  private let plain = Style(option: "never", environment: { _ in nil }, isTerminal: false)

  private func result(
    _ task: Int32, _ outcome: Outcome, _ change: (inout TaskResult) -> Void = { _ in }
  ) -> TaskResult {
    let url = ShownAddress.withoutUserInfo(plan.tasks[Int(task)].request.url.shown)
    var result = TaskResult(task: task, outcome: outcome, originalURL: url, currentURL: url)
    result.attempts = 1
    change(&result)
    return result
  }

  private func line(_ result: TaskResult) -> String {
    TaskLine(plan: plan, style: plain).text(result)
  }

  @Test func linesOfSuccess() {
    let done = result(1, .done) {
      $0.path = "/srv/mirror/cd/disc-1.iso"
      $0.bytesReceived = 10_485_760
      $0.bytesResumed = 2_097_152
      var step = Transaction(url: $0.currentURL)
      step.fetchStart = WallTime(microseconds: 0)
      step.responseEnd = WallTime(microseconds: 2_000_000)
      $0.transactions = [step]
    }
    #expect(
      line(done)
        == "done       iso[1]  cd/disc-1.iso (10.0 MiB, 5.0 MiB/s, 2.0 MiB were here already)")
    let same = result(0, .unchanged) {
      $0.path = "/srv/mirror/dists/Release"
      $0.reason = "304 Not Modified"
    }
    #expect(line(same) == "unchanged  release  dists/Release (304 Not Modified)")
    let sent = result(3, .done) {
      $0.status = 201
      $0.bytesSent = 2048
    }
    #expect(
      line(sent)
        == "done       publish  https://drop.example.org/***/r.csv (201 Created, 2.0 KiB sent)")
  }

  @Test(arguments: [(503, "server's own"), (413, "uploads"), (403, "refuses"), (404, "address")])
  func theWayOutFitsTheStatus(status: Int, words: String) {
    let failed = result(1, .failed) {
      $0.failure = TransferFailure(.status, "the server answered", status: status)
    }
    #expect(line(failed).contains(words), "\(line(failed))")
  }

  /// Of several addresses the one that brought the file, and not the first.
  @Test func detailsNameTheAddressThatServed() {
    let done = result(1, .done) {
      $0.transactions = ["http://dead.example/a", "http://m.example/a", "http://m2.example/b"].map {
        Transaction(url: $0)
      }
      $0.redirects = [.init(status: 302, url: "http://m2.example/b")]
    }
    #expect(TaskDetail.lines(done).first?.hasSuffix("from http://m.example/a") == true)
  }

  @Test func aFailureTellsWhatWhereAndWhatToDo() {
    let failed = result(1, .failed) {
      $0.failure = TransferFailure(.status, "the server answered 404 Not Found", status: 404)
      $0.attempts = 3
    }
    #expect(
      line(failed) == """
        failed     iso[1]  the server answered 404 Not Found, after 3 tries [status]
                   https://deb.example.org/cd/disc-1.iso
                   check the address; expect.status accepts other answers
        """)
    let local = result(1, .failed) {
      $0.failure = TransferFailure(.localFile, "a folder stands at /x; end `to` with /")
    }
    #expect(
      line(local) == "failed     iso[1]  a folder stands at /x; end `to` with / [local_file]")
    let optional = result(1, .failed) {
      $0.failure = TransferFailure(.status, "the server answered 404 Not Found")
      $0.isExcused = true
    }
    #expect(line(optional).hasSuffix("\n           optional, not counted"))
  }

  @Test func aLongFailureIsWrappedAt80Columns() {
    let failed = result(1, .failed) {
      $0.failure = TransferFailure(
        .digestMismatch,
        "sha256 is \(String(repeating: "a", count: 64)), declared is "
          + String(repeating: "b", count: 64))
    }
    let lines = line(failed).split(separator: "\n")
    #expect(lines.count > 3)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(line(failed))")
  }

  @Test func whatWaitsTellsWhy() {
    let behind = result(1, .skipped) {
      $0.reason = "release did not succeed"
      $0.failure = TransferFailure(.dependency, "release did not succeed")
    }
    #expect(line(behind) == "skipped    iso[1]  release did not succeed")
    let held = result(1, .deferred) {
      $0.reason = "the server asks to wait past the deadline"
      $0.failure = TransferFailure(.status, "the server answered 503 Service Unavailable")
    }
    #expect(
      line(held) == "deferred   iso[1]  the server asks to wait past the deadline: "
        + "the server answered 503 Service Unavailable")
    let stopped = result(1, .deferred) { $0.reason = "the run's deadline has passed" }
    #expect(line(stopped) == "deferred   iso[1]  the run's deadline has passed")
  }

  @Test func textOfAServerCannotRedrawTheTerminal() {
    let failed = result(1, .failed) {
      $0.failure = TransferFailure(.unexpectedContent, "the Content-Type is \u{1B}[2Jx\n\u{202E}")
    }
    #expect(line(failed).contains("\\u{1b}[2Jx\\u{a}\\u{202e}"))
  }

  private func summary(_ counts: [Outcome: Int]) -> RunSummary {
    var summary = RunSummary(
      runID: "r", started: WallTime(microseconds: 0), ended: WallTime(microseconds: 192_000_000))
    summary.counts = counts
    return summary
  }

  @Test func theSummaryIsOneLine() {
    var run = summary([.done: 2, .unchanged: 398, .failed: 1])
    run.excused = 1
    run.bytesReceived = 1_207_959_552
    #expect(
      SummaryLine.text(run, job: "nightly")
        == "nightly: 2 done, 398 unchanged, 1 failed (1 optional) in 3m12s, "
        + "1.1 GiB received (6.0 MiB/s)")
    var stopped = summary([.done: 1, .deferred: 3])
    stopped.stopReason = "the run's deadline has passed"
    #expect(
      SummaryLine.text(stopped, job: "nightly")
        == "nightly: 1 done, 3 deferred in 3m12s; the run's deadline has passed; "
        + "run again to go on")
    var full = summary([.deferred: 3])
    full.machineFailure = TransferFailure(.disk, "no space left on device")
    #expect(
      SummaryLine.text(full, job: "nightly").hasSuffix(
        "; no space left on device: make room and run again: it goes on where it was"))
  }

  /// What a reporter writes.
  private func told(
    _ mode: RunReporter.Mode, quiet: Bool = false, verbosity: Int = 0,
    _ body: (RunReporter) -> Void
  ) throws -> String {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.path + "/err", O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    let stream = OutputStream(descriptor: descriptor)
    body(
      RunReporter(
        plan: plan, run: RunRecord(runID: "20261130T000000Z-0000", job: "nightly"),
        settings: .init(mode: mode, isQuiet: quiet, verbosity: verbosity, style: plain),
        errors: stream))
    stream.flush()
    return folder.read("err") ?? ""
  }

  private let noon = WallTime(microseconds: 0)

  private func wholeRun(_ reporter: RunReporter) {
    reporter.ended(result(0, .unchanged), at: noon)
    reporter.ended(result(1, .done), at: noon)
    let failure = TransferFailure(.dns, "no address for deb.example.org")
    reporter.ended(result(2, .failed) { $0.failure = failure }, at: noon)
    reporter.finished(summary([.done: 1, .unchanged: 1, .failed: 1]), at: noon)
  }

  /// Without the lines that go on with the one before.
  private func headLines(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
  }

  @Test func plainLinesTellEachTaskAndTheSum() throws {
    let lines = headLines(try told(.plain, wholeRun))
    #expect(
      lines.map { $0.prefix(10) } == ["unchanged ", "done      ", "failed    ", "nightly: 1"])
  }

  @Test func quietTellsErrorsAlone() throws {
    let lines = headLines(try told(.plain, quiet: true, wholeRun))
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("nightly: failed     iso[2]  no address for") == true)
    let right = try told(.plain, quiet: true) {
      $0.ended(result(0, .done), at: noon)
      $0.finished(summary([.done: 1]), at: noon)
    }
    #expect(right == "")
  }

  @Test func quietTellsAFullDisk() throws {
    let text = try told(.plain, quiet: true) {
      var full = summary([.deferred: 1])
      full.machineFailure = TransferFailure(.disk, "no space left on device")
      $0.finished(full, at: noon)
    }
    #expect(text.contains("no space left on device"))
  }

  @Test func noProgressTellsFailuresAndTheSum() throws {
    let lines = headLines(try told(.none, wholeRun))
    #expect(lines.map { $0.prefix(6) } == ["failed", "nightl"])
  }

  private func snapshot(_ milliseconds: Int64) -> ProgressSnapshot {
    ProgressSnapshot(
      now: Instant(nanoseconds: milliseconds * 1_000_000), endedTasks: 1, totalTasks: 4,
      bytes: milliseconds * 1024,
      active: [.init(task: 1, bytes: 50, total: 100), .init(task: 2, bytes: 7, total: nil)])
  }

  @Test func theBarIsDrawnFiveTimesASecondAtMostAndGoesAway() throws {
    let text = try told(.bar) { reporter in
      for milliseconds in stride(from: Int64(0), to: 1000, by: 10) {
        reporter.progress(snapshot(milliseconds))
      }
      reporter.finished(summary([.done: 4]), at: noon)
    }
    #expect(text.split(separator: "\r").count == 6)
    #expect(text.contains("\r\u{1B}[Knightly: 4 done in 3m12s\n"))
  }

  @Test func aLineStandsAboveTheBar() throws {
    let text = try told(.bar) { reporter in
      reporter.progress(snapshot(0))
      reporter.ended(result(0, .unchanged), at: noon)
      reporter.ended(result(1, .done), at: noon)
      reporter.progress(snapshot(1))
    }
    #expect(text.contains("\r\u{1B}[Kdone       iso[1]"))
    #expect(!text.contains("unchanged"))
    #expect(text.hasSuffix("\u{1B}[K"))
  }

  @Test(arguments: [1, 10, 20, 49, 50, 79, 80, 200])
  func theBarFitsTheTerminal(_ width: Int) {
    var bar = ProgressBar()
    _ = bar.line(snapshot(0), plan: plan, width: width)
    let line = bar.line(snapshot(2000), plan: plan, width: width)
    #expect(line.count < max(2, width))
    if width == 80 {
      #expect(line == "1/4  [#######.............]   37%  2.0 MiB  1000 KiB/s  iso[1] +1")
    }
  }

  @Test func wideCharactersTakeTwoColumns() {
    var plan = plan
    plan.tasks[1].id = "日本語日本語日本語日本語日本語"
    var bar = ProgressBar()
    let line = bar.line(snapshot(0), plan: plan, width: 60)
    #expect(line.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } < 60)
  }

  @Test func jsonLinesAreThoseOfTheLogAndProgress() throws {
    let text = try told(.json, verbosity: 2) { reporter in
      reporter.started(
        RunStart(jobFile: "/srv/nightly.yaml", continues: nil, taskCount: 4, version: "1"), at: noon
      )
      reporter.progress(snapshot(0))
      reporter.progress(snapshot(500))
      reporter.notice("not for machines")
      wholeRun(reporter)
    }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("{\"schema\":1,") && $0.hasSuffix("}") })
    let events = lines.map { line in
      line.firstRange(of: "\"event\":\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
    }
    #expect(
      events == [
        "run_started", "progress", "task_finished", "task_finished", "task_finished",
        "run_finished",
      ])
  }

  @Test func verboseTellsTriesAndTimes() throws {
    let text = try told(.plain, verbosity: 1) { reporter in
      reporter.ended(
        result(1, .done) {
          let timeout = TransferFailure(.timeout, "nothing came for 60 s")
          $0.attemptLog = [.init(failure: timeout, status: nil, delay: .seconds(2))]
          var step = Transaction(url: $0.currentURL)
          step.networkProtocolName = "h2"
          step.remoteAddress = "192.0.2.1"
          step.remotePort = 443
          step.connectStart = WallTime(microseconds: 1000)
          step.connectEnd = WallTime(microseconds: 13_400)
          $0.transactions = [step]
        }, at: noon)
    }
    #expect(
      text.contains(
        """
                   from https://deb.example.org/cd/disc-1.iso
                   try 1: nothing came for 60 s [timeout], waited 2.0s
                   h2, 192.0.2.1 port 443
                   connect 12 ms

        """), "\(text)")
  }

  @Test func colourIsAskedForOrSeen() {
    func style(_ option: String?, _ environment: [String: String], _ isTerminal: Bool) -> Bool {
      Style(option: option, environment: { environment[$0] }, isTerminal: isTerminal).isColored
    }
    #expect(style(nil, [:], true))
    #expect(!style(nil, [:], false))
    #expect(!style(nil, ["NO_COLOR": "1"], true))
    #expect(style("auto", ["NO_COLOR": ""], true))
    #expect(!style(nil, ["TERM": "dumb"], true))
    #expect(style("always", ["NO_COLOR": "1"], false))
    #expect(!style("never", [:], true))
  }
}

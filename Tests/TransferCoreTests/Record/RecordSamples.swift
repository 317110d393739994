import TransferCore

/// A plan and results in which every field has a value.
enum RecordSamples {
  static let run = RunRecord(runID: "20261130T075411Z-4f3a", job: "nightly")
  static let time = WallTime(microseconds: 1_795_938_851_000_250)

  static func plan(tasks: Int = 1) -> Plan {
    let identity = JobIdentity(name: "nightly", file: "/j/n.yaml", folder: "/j", root: "/j")
    let request = RequestPlan(method: "GET", url: PlanText("https://h.example/a"))
    let plans = (0..<tasks).map { index in
      TaskPlan(
        id: "iso[\(index)]", session: 0, policy: 0, work: .data(DataPlan()), request: request)
    }
    return Plan(
      job: identity, settings: RunSettings(), sessions: [SessionPlan(name: "web")],
      policies: [TransferPolicy()], tasks: plans)
  }

  static func transaction() -> Transaction {
    var step = Transaction(url: "https://h.example/a")
    step.status = 200
    step.fetchStart = time
    step.domainLookupStart = time
    step.domainLookupEnd = time
    step.connectStart = time
    step.connectEnd = time
    step.secureConnectionStart = time
    step.secureConnectionEnd = time
    step.requestStart = time
    step.requestEnd = time
    step.responseStart = time
    step.responseEnd = time
    step.networkProtocolName = "h2"
    step.requestHeaderBytes = 120
    step.responseBodyBytes = 1_024
    step.localAddress = "127.0.0.1"
    step.localPort = 40_000
    step.remoteAddress = "127.0.0.1"
    step.remotePort = 443
    step.tlsProtocolVersion = "TLSv1.3"
    step.tlsCipherSuite = "TLS_AES_256_GCM_SHA384"
    return step
  }

  static func failure() -> TransferFailure {
    TransferFailure(.truncated, "ended after 3 of 9 bytes", curlCode: 18)
  }

  static func result() -> TaskResult {
    var result = TaskResult(
      task: 0, outcome: .failed, originalURL: "https://h.example/a",
      currentURL: "https://m.example/a")
    result.failure = failure()
    result.isRetryable = true
    result.reason = "a reason"
    result.isExcused = true
    result.attempts = 2
    result.status = 200
    result.path = "/j/a"
    result.bytesReceived = 3
    result.checksum = "sha256:00ff"
    result.source = .network
    result.transactions = [transaction()]
    result.redirects = [.init(status: 302, url: "https://m.example/a")]
    result.attemptLog = [
      .init(failure: failure(), status: nil, delay: .milliseconds(1_500)),
      .init(failure: nil, status: 503, delay: nil),
    ]
    result.isUnframed = true
    return result
  }

  static func end() -> RunEnd {
    var summary = RunSummary(
      runID: run.runID, started: time, ended: WallTime(microseconds: time.microseconds + 2_500_000))
    summary.counts = [.done: 4, .failed: 1]
    summary.signal = 15
    summary.stopReason = "max_errors reached"
    summary.machineFailure = TransferFailure(.disk, "no space left on /srv")
    return RunEnd(summary: summary, exitCode: 143)
  }
}

import FoundationEssentials
import Testing
import TransferCore

struct RecordEncodingTests {
  private func written(_ body: (inout JSONWriter) -> Void) throws -> JSONValue {
    var json = JSONWriter()
    body(&json)
    return try JSONValue.parse(json.bytes)
  }

  private func taskRecord(_ result: TaskResult) throws -> JSONValue {
    try written {
      RecordEncoding.taskFinished(
        result, in: RecordSamples.plan(), of: RecordSamples.run, at: RecordSamples.time, to: &$0)
    }
  }

  private func runResult(_ results: [TaskResult]) throws -> JSONValue {
    try written {
      ResultEncoding.run(
        RecordSamples.end(), results: results, in: RecordSamples.plan(), of: RecordSamples.run,
        at: RecordSamples.time, to: &$0)
    }
  }

  @Test func aTaskRecordHasTheContractsFields() throws {
    let record = try taskRecord(RecordSamples.result())
    #expect(record["schema"] == .number(1))
    #expect(record["time"] == .string("2026-11-29T07:54:11.000250Z"))
    #expect(record["event"] == .string("task_finished"))
    #expect(record["run_id"] == .string("20261130T075411Z-4f3a"))
    #expect(record["job"] == .string("nightly"))
    #expect(record["task"] == .string("iso[0]"))
    #expect(record["session"] == .string("web"))
    #expect(record["kind"] == .string("data"))
    #expect(record["outcome"] == .string("failed"))
    #expect(record["error"]?["code"] == .string("truncated"))
    #expect(record["error"]?["message"] == .string("ended after 3 of 9 bytes"))
    #expect(record["error"]?["retryable"] == .boolean(true))
    #expect(record["error"]?["curl_code"] == .number(18))
    #expect(record["redirect_count"] == .number(1))
    #expect(record["transactions"]?.elements.first?["remote_port"] == .number(443))
  }

  @Test func whatIsNotKnownIsLeftOut() throws {
    var result = TaskResult(task: 0, outcome: .done, originalURL: "u", currentURL: "u")
    result.transactions = [Transaction(url: "u")]
    let record = try taskRecord(result)
    for name in ["error", "status", "path", "checksum", "reason", "excused"] {
      #expect(record[name] == nil, "\(name)")
    }
    let step = try #require(record["transactions"]?.elements.first)
    for name in ["fetch_start", "remote_address", "tls_cipher_suite", "status"] {
      #expect(step[name] == nil, "\(name)")
    }
  }

  @Test func aRunsEndCountsByOutcome() throws {
    let record = try written {
      RecordEncoding.runFinished(
        RecordSamples.end(), of: RecordSamples.run, at: RecordSamples.time, to: &$0)
    }
    #expect(record["outcome"] == .string("interrupted"))
    #expect(record["exit_code"] == .number(143))
    #expect(record["duration_seconds"] == .number(2.5))
    #expect(record["counts"]?["done"] == .number(4))
    #expect(record["counts"]?["skipped"] == .number(0))
  }

  @Test func aDeadRunHasNoExitCode() throws {
    let record = try written {
      RecordEncoding.runFinished(
        RunEnd(died: RecordSamples.end().summary), of: RecordSamples.run, at: RecordSamples.time,
        to: &$0)
    }
    #expect(record["outcome"] == .string("interrupted"))
    #expect(record["exit_code"] == nil)
    #expect(record["duration_seconds"] == nil)
  }

  @Test(arguments: [
    (Int32(0), RunOutcome.done), (1, .failed), (3, .failed), (75, .deferred), (130, .interrupted),
  ])
  func theExitCodeTellsTheOutcome(code: Int32, outcome: RunOutcome) {
    #expect(RunOutcome(exitCode: code) == outcome)
  }

  @Test func theResultHasHeadersRedirectsAndTries() throws {
    var result = RecordSamples.result()
    result.path = nil
    result.body = Array("{\"ok\":true}".utf8)
    let task = try #require(try runResult([result])["tasks"]?.elements.first)
    #expect(task["source"] == .string("network"))
    #expect(task["unframed"] == .boolean(true))
    #expect(task["redirects"]?.elements.first?["status"] == .number(302))
    #expect(task["attempt_log"]?.elements.first?["delay"] == .number(1.5))
    #expect(task["attempt_log"]?.elements.last?["status"] == .number(503))
    #expect(task["body"] == .string("{\"ok\":true}"))
    #expect(task["outcome"] == .string("failed"))
  }

  @Test func onlySmallTextIsInline() throws {
    var result = RecordSamples.result()
    let saved = try #require(try runResult([result])["tasks"]?.elements.first)
    #expect(saved["body_path"] == .string("/j/a") && saved["body"] == nil)
    result.path = nil
    result.body = [0xFF, 0xFE]
    #expect(try runResult([result])["tasks"]?.elements.first?["body"] == nil)
    result.body = [UInt8](repeating: 0x61, count: ResultEncoding.inlineBodyLimit + 1)
    #expect(try runResult([result])["tasks"]?.elements.first?["body"] == nil)
  }
}

/// Writes the completion log's objects, whose fields stand in `docs/completion-log.md`. What is nil
/// is left out. Every text is expected without user info and secrets.
package enum RecordEncoding {
  /// The version of the records' shape; fields may be added within one.
  package static let schema = 1

  /// Writes a `run_started` object.
  package static func runStarted(
    _ start: RunStart, of run: RunRecord, at time: WallTime, to json: inout JSONWriter
  ) {
    begin("run_started", of: run, at: time, to: &json)
    json.member("job_file", start.jobFile)
    json.member("continues", start.continues)
    json.member("task_count", start.taskCount)
    json.member("version", start.version)
    json.endObject()
  }

  /// Writes a `task_finished` object: the log's line.
  package static func taskFinished(
    _ result: TaskResult, in plan: Plan, of run: RunRecord, at time: WallTime,
    to json: inout JSONWriter
  ) {
    begin("task_finished", of: run, at: time, to: &json)
    taskMembers(result, in: plan, to: &json)
    json.endObject()
  }

  /// Writes a `run_finished` object.
  package static func runFinished(
    _ end: RunEnd, of run: RunRecord, at time: WallTime, to json: inout JSONWriter
  ) {
    begin("run_finished", of: run, at: time, to: &json)
    endMembers(end, to: &json)
    json.endObject()
  }
}

extension RecordEncoding {
  /// Opens an object with what all records have.
  static func begin(
    _ event: StaticString, of run: RunRecord, at time: WallTime, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("schema", schema)
    json.member("time", time)
    json.key("event")
    json.string(event)
    json.member("run_id", run.runID)
    json.member("job", run.job)
  }

  static func taskMembers(_ result: TaskResult, in plan: Plan, to json: inout JSONWriter) {
    let index = Int(result.task)
    json.member("task", plan.tasks[index].id)
    json.member("session", plan.sessions[plan.tasks[index].session].name)
    json.member("kind", plan.tasks[index].kindName)
    json.member("outcome", result.outcome.rawValue)
    json.member("reason", result.reason)
    if let failure = result.failure {
      json.key("error")
      error(failure, isRetryable: result.isRetryable, to: &json)
    }
    if result.isExcused { json.member("excused", true) }
    json.member("attempts", result.attempts)
    json.member("original_url", result.originalURL)
    json.member("current_url", result.currentURL)
    json.member("status", result.status)
    json.member("path", result.path)
    json.member("bytes_received", result.bytesReceived)
    json.member("bytes_sent", result.bytesSent)
    json.member("bytes_resumed", result.bytesResumed)
    json.member("checksum", result.checksum)
    json.member("redirect_count", result.redirects.count)
    json.key("transactions")
    json.beginArray()
    for step in result.transactions { transaction(step, to: &json) }
    json.endArray()
  }

  static func endMembers(_ end: RunEnd, to json: inout JSONWriter) {
    let summary = end.summary
    json.member("outcome", end.outcome.rawValue)
    json.member("exit_code", end.exitCode)
    json.member("signal", summary.signal)
    json.member("reason", summary.stopReason)
    if let failure = summary.machineFailure {
      json.key("error")
      error(failure, isRetryable: nil, to: &json)
    }
    json.member("started", summary.started)
    if end.exitCode != nil {
      let microseconds = summary.ended.microseconds - summary.started.microseconds
      json.member("duration_seconds", Double(max(0, microseconds)) / 1_000_000)
    }
    json.key("counts")
    json.beginObject()
    for outcome in Outcome.allCases {
      json.key(named: outcome.rawValue)
      json.integer(summary.counts[outcome] ?? 0)
    }
    json.endObject()
    json.member("excused", summary.excused)
    json.member("bytes_received", summary.bytesReceived)
    json.member("bytes_sent", summary.bytesSent)
  }

  static func error(
    _ failure: TransferFailure, isRetryable: Bool?, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("code", failure.kind.rawValue)
    json.member("message", failure.detail)
    json.member("retryable", isRetryable)
    json.member("curl_code", failure.curlCode)
    json.endObject()
  }

  private static func transaction(_ step: Transaction, to json: inout JSONWriter) {
    json.beginObject()
    json.member("url", step.url)
    json.member("status", step.status)
    times(step, to: &json)
    json.member("network_protocol_name", step.networkProtocolName)
    json.member("is_proxy_connection", step.isProxyConnection)
    json.member("is_reused_connection", step.isReusedConnection)
    json.member("resource_fetch_type", step.fetchType.rawValue)
    json.member("request_header_bytes", step.requestHeaderBytes)
    json.member("request_body_bytes", step.requestBodyBytes)
    json.member("response_header_bytes", step.responseHeaderBytes)
    json.member("response_body_bytes", step.responseBodyBytes)
    json.member("local_address", step.localAddress)
    json.member("local_port", step.localPort)
    json.member("remote_address", step.remoteAddress)
    json.member("remote_port", step.remotePort)
    json.member("tls_protocol_version", step.tlsProtocolVersion)
    json.member("tls_cipher_suite", step.tlsCipherSuite)
    json.endObject()
  }

  private static func times(_ step: Transaction, to json: inout JSONWriter) {
    json.member("fetch_start", step.fetchStart)
    json.member("domain_lookup_start", step.domainLookupStart)
    json.member("domain_lookup_end", step.domainLookupEnd)
    json.member("connect_start", step.connectStart)
    json.member("connect_end", step.connectEnd)
    json.member("secure_connection_start", step.secureConnectionStart)
    json.member("secure_connection_end", step.secureConnectionEnd)
    json.member("request_start", step.requestStart)
    json.member("request_end", step.requestEnd)
    json.member("response_start", step.responseStart)
    json.member("response_end", step.responseEnd)
  }
}

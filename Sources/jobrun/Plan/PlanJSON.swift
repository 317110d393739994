import TransferCore

/// `plan --format json`: every member in a fixed order, one a line, nothing that differs from one
/// call to the next; what doesn't apply is left out.
enum PlanJSON {
  /// The version of the shape; members may be added within one.
  static let schema = 1

  static func bytes(_ report: PlanReport) -> [UInt8] {
    var json = JSONWriter(indented: true, capacity: 512 * report.tasks.count + 256)
    json.beginObject()
    json.member("schema", schema)
    json.member("job", report.plan.job.name)
    json.key("tasks")
    json.beginArray()
    for task in report.tasks { write(task, of: report, to: &json) }
    json.endArray()
    json.key("interfaces")
    json.beginArray()
    json.endArray()
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private static func write(
    _ planned: PlannedTask, of report: PlanReport, to json: inout JSONWriter
  ) {
    let task = report.spec(planned)
    let proxy = report.proxy(planned)
    json.beginObject()
    json.member("id", task.id)
    json.member("session", report.plan.sessions[task.session].name)
    json.member("kind", task.kindName)
    json.member("action", planned.action.rawValue)
    json.member("reason", planned.reason)
    json.member("method", task.request.method)
    json.member("url", report.address(planned))
    mirrors(report.mirrors(planned), to: &json)
    json.member("path", task.path)
    json.member("from_byte", planned.fromByte)
    checksums(task, report.plan.lists, to: &json)
    json.member("expected_bytes", task.expectedBytes)
    json.member("proxy", proxy.shown)
    json.member("proxy_reason", proxy.reason)
    credentials(report.credentials(planned), to: &json)
    if let cookies = report.cookies(planned) {
      json.key("cookies")
      json.beginObject()
      json.member("jar", cookies.jar)
      json.member("count", cookies.count)
      json.endObject()
    }
    json.key("after")
    json.beginArray()
    for index in task.after { json.string(report.plan.tasks[Int(index)].id) }
    json.endArray()
    // The shortest text of the single precision number: 0.8, and not 0.800000011920929.
    json.member("priority", Double(task.priority.description) ?? 0.5)
    json.endObject()
  }

  private static func mirrors(_ mirrors: [String], to json: inout JSONWriter) {
    if mirrors.isEmpty { return }
    json.key("mirrors")
    json.beginArray()
    for mirror in mirrors { json.string(mirror) }
    json.endArray()
  }

  private static func credentials(_ uses: [CredentialUse], to json: inout JSONWriter) {
    if uses.isEmpty { return }
    json.key("credentials")
    json.beginArray()
    for use in uses {
      json.beginObject()
      json.member("source", use.source)
      json.member("method", use.method)
      json.member("realm", use.realm)
      json.endObject()
    }
    json.endArray()
  }

  private static func checksums(
    _ task: TaskPlan, _ lists: [ListPlan], to json: inout JSONWriter
  ) {
    guard case .download(let download) = task.work, !download.checksums.isEmpty else { return }
    json.key("checksum")
    json.beginArray()
    for checksum in download.checksums {
      switch checksum {
      case .inline(let algorithm, let value): json.string("\(algorithm.rawValue):\(value)")
      case .file(let path, _): json.string("file:\(path)")
      case .list(let list, _): json.string("file:\(lists[Int(list)].url.shown)")
      }
    }
    json.endArray()
  }
}

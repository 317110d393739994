import TransferCore

/// The `progress` lines of `--progress json`; its other lines are those of the completion log.
enum ProgressJSON {
  static func write(
    _ snapshot: ProgressSnapshot, plan: Plan, run: RunRecord, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("schema", RecordEncoding.schema)
    json.member("event", "progress")
    json.member("run_id", run.runID)
    json.member("job", run.job)
    json.member("ended_tasks", snapshot.endedTasks)
    json.member("total_tasks", snapshot.totalTasks)
    json.member("bytes", snapshot.bytes)
    json.key("active")
    json.beginArray()
    for transfer in snapshot.active {
      json.beginObject()
      json.member("task", plan.tasks[Int(transfer.task)].id)
      json.member("bytes", transfer.bytes)
      json.member("total", transfer.total)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

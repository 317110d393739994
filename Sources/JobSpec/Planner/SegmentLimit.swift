import TransferCore

/// Cuts what tasks ask of `segments` to the connections that there may be.
struct SegmentLimit {
  let findings: Findings
  let settings: RunSettings
  let sessions: [SessionPlan]

  func cut(_ asked: [TaskLinks.Segments], of tasks: inout [TaskPlan]) {
    for written in asked where tasks.indices.contains(Int(written.task)) {
      let index = Int(written.task)
      guard case .download(var download) = tasks[index].work else { continue }
      let (key, limit) = limit(sessions[tasks[index].session])
      if written.count <= limit { continue }
      findings.warning(
        .tooManySegments,
        "\(written.count) segments are more than \(key) allows, which is \(limit)",
        at: written.place, hint: "write `segments: \(limit)`, or raise `\(key)`")
      download.segments = .fixed(limit)
      tasks[index].work = .download(download)
    }
  }

  /// The lower of both limits. Streams of one connection count under `max_parallel` alone.
  private func limit(_ session: SessionPlan) -> (key: String, limit: Int) {
    let all = ("max_parallel", settings.maxParallel)
    if session.multiplexes || session.maxConnectionsPerHost >= settings.maxParallel { return all }
    return ("max_connections_per_host", session.maxConnectionsPerHost)
  }
}

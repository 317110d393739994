import JobSpec
import Testing
import TransferCore

@Suite struct SegmentsTests {
  private func segments(_ planned: PlannedJob) -> SegmentCount? {
    guard case .download(let download)? = planned.plan?.tasks.first?.work else { return nil }
    return download.segments
  }

  @Test(arguments: [
    ("mode: '0644'", SegmentCount.fixed(1)), ("segments: 1", .fixed(1)), ("segments: 6", .fixed(6)),
    ("segments: auto", .auto),
  ])
  func segmentsArePlanned(fields: String, count: SegmentCount) {
    let planned = JobCase.download(fields).planned
    #expect(segments(planned) == count)
    #expect(planned.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("", 7, 6, "max_connections_per_host"), ("max_parallel: 4", 5, 4, "max_parallel"),
    ("sessions: { default: { max_connections_per_host: 2 } }", 3, 2, "max_connections_per_host"),
    ("sessions: { default: { max_connections_per_host: 32 } }", 20, 16, "max_parallel"),
  ])
  func moreThanThereMayBeAreCut(line: String, asked: Int, limit: Int, key: String) {
    let planned = JobCase.job(
      "\(line)\ntasks: { a: { download: 'https://h/1', to: x, segments: \(asked) } }\n"
    ).planned
    #expect(segments(planned) == .fixed(limit))
    #expect(planned.diagnostics.map(\.severity) == [.warning])
    #expect(planned.diagnostics.map(\.id) == ["too-many-segments"])
    #expect(planned.diagnostics.first?.message.contains(key) == true)
    #expect(planned.diagnostics.first?.path == "tasks.a.segments")
  }
}

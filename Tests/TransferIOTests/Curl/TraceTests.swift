import Testing
import TransferCore

@testable import TransferIO

@Suite struct TraceTests {
  @Test func bothHeadsAreTracedWithTheirTaskAndBodiesAreCounted() throws {
    let origin = try Origin { _ in .answer(200, ["X-Answer: yes"], body: "top secret") }
    var lines: [(task: Int32, line: String)] = []
    let bench = try EngineBench(trace: { lines.append(($0, $1)) })
    _ = try bench.fetch(.test(origin.url("/a"), task: 4))
    #expect(lines.contains { $0.line == "> GET /a HTTP/1.1" })
    #expect(lines.contains { $0.line == "< X-Answer: yes" })
    #expect(lines.contains { $0.line == "{ 10 bytes received" })
    #expect(lines.allSatisfy { $0.task == 4 && !$0.line.contains("top secret") })
  }
}

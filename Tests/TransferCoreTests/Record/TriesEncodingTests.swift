import Testing
import TransferCore

/// What is kept of tries is bounded, and nothing where there is nothing to tell.
struct TriesEncodingTests {
  private func result() -> TaskResult {
    TaskResult(task: 0, outcome: .done, originalURL: "http://a/", currentURL: "http://a/")
  }

  @Test func aTaskThatWentStraightThroughHasNone() {
    var failed = result()
    failed.failure = TransferFailure(.status, "no")
    #expect(TriesEncoding.notes(result()) == nil)
    #expect(TriesEncoding.notes(failed) == nil)
  }

  @Test func manyTriesAreLeftOut() throws {
    var many = result()
    let long = String(repeating: "\u{E9}", count: 10_000)
    for _ in 0..<1000 {
      many.attemptLog.append(
        .init(failure: TransferFailure(.timeout, long), status: nil, delay: .milliseconds(1500)))
      many.redirects.append(.init(status: 302, url: "http://a/" + long))
    }
    let notes = try #require(TriesEncoding.notes(many))
    #expect(notes.count < 40_000)
    let node = try #require(JSONNode(notes))
    let tries = try #require(node["attempt_log"]?.elements)
    #expect(tries.map { $0["try"]?.integer } == (Array(1...10) + Array(991...1000)).map { $0 })
    #expect(tries.first?["code"]?.text == "timeout" && tries.first?["delay"]?.double == 1.5)
    #expect(node["attempts_left_out"]?.integer == 980)
    #expect(node["redirects"]?.elements.count == 20)
  }
}

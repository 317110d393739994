/// Every case, in the page's order.
package enum FaultTable {
  package static let cases: [FaultCase] =
    FaultCase.heads + FaultCase.framings + FaultCase.statuses + FaultCase.truncations
    + FaultCase.brokenStreams
    + FaultCase.resumes + FaultCase.wrongRanges + FaultCase.laterRuns + FaultCase.digests
    + FaultCase.lists + FaultCase.mirrors + FaultCase.segments
    + FaultCase.refreshes + FaultCase.retries + FaultCase.redirects + FaultCase.targets
    + FaultCase.exchanges

  package static func named(_ name: String) -> FaultCase? { cases.first { $0.name == name } }
}

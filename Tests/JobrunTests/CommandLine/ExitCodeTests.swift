import Testing
import TransferCore

@testable import jobrun

/// The worst one wins: 3, then 1, then 75, then 0; a signal is told as the shell does.
@Suite struct ExitCodeTests {
  private func code(
    _ counts: [Outcome: Int], excused: Int = 0, signal: Int32? = nil, isDiskFull: Bool = false
  ) -> Int32 {
    var summary = RunSummary(
      runID: "r", started: WallTime(microseconds: 0), ended: WallTime(microseconds: 0))
    summary.counts = counts
    summary.excused = excused
    summary.signal = signal
    if isDiskFull { summary.machineFailure = TransferFailure(.disk, "no space left on device") }
    return ExitCode(summary).status
  }

  @Test func whatIsDoneOrNeededNothingIsSuccess() {
    #expect(code([:]) == 0)
    #expect(code([.done: 1, .unchanged: 2, .cached: 3]) == 0)
  }

  @Test(arguments: [Outcome.failed, .cancelled, .skipped])
  func whatDidNotSucceedIsAFailure(_ outcome: Outcome) {
    #expect(code([.done: 5, outcome: 1]) == 1)
    #expect(code([outcome: 1, .deferred: 1]) == 1)
  }

  @Test func optionalFailuresAreNotCounted() {
    #expect(code([.failed: 2], excused: 2) == 0)
    #expect(code([.failed: 2], excused: 1) == 1)
    #expect(code([.failed: 1, .deferred: 1], excused: 1) == 75)
  }

  @Test func deferredAloneAsksToRunAgain() { #expect(code([.done: 1, .deferred: 1]) == 75) }

  @Test func theMachineOutranksFailures() {
    #expect(code([.failed: 1, .deferred: 1], isDiskFull: true) == 3)
  }

  @Test func aSignalOutranksAll() {
    #expect(code([.deferred: 1], signal: 2) == 130)
    #expect(code([.failed: 1], signal: 15, isDiskFull: true) == 143)
  }
}

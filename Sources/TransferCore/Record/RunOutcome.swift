/// How a run ended, in one word.
package enum RunOutcome: String, Sendable, CaseIterable {
  /// Everything asked for is done.
  case done
  /// Tasks failed, or the machine was in the way.
  case failed
  /// Nothing failed, and tasks wait for a later run.
  case deferred
  /// A signal ended it, or it died.
  case interrupted

  /// - Parameter exitCode: what the process ends with: 0, 1, 3, 75, or 128 + N.
  package init(exitCode: Int32) {
    switch exitCode {
    case 0: self = .done
    case 75: self = .deferred
    case 129...: self = .interrupted
    default: self = .failed
    }
  }
}

/// What the promises are about, and what a thousand seeds must come to.
enum Situation: CaseIterable {
  case kill, powerCut, signal, deadline, stopByErrors, machineFailure
  case continued, restartedBy200, completeBy416, refusedPart, redirect, notModified
  case commitCompleted, linesReplayed, flushFailed, claimDropped
  case digestMismatch, doneByResuming, listFetched
  /// Several requests for one file; one refused; another version in one; gaps of an earlier run.
  case split, rangeRefused, rangeChanged, gapFilled
}

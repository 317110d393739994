/// What the promises are about, and what a thousand seeds must come to.
enum Situation: CaseIterable {
  case kill, powerCut, signal, deadline, stopByErrors, machineFailure
  case continued, restartedBy200, completeBy416, refusedPart, redirect, notModified
  case commitCompleted, linesReplayed, flushFailed, claimDropped
  case digestMismatch, doneByResuming, listFetched
}

/// How a task ended.
package enum Outcome: String, Sendable, CaseIterable {
  case done, unchanged, cached, failed, cancelled, skipped, deferred
}

/// Everything that is told about a finished task: the log's line, the state's row, the result's
/// object are images of it.
package struct TaskResult: Sendable {
  package enum Source: String, Sendable, CaseIterable { case network, cache, revalidated }
  /// One try of several.
  package struct AttemptNote: Sendable {
    /// What the try failed with, when it did.
    package var failure: TransferFailure?
    package var status: Int?
    /// The wait before the next try.
    package var delay: Duration?
    package init(failure: TransferFailure?, status: Int?, delay: Duration?) {
      self.failure = failure
      self.status = status
      self.delay = delay
    }
  }
  package struct Redirect: Sendable {
    package var status: Int
    /// Without user info and secrets.
    package var url: String
    package init(status: Int, url: String) {
      self.status = status
      self.url = url
    }
  }

  /// Index into the plan's tasks.
  package var task: Int32
  package var outcome: Outcome
  package var failure: TransferFailure?
  /// Trying again later may help.
  package var isRetryable = false
  /// In words, where the outcome needs them: `done in run X`, `304 Not Modified`.
  package var reason: String?
  /// The failure is one that the task's `optional` excuses.
  package var isExcused = false
  package var attempts = 0
  package var originalURL: String
  package var currentURL: String
  package var status: Int?
  /// Absolute; nil when nothing was written.
  package var path: String?
  package var bytesReceived: Int64 = 0
  package var bytesSent: Int64 = 0
  /// Bytes that were on disk already and were not fetched again.
  package var bytesResumed: Int64 = 0
  /// `sha256:HEX`, when the file was hashed.
  package var checksum: String?
  package var source: Source?
  package var transactions: [Transaction] = []
  package var redirects: [Redirect] = []
  package var attemptLog: [AttemptNote] = []
  package var interim: [ResponseHead] = []
  /// The final answer's head.
  package var head: ResponseHead?
  /// A data or upload task's body.
  package var body: [UInt8] = []
  /// The final answer was close-delimited.
  package var isUnframed = false

  package init(task: Int32, outcome: Outcome, originalURL: String, currentURL: String) {
    self.task = task
    self.outcome = outcome
    self.originalURL = originalURL
    self.currentURL = currentURL
  }
}

/// What a run came to.
package struct RunSummary: Sendable {
  package var runID: String
  package var started: WallTime
  package var ended: WallTime
  /// Tasks by outcome.
  package var counts: [Outcome: Int] = [:]
  /// Failures that `optional` excuses are counted here, and not in `exitCode`.
  package var excused = 0
  package var bytesReceived: Int64 = 0
  package var bytesSent: Int64 = 0
  /// The signal that ended it.
  package var signal: Int32?
  /// Why it stopped starting tasks, in words.
  package var stopReason: String?
  /// The machine was in the way: state, log or disk.
  package var machineFailure: TransferFailure?

  package init(runID: String, started: WallTime, ended: WallTime) {
    self.runID = runID
    self.started = started
    self.ended = ended
  }
}

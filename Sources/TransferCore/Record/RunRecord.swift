/// What every record of a run says of it.
package struct RunRecord: Equatable, Sendable {
  package var runID: String
  /// The job's name.
  package var job: String

  package init(runID: String, job: String) {
    self.runID = runID
    self.job = job
  }
}

/// What the record of a run's start says besides.
package struct RunStart: Equatable, Sendable {
  /// The job file, absolute; `-` for standard input.
  package var jobFile: String
  /// The first run of the chain that this one continues; nil when it begins one.
  package var continues: String?
  package var taskCount: Int
  /// jobrun's version.
  package var version: String

  package init(jobFile: String, continues: String?, taskCount: Int, version: String) {
    self.jobFile = jobFile
    self.continues = continues
    self.taskCount = taskCount
    self.version = version
  }
}

/// What the record of a run's end says besides.
package struct RunEnd: Sendable {
  package var summary: RunSummary
  package var outcome: RunOutcome
  /// nil for a run that died: nobody saw it end.
  package var exitCode: Int32?

  package init(summary: RunSummary, exitCode: Int32) {
    self.summary = summary
    self.outcome = RunOutcome(exitCode: exitCode)
    self.exitCode = exitCode
  }

  /// A run that was killed: what its completions add up to.
  package init(died summary: RunSummary) {
    self.summary = summary
    outcome = .interrupted
  }
}

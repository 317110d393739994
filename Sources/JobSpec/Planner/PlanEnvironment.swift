import TransferCore

/// What a plan is made from beside the job file: handed in, so that planning touches nothing.
package struct PlanEnvironment {
  package enum Mode: Sendable {
    /// Environment variables that aren't set leave a value unknown.
    case validate
    /// Everything must be known.
    case plan
  }
  package enum ItemsFormat: String, Sendable, CaseIterable { case lines, csv, jsonl }

  /// One item of an items file: columns in order; a line has one, called ``.
  package struct ItemRow: Sendable {
    package var columns: [(name: String, value: String)]
    package init(columns: [(name: String, value: String)]) { self.columns = columns }
  }

  /// Why an items file can't be read, in words without a full stop.
  package struct ItemsProblem: Error {
    package var message: String
    package init(message: String) { self.message = message }
  }

  package var mode = Mode.plan
  /// An environment variable.
  package var variable: (String) -> String? = { _ in nil }
  /// The home folder, absolute.
  package var homeFolder: String?
  /// The working folder, absolute.
  package var workingFolder = "/"
  /// The job file, absolute or relative to the working folder; `-` for standard input.
  package var jobFile: String
  package var runID: String
  /// When the run first started: seconds since 1970 in UTC.
  package var runStart: Int64
  /// The civil time at so many seconds since 1970; nil when the zone isn't known. A nil zone is the
  /// system's.
  package var civilTime: (_ seconds: Int64, _ zone: String?) -> CivilTime? = { _, _ in nil }
  /// The rows of an items file at an absolute path.
  package var readItems:
    (_ path: String, _ format: ItemsFormat) -> Result<[ItemRow], ItemsProblem> =
      { _, _ in .failure(ItemsProblem(message: "no items files here")) }
  /// `--var`.
  package var variables: [String: String] = [:]
  /// `--root`, absolute or relative to the working folder.
  package var root: String?
  /// Ours, for the User-Agent.
  package var version: String

  package init(jobFile: String, runID: String, runStart: Int64, version: String) {
    self.jobFile = jobFile
    self.runID = runID
    self.runStart = runStart
    self.version = version
  }
}

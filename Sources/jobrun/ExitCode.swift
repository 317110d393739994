import TransferCore

/// What the shell is told. The worst one wins: 3, then 1, then 75, then 0.
enum ExitCode: Equatable {
  /// Everything asked for is done, or needed nothing.
  case success
  /// A task failed, was cancelled, or was skipped behind one that failed.
  case failed
  /// The command line or a job file is wrong; nothing was started.
  case usage
  /// The machine is in the way: state, log or disk.
  case machine
  /// Another run of this job is going on.
  case running
  /// `plan --exit-code`: there is something to do.
  case somethingToDo
  /// Nothing failed, but tasks were deferred.
  case deferred
  /// Ended by this signal; resume state kept.
  case signal(Int32)

  /// The process's exit status.
  var status: Int32 {
    switch self {
    case .success: 0
    case .failed: 1
    case .usage: 2
    case .machine: 3
    case .running: 4
    case .somethingToDo: 10
    case .deferred: 75
    case .signal(let number): 128 + number
    }
  }

  /// In words, for help and manual page.
  var meaning: String {
    switch self {
    case .success: "everything asked for is done; unchanged and cached count as done"
    case .failed: "a task failed, was cancelled, or was skipped behind one that failed"
    case .usage: "the command line or a job file is wrong; nothing was started"
    case .machine: "the machine is in the way: state or log not writable, disk full"
    case .running: "another run of this job is going on"
    case .somethingToDo: "with plan --exit-code: there is something to do"
    case .deferred: "nothing failed, but tasks were deferred: run again later"
    case .signal: Self.signalMeaning
    }
  }

  static let signalMeaning = "ended by signal N; what can be resumed is kept"

  /// Those with a fixed number, in its order.
  static let documented: [ExitCode] = [
    .success, .failed, .usage, .machine, .running, .somethingToDo, .deferred,
  ]

  /// What a run came to.
  init(_ summary: RunSummary) {
    let failures = summary.count(.failed) - summary.excused
    let unfinished = failures + summary.count(.cancelled) + summary.count(.skipped)
    if let signal = summary.signal {
      self = .signal(signal)
    } else if summary.machineFailure != nil {
      self = .machine
    } else if unfinished > 0 {
      self = .failed
    } else {
      self = summary.count(.deferred) > 0 ? .deferred : .success
    }
  }
}

extension RunSummary {
  /// How many tasks ended with `outcome`.
  func count(_ outcome: Outcome) -> Int { counts[outcome] ?? 0 }
}

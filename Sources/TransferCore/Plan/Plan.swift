/// A resolved job: every default applied, every placeholder filled in but for secrets and captures.
package struct Plan: Sendable {
  package var job: JobIdentity
  package var settings: RunSettings
  package var secrets: [String: SecretSource]
  package var sessions: [SessionPlan]
  /// Policies that tasks point into by index: tasks with equal policies share one.
  package var policies: [TransferPolicy]
  /// In file order, after expansion.
  package var tasks: [TaskPlan]
  /// Checksum lists from addresses, each once.
  package var lists: [ListPlan]
  /// What the plan needs that this version doesn't do: empty, or `run` and `plan` end with 2.
  package var unavailable: [UnavailableFeature]

  package init(
    job: JobIdentity, settings: RunSettings, secrets: [String: SecretSource] = [:],
    sessions: [SessionPlan], policies: [TransferPolicy], tasks: [TaskPlan],
    lists: [ListPlan] = [], unavailable: [UnavailableFeature] = []
  ) {
    self.job = job
    self.settings = settings
    self.secrets = secrets
    self.sessions = sessions
    self.policies = policies
    self.tasks = tasks
    self.lists = lists
    self.unavailable = unavailable
  }

  /// Background sessions that tasks use.
  package var backgroundSessions: [SessionPlan] {
    usedSessions.sorted().map { sessions[$0] }.filter { $0.kind == .background }
  }

  /// Sessions that tasks use.
  package var usedSessions: Set<Int> { Set(tasks.lazy.map(\.session)) }
}

/// Which job this is and where its file stands.
package struct JobIdentity: Equatable, Sendable {
  package var name: String
  package var description: String?
  /// The job file, absolute; `-` for standard input.
  package var file: String
  /// The job file's folder, absolute.
  package var folder: String
  /// Where relative paths of tasks start, absolute.
  package var root: String

  package init(
    name: String, description: String? = nil, file: String, folder: String, root: String
  ) {
    self.name = name
    self.description = description
    self.file = file
    self.folder = folder
    self.root = root
  }
}

/// The settings of the whole run.
package struct RunSettings: Equatable, Sendable {
  package enum OnFailure: String, Sendable, CaseIterable { case `continue`, stop }

  package var durability: Durability = .batch
  /// After so many failed tasks nothing new starts.
  package var maxErrors: Int?
  package var allowEmpty = false
  /// Past it no new task starts and running ones stop with their resume state.
  package var deadline: Duration?
  /// Transfers at once in the whole run, from 1.
  package var maxParallel = 16
  package var rateLimit = RateLimit()
  package var onFailure = OnFailure.continue
  /// IANA name; nil is the system's.
  package var timezone: String?
  /// The state's folder, absolute; nil is the default under `$XDG_STATE_HOME`.
  package var stateFolder: String?
  /// The completion log, absolute; nil is `completion.jsonl` in the state's folder.
  package var logPath: String?

  package init() {}
}

/// When written bytes are made to outlive a power cut.
package enum Durability: String, Sendable, CaseIterable {
  /// Commits are grouped; nothing is claimed before it is on disk.
  case batch
  /// Each file by itself.
  case file
  /// Never flushed by us.
  case none
}

/// Where a secret's value comes from. Resolved only when a task that uses it is about to run.
package enum SecretSource: Equatable, Sendable {
  case environment(String)
  /// Absolute path; a trailing newline is dropped.
  case file(String)
  /// A file below systemd's `$CREDENTIALS_DIRECTORY`.
  case credential(String)
  /// A program and its arguments, no shell; run in the job file's folder.
  case command([String])
}

/// Something the contract names that a later version brings.
package struct UnavailableFeature: Equatable, Sendable {
  /// The path in the job file, like `tasks[3].segments`.
  package var path: String
  /// What is asked for, in words.
  package var what: String
  /// 1-based place in the job file.
  package var line: Int
  package var column: Int

  package init(path: String, what: String, line: Int, column: Int) {
    self.path = path
    self.what = what
    self.line = line
    self.column = column
  }
}

import TransferCore

/// Why a job's state can't be used.
package enum StateError: Error, Equatable, Sendable {
  /// The folder or a file in it.
  case file(FileError)
  /// SQLite, working on the database at `path`.
  case database(SQLiteError, path: String)
  /// A later jobrun wrote it.
  case newerVersion(found: Int, known: Int, path: String)
  /// Another existing file gave the job of this name its state.
  case otherFile(job: String, stored: String, given: String)
  /// The folder holds the state of a job of another name.
  case otherJob(stored: String, given: String, folder: String)

  /// The author must decide (exit 2); otherwise the machine is in the way (exit 3).
  package var isUsage: Bool {
    switch self {
    case .file, .database: false
    case .newerVersion, .otherFile, .otherJob: true
    }
  }

  /// SQLite found pages that make no sense: `StateStore.rebuild` is the way on.
  package var isDamage: Bool {
    if case .database(let error, _) = self { error.kind == .damaged } else { false }
  }

  /// What the operator is told.
  package var message: String {
    switch self {
    case .file(let error): error.failure.detail
    case .database(let error, let path): "\(Self.words(error, path)) (\(error.message))"
    case .newerVersion(let found, let known, let path):
      """
      \(path) was written by a later jobrun
      its version is \(found) and this jobrun knows \(known); use the later jobrun, or another
      folder with --state DIR
      """
    case .otherFile(let job, let stored, let given):
      """
      there is another job named `\(job)`: \(stored)
      its state can't be \(given)'s as well;
      give one of them its own `name:`, or its own folder with --state DIR
      """
    case .otherJob(let stored, let given, let folder):
      """
      \(folder) holds the state of the job `\(stored)`, not of `\(given)`
      use another folder with `state:` or --state DIR
      """
    }
  }

  package var failure: TransferFailure { TransferFailure(.disk, message) }

  private static func words(_ error: SQLiteError, _ path: String) -> String {
    switch error.kind {
    case .busy: "another process keeps the state locked: \(path)"
    case .damaged: "the state is damaged: \(path)"
    case .full: "no room for the state, or the disk failed: \(path)"
    case .notWritable: "the state can't be opened or written: \(path)"
    case .other: "the state can't be used: \(path)"
    }
  }
}

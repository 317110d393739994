import Glibc
import TransferCore

/// A job's lock, state and log, open for one run, with what a dead run left set right.
package final class RunSession {
  /// Why a run can't begin.
  package enum Problem: Error {
    /// Another run of the job is going on.
    case held(JobLock.Holder)
    /// The state belongs to another job file, or to a newer jobrun.
    case usage(String)
    /// The machine is in the way.
    case machine(TransferFailure)
  }

  package let store: StateStore
  package let log: CompletionLog
  /// The run that begins, and the chain that it goes on with.
  package let chain: RunChain
  /// What was found and set right: for the operator.
  package let notices: [String]
  private let lock: JobLock
  private let isFresh: Bool

  /// Takes the lock, opens what is there and makes what is missing.
  /// - Parameters:
  ///   - logPath: the completion log, absolute; nil is the state folder's own.
  ///   - fresh: forget resume state and begin a new chain.
  package init(
    folder: StateFolder, job: JobIdentity, logPath: String?, runID: String, now: WallTime,
    fresh: Bool
  ) throws(Problem) {
    lock = try Self.lock(folder, now)
    do throws(StateError) {
      store = try StateStore(folder: folder, job: job, now: now)
    } catch { throw Self.problem(error) }
    do throws(FileError) {
      log = try CompletionLog(path: logPath ?? folder.log)
    } catch { throw .machine(error.machineFailure) }
    let recovery: RunRecovery.Report
    do throws(RunRecovery.Failure) {
      recovery = try RunRecovery.recover(store, log, now: now)
    } catch { throw .machine(error.failure) }
    do throws(StateError) {
      chain = try store.nextRun(id: runID, at: now, fresh: fresh)
    } catch { throw Self.problem(error) }
    isFresh = fresh
    notices = store.notices + Self.words(recovery, chain)
  }

  /// The run begins: from here on it counts as killed until its end is told. What is wrong with
  /// the command line is found before.
  package func begin() throws(Problem) {
    do throws(StateError) {
      if isFresh { try store.forgetProgress() }
      try store.startRun(chain)
    } catch { throw Self.problem(error) }
  }

  /// Tasks that ended `done` earlier in this chain, with the run that did them.
  package func doneInChain() throws(Problem) -> [String: String] {
    do throws(StateError) { return try store.doneInChain(chain) } catch {
      throw Self.problem(error)
    }
  }

  /// Whether a task of this id has committed a file.
  package func hasCommitted(_ task: String) -> Bool {
    (try? store.committedFile(task)) != nil
  }

  private static func lock(_ folder: StateFolder, _ now: WallTime) throws(Problem) -> JobLock {
    let attempt: JobLock.Attempt
    do throws(FileError) {
      try folder.create()
      attempt = try JobLock.attempt(folder, now: now)
    } catch { throw .machine(error.machineFailure) }
    switch attempt {
    case .taken(let lock): return lock
    case .held(let holder): throw .held(holder)
    }
  }

  private static func problem(_ error: StateError) -> Problem {
    error.isUsage ? .usage(error.message) : .machine(error.failure)
  }

  private static func words(_ recovery: RunRecovery.Report, _ chain: RunChain) -> [String] {
    var words: [String] = []
    if let died = recovery.died { words.append("run \(died) was killed before its end") }
    if let first = chain.continues { words.append("continuing the run that began as \(first)") }
    return words
  }
}

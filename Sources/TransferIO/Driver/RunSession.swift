import Glibc
import TransferCore

/// A job's lock, state and log, open for one run, with what a dead run left set right.
package final class RunSession {
  /// Why a run can't begin.
  package enum Problem: Error {
    /// Another run of the job is going on.
    case held(JobLock.Holder)
    /// A run has a background session of this identifier.
    case heldIdentifier(String, JobLock.Holder)
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
  package var notices: [String] { store.notices + recovered }
  private let recovered: [String]
  private let lock: JobLock
  private let identifiers: [JobLock]
  private let started: WallTime

  /// Takes the lock, opens what is there and makes what is missing.
  /// - Parameters:
  ///   - logPath: the completion log, absolute; nil is the state folder's own.
  ///   - fresh: begin a new chain.
  ///   - claims: the identifiers of its background sessions.
  package init(
    folder: StateFolder, job: JobIdentity, logPath: String?, runID: String, now: WallTime,
    fresh: Bool, claims: IdentifierLock.Claims
  ) throws(Problem) {
    lock = try Self.lock(folder, now)
    identifiers = try IdentifierLock.take(claims, now: now)
    let store: StateStore
    let log: CompletionLog
    do throws(StateError) {
      store = try StateStore(folder: folder, job: job, now: now)
    } catch { throw Self.problem(error) }
    do throws(FileError) {
      log = try CompletionLog(path: logPath ?? folder.log)
    } catch { throw .machine(error.machineFailure) }
    (self.store, self.log) = (store, log)
    let recovery: RunRecovery.Report
    (recovery, chain) = try Self.mending(store, now) { () throws(RunRecovery.Failure) in
      let recovery = try RunRecovery.recover(store, log, now: now)
      do throws(StateError) {
        return (recovery, try store.nextRun(id: runID, at: now, fresh: fresh))
      } catch { throw .state(error) }
    }
    started = now
    recovered = Self.words(recovery, chain)
  }

  /// Tries once more with a new database when the state proves to be damaged: the old one is set
  /// aside.
  private static func mending<Value>(
    _ store: StateStore, _ now: WallTime, _ body: () throws(RunRecovery.Failure) -> Value
  ) throws(Problem) -> Value {
    do throws(RunRecovery.Failure) { return try body() } catch {
      guard case .state(let damage) = error, damage.isDamage else { throw problem(error) }
      do throws(RunRecovery.Failure) {
        do throws(StateError) { try store.rebuild(after: damage, now: now) } catch {
          throw .state(error)
        }
        return try body()
      } catch { throw problem(error) }
    }
  }

  private static func problem(_ error: RunRecovery.Failure) -> Problem {
    if case .state(let error) = error { problem(error) } else { .machine(error.failure) }
  }

  /// Sets a state aside that proved to be damaged in the middle of the run, so that the next one
  /// begins anew; what was done, in words. nil when it isn't damaged.
  package func setAside(_ error: StateError) -> String? {
    guard error.isDamage else { return nil }
    do throws(StateError) { try store.rebuild(after: error, now: started) } catch {
      return error.message
    }
    return store.notices.last
  }

  /// The run begins: from here on it counts as killed until its end is told. What is wrong with
  /// the command line is found before.
  /// - Parameter choice: what is run of the job, and how.
  package func begin(_ choice: RunChoice = RunChoice()) throws(Problem) {
    try Self.mending(store, started) { () throws(RunRecovery.Failure) in
      do throws(StateError) {
        if choice.isFresh { try store.forgetProgress(of: choice.tasks) }
        try store.startRun(chain, isPart: choice.tasks != nil)
      } catch { throw .state(error) }
    }
  }

  /// Tasks that ended `done` earlier in this chain, with the run that did them.
  package func doneInChain() throws(Problem) -> [String: String] {
    try Self.mending(store, started) { () throws(RunRecovery.Failure) in
      do throws(StateError) { return try store.doneInChain(chain) } catch {
        throw .state(error)
      }
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

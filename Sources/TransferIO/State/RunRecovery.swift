import Glibc
import TransferCore

/// Sets right, before a run begins, what the last one left unfinished when it died.
package enum RunRecovery {
  /// What was found.
  package struct Report: Equatable, Sendable {
    /// Tasks whose file had its name already and is remembered now.
    package var committed: [String] = []
    /// Lines that the log lacked.
    package var replayed = 0
    /// The run that died.
    package var died: String?

    package init() {}
  }

  /// Completes commits that were cut between rename and record, tells the end of a run that died,
  /// and brings the log up to the state. Ends the batch, flushes the log. The job's lock is held.
  package static func recover(
    _ store: StateStore, _ log: CompletionLog, now: WallTime
  ) throws(Failure) -> Report {
    do throws(Failure) { return try attempt(store, log, now) } catch {
      guard case .state(let damage) = error, damage.isDamage else { throw error }
      do throws(StateError) { try store.rebuild(after: damage, now: now) } catch {
        throw .state(error)
      }
      return Report()
    }
  }

  private static func attempt(
    _ store: StateStore, _ log: CompletionLog, _ now: WallTime
  ) throws(Failure) -> Report {
    var report = Report()
    do throws(StateError) {
      report.committed = try finishIntents(store)
      report.died = try endDeadRun(store, now)
      try store.commit()
      // What the dead run committed last need not be on disk yet; this one builds on it.
      if report.died != nil, fdatasync(try store.walDescriptor()) != 0 {
        throw .file(.last("flush", store.folder.database))
      }
    } catch { throw .state(error) }
    report.replayed = try replay(store, log)
    return report
  }

  package enum Failure: Error, Equatable, Sendable {
    case state(StateError)
    case log(FileError)

    /// What the operator is told: the machine is in the way.
    package var failure: TransferFailure {
      switch self {
      case .state(let error): error.failure
      case .log(let error): error.machineFailure
      }
    }
  }

  private static func finishIntents(_ store: StateStore) throws(StateError) -> [String] {
    var committed: [String] = []
    for intent in try store.intents() {
      // A target that can't be looked at is as one that isn't there.
      let target = (try? FileFacts.read(intent.file.path)) ?? nil
      guard intent.isCommitted(at: target) else { continue }
      do throws(FileError) { try flushFolder(of: intent.file.path) } catch { throw .file(error) }
      try store.finish(intent.file, task: intent.task)
      committed.append(intent.task)
    }
    try store.dropAllIntents()
    return committed
  }

  /// After a kill the new name may not be on disk yet, and nothing is claimed before it is.
  private static func flushFolder(of path: String) throws(FileError) {
    let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
    let descriptor = try FolderOpening.follow(String(folder))
    defer { close(descriptor) }
    if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw .last("flush the folder", String(folder))
    }
  }

  private static func endDeadRun(
    _ store: StateStore, _ now: WallTime
  ) throws(StateError) -> String? {
    guard var run = try store.lastRun(), run.outcome == nil else { return nil }
    let end = RunEnd(died: try store.summary(of: run))
    var json = JSONWriter()
    let record = RunRecord(runID: run.chain.runID, job: store.job.name)
    RecordEncoding.runFinished(end, of: record, at: now, to: &json)
    try store.add(endOf: run, line: json.bytes)
    run.outcome = end.outcome
    try store.put(run)
    return run.chain.runID
  }

  private static func replay(
    _ store: StateStore, _ log: CompletionLog
  ) throws(Failure) -> Int {
    let records: [StoredRecord]
    do throws(StateError) { records = try store.unloggedRecords() } catch { throw .state(error) }
    guard let last = records.last else { return 0 }
    // The log is the image of a state that is there: after a power cut too.
    do throws(StateError) { try store.flush() } catch { throw .state(error) }
    var count = 0
    do throws(FileError) {
      let missing = try log.missing(of: records)
      count = missing.count
      try log.append(missing.flatMap { $0.line + [UInt8(ascii: "\n")] })
      try log.flush()
    } catch { throw .log(error) }
    do throws(StateError) {
      try store.markLogged(through: last.id)
      try store.commit()
    } catch { throw .state(error) }
    return count
  }
}

import TransferCore

/// Makes part files the targets, in the durable order: the part's data on disk, an intent row on
/// disk, rename, the folder on disk. Commits are grouped, so that one flush serves many; while one
/// group is flushed the next gathers.
///
///     gathering --flush--> flushed --rename--> renamed --flush--> settled
///
/// A group's second flush is the next group's first.
final class CommitPipeline {
  /// A commit that came to its end.
  struct Settled {
    var task: Int32
    /// What to remember of the target, or why it could not be made.
    var result: Result<CommittedFile, TransferFailure>
    /// The row of its intent, for `release` once the file is remembered.
    var intents: Int64?
  }

  private struct Entry {
    var request: CommitRequest
    var part: TargetPart
    var file: CommittedFile
    /// The row of its intent, which its group shares.
    var intents: Int64?
  }

  /// A group of so many files is flushed at once.
  private let groupLimit: Int
  /// A group waits at most so long for more.
  private static let patience = Duration.milliseconds(100)

  private let plan: Plan
  private let state: StateStore
  private let flusher: Flusher
  private let recorder: Recorder
  private var gathering: [Entry] = []
  /// Since when something waits for the next flush.
  private var waitingSince = Instant(nanoseconds: 0)
  /// Under the flusher's hand.
  private var flushing: [Entry] = []
  /// They have their names; their folders are not flushed yet.
  private var renamed: [Entry] = []
  private var settling: [Entry] = []
  /// Folders in which folders were made for what gathers.
  private var made: [TargetFolder] = []
  /// Those of the group under way: flushed with it, and open until then.
  private var flushingMade: [TargetFolder] = []
  private var flushID: UInt64?
  /// The log under the flush, and up to which record it has everything.
  private var log: (file: LogFile, through: Int64)?
  /// Up to which record the log is known to be on disk, while that isn't written down.
  private var flushedLog: Int64?
  private var flushes: UInt64 = 0
  private var settled: [Settled] = []
  /// Rows of intents, and how many of their files are not remembered yet.
  private var unremembered: [Int64: Int] = [:]

  /// - Parameter groupLimit: so many files are flushed together, however short they have waited.
  init(
    plan: Plan, state: StateStore, flusher: Flusher, recorder: Recorder, groupLimit: Int = 256
  ) {
    self.groupLimit = min(256, groupLimit)
    self.plan = plan
    self.state = state
    self.flusher = flusher
    self.recorder = recorder
  }

  var isEmpty: Bool {
    gathering.isEmpty && flushing.isEmpty && renamed.isEmpty && settling.isEmpty && settled.isEmpty
  }

  /// - Parameter made: folders in which folders were made for it.
  func add(
    _ request: CommitRequest, _ part: TargetPart, made: [TargetFolder], now: Instant
  ) throws(StateError) {
    self.made += made
    var entry: Entry
    do throws(TransferFailure) {
      var file = try part.finish(request)
      file.askedURL = request.askedURL
      entry = Entry(request: request, part: part, file: file)
    } catch {
      part.discard()
      settled.append(Settled(task: request.task, result: .failure(error)))
      return
    }
    if plan.settings.durability == .none { return try putUnflushed(&entry) }
    if gathering.isEmpty, renamed.isEmpty { waitingSince = now }
    gathering.append(entry)
  }

  /// Puts a file in place at once, with nothing flushed.
  private func putUnflushed(_ entry: inout Entry) throws(StateError) {
    made = []
    // Should we die before its record, one that may be replaced is fetched again. One that may not
    // would be in its own way, unless it is known as ours.
    if protectsTarget(entry), remembers(entry) {
      entry.intents = try putIntents([entry])
      try state.commit()
    }
    settle(entry, rename(entry))
  }

  private func putIntents(_ entries: [Entry]) throws(StateError) -> Int64 {
    let row = try state.put(entries.map { CommitIntent(task: taskID($0), file: $0.file) })
    unremembered[row] = entries.count
    return row
  }

  /// A settled file is remembered, or will never be: its intent is dropped, in the same batch, with
  /// those of its group when it is their last.
  func release(_ intents: Int64?) throws(StateError) {
    guard let intents, let count = unremembered.removeValue(forKey: intents) else { return }
    if count > 1 { unremembered[intents] = count - 1 } else { try state.dropIntents(intents) }
  }

  /// Does what is due; the commits that came to their end.
  /// - Parameter isIdle: nothing is being transferred, so that nothing more will gather.
  func turn(now: Instant, isIdle: Bool) throws(StateError) -> [Settled] {
    if flushID == nil, isDue(now, isIdle) { try flush() }
    defer { settled = [] }
    return settled
  }

  /// When the waiting group is flushed at the latest; nil when none waits for time.
  var nextDue: Instant? {
    flushID != nil || (gathering.isEmpty && renamed.isEmpty) ? nil : waitingSince + Self.patience
  }

  private func isDue(_ now: Instant, _ isIdle: Bool) -> Bool {
    if gathering.isEmpty && renamed.isEmpty { return false }
    if isIdle || plan.settings.durability == .file { return true }
    if gathering.count >= groupLimit { return true }
    if gathering.contains(where: \.request.hasDependents) { return true }
    if renamed.contains(where: \.request.hasDependents) { return true }
    return now >= waitingSince + Self.patience
  }

  private func flush() throws(StateError) {
    (flushing, gathering) = (gathering, [])
    (settling, renamed) = (renamed, [])
    let remembered = flushing.indices.filter { remembers(flushing[$0]) }
    if !remembered.isEmpty {
      let row = try putIntents(remembered.map { flushing[$0] })
      for index in remembered { flushing[index].intents = row }
    }
    if let through = flushedLog { try recorder.mark(through: through) }
    flushedLog = nil
    try state.commit()
    let log = (file: recorder.logFile, through: recorder.appended)
    self.log = log
    (flushingMade, made) = (made, [])
    // Even numbers are commits', odd ones checkpoints'.
    flushes += 2
    var batch = FlushBatch(id: flushes)
    batch.files = flushing.map { .init(descriptor: $0.part.descriptor, device: $0.part.device) }
    let folders = settling.map(\.part.folderDescriptor) + flushingMade.map(\.descriptor)
    batch.folders = Array(Set(folders))
    batch.logs = [try state.walDescriptor(), log.file.descriptor]
    if state.takeCheckpointDue() { batch.checkpoint = state.folder.database }
    flushID = batch.id
    flusher.submit(batch)
  }

  /// Takes what came of a flush; one of somebody else's is left alone.
  func take(_ result: FlushResult, now: Instant) {
    guard result.id == flushID else { return }
    flushID = nil
    if result.failed.isEmpty { flushedLog = log?.through }
    log = nil
    if gathering.isEmpty { waitingSince = now }
    let machine = result.failed.first { failed in
      !flushing.contains { $0.part.descriptor == failed.key }
    }
    for entry in settling { settle(entry, machine.map { failure($0.value, entry.part.path) }) }
    for entry in flushing {
      let fault = result.failed[entry.part.descriptor] ?? machine?.value
      // A checkpoint's flush may have failed meanwhile.
      if let number = fault ?? entry.part.flushFault {
        entry.part.distrust(number)
        settle(entry, failure(number, entry.part.partPath))
      } else if let failure = rename(entry) {
        settle(entry, failure)
      } else {
        renamed.append(entry)
      }
    }
    flushing = []
    settling = []
    flushingMade = []
  }

  private func failure(_ number: Int32, _ path: String) -> TransferFailure {
    FileError(.system(number), "flush", path).machineFailure
  }

  private func rename(_ entry: Entry) -> TransferFailure? {
    do throws(TransferFailure) {
      try entry.part.rename(replacing: replaces(entry))
      return nil
    } catch {
      entry.part.discard()
      return error
    }
  }

  private func settle(_ entry: Entry, _ failure: TransferFailure?) {
    settled.append(
      Settled(
        task: entry.request.task, result: failure.map { .failure($0) } ?? .success(entry.file),
        intents: entry.intents))
  }

  /// Whether a file that stands at the target may be replaced: one that this task wrote may, even
  /// where others are protected.
  private func replaces(_ entry: Entry) -> Bool {
    guard protectsTarget(entry) else { return true }
    guard let known = try? state.committedFile(taskID(entry)),
      let there = try? FileFacts.read(entry.file.path)
    else { return false }
    return known.inode == there.inode && known.path == entry.file.path
  }

  /// Whether what others put at the target must stay.
  private func protectsTarget(_ entry: Entry) -> Bool {
    guard case .download(let download) = plan.tasks[Int(entry.request.task)].work else {
      return false
    }
    return !download.overwrites
  }

  private func taskID(_ entry: Entry) -> String { plan.tasks[Int(entry.request.task)].id }
  /// Whether the state keeps what it is of: downloads of sessions that keep any.
  private func remembers(_ entry: Entry) -> Bool {
    let task = plan.tasks[Int(entry.request.task)]
    guard case .download = task.work else { return false }
    return plan.sessions[task.session].keepsState
  }
}

import TransferCore

/// A line of the completion log.
struct LogLine: Hashable {
  enum Event: Hashable {
    case started
    case task(Int32, Outcome)
    case ended
  }
  var run: Int
  var event: Event
}

/// What the state's database holds.
struct StateImage {
  struct Run {
    var number: Int
    /// The chain's first run.
    var origin: Int
    var exitCode: Int32?
    var hasEnded = false
  }

  var runs: [Run] = []
  var committed: [Int32: CommittedFile] = [:]
  var checkpoints: [Int32: Checkpoint] = [:]
  var intents: [Int32: CommitIntent] = [:]
  /// Hosts that asked to be left alone.
  var holds: [String: WallTime] = [:]
  var records: [LogLine] = []
  /// So many records are known to be in the log.
  var logged = 0

  mutating func finish(_ file: CommittedFile, _ task: Int32) {
    committed[task] = file
    intents[task] = nil
    checkpoints[task] = nil
  }
}

/// A database with a write-ahead log: transactions hold after a kill once they are committed, and
/// after a power cut once the log was flushed; of those between, the first few may hold.
final class SimulatedState {
  /// As the run sees it: with what is not committed yet.
  var image = StateImage() { didSet { hasUncommitted = true } }
  private(set) var commits = 0
  private var hasUncommitted = false
  /// Committed and not known to be durable, the oldest first; the first one is durable.
  private var kept: [StateImage] = [StateImage()]
  private var durable = 0

  /// - Returns: the transaction's number, for `flushed`.
  @discardableResult
  func commit() -> Int {
    if hasUncommitted {
      commits += 1
      kept.append(image)
      hasUncommitted = false
    }
    return commits
  }

  /// The log is on disk up to that transaction.
  func flushed(through commit: Int) {
    if commit <= durable { return }
    kept.removeFirst(commit - durable)
    durable = commit
  }

  func kill() {
    image = kept[kept.count - 1]
    hasUncommitted = false
  }

  func cutPower(_ chance: Chance) {
    kept.removeLast(chance.below(kept.count))
    commits = durable + kept.count - 1
    kill()
    flushed(through: commits)
  }
}

/// The completion log's file: appended to, flushed now and then.
struct SimulatedLog {
  private(set) var lines: [LogLine] = []
  private var durable = 0

  mutating func append(_ new: [LogLine]) { lines += new }
  mutating func flushed(through count: Int) { durable = max(durable, count) }

  mutating func cutPower(_ chance: Chance) {
    lines.removeLast(chance.below(lines.count - durable + 1))
    durable = lines.count
  }
}

/// What the run machine wants done: performed in order, each once.
package enum RunAction {
  /// Resolve the task's secrets, look at its files and state, open its part file.
  case inspect(task: Int32)
  /// A checksum list is here whole, for all tasks that name it.
  case learn(list: Int32, [UInt8])
  /// Send the request. `hashing`: digests to be made of the bytes as they pass.
  case transfer(TransferRequest, hashing: [ChecksumAlgorithm])
  /// Hash the part file up to this byte, which is what a commit would put in place: bytes of it
  /// were there before this run looked, and more may lie behind them.
  case hashPart(task: Int32, [ChecksumAlgorithm], size: Int64)
  /// The task's first request ends where this byte would come: others fetch those from there on.
  /// nil lets it go on to its end.
  case bound(task: Int32, upTo: Int64?)
  /// Send `storing` of the task, if its first request is still taking a body.
  case measure(task: Int32)
  /// End what the task has under way now: its requests' reports come as any other, and `aborted`
  /// where none is.
  case abort(task: Int32)
  /// Make the part file the target.
  case commit(CommitRequest)
  /// A host asks us to wait for longer than this run may: remember it for the next.
  case hold(host: String, until: WallTime)
  /// The task has ended: state, log, progress.
  case record(TaskEnd)
  /// Send `woke` at that moment, unless a later action names another.
  case wake(at: Instant)
  /// Every task has ended.
  case finish(RunSummary)
}

/// How a task ended. An object: it is handed on to whoever tells of it.
package final class TaskEnd: Sendable {
  package let result: TaskResult
  package let part: PartFate

  package init(_ result: TaskResult, part: PartFate) {
    self.result = result
    self.part = part
  }
}

/// What becomes of a part file when its task ends.
package enum PartFate: Equatable, Sendable {
  /// There is none, or it became the target.
  case none
  /// Kept for a later resume, with what its bytes belong to.
  case keep(validator: Validator, total: Int64?, url: String)
  case discard
}

/// A whole part file on its way to its target.
package struct CommitRequest: Sendable {
  package var task: Int32
  /// Without user info and secrets: where the bytes came from.
  package var url: String
  /// The task's address that was asked, where redirects led from it to `url`; nil when none did.
  package var askedURL: String?
  package var validator: Validator
  package var sha256: String?
  /// Bytes that the target has: what a part file holds beyond them is of no answer.
  package var size: Int64
  /// Bytes for the target when they don't come from a part file: `save` of a data task, and small
  /// downloads.
  package var bytes: [UInt8]?
  /// Other tasks wait for this one.
  package var hasDependents = false

  package init(
    task: Int32, url: String, validator: Validator, sha256: String?, size: Int64,
    bytes: [UInt8]?
  ) {
    self.task = task
    self.url = url
    self.validator = validator
    self.sha256 = sha256
    self.size = size
    self.bytes = bytes
  }
}

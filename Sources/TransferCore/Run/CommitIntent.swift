/// What the state claims before a part file takes its target's name: should the target turn out to
/// be that very file, it counts as committed.
package struct CommitIntent: Equatable, Sendable {
  package var task: String
  /// What is remembered of the target once the rename is done; inode and size are the part's.
  package var file: CommittedFile

  package init(task: String, file: CommittedFile) {
    self.task = task
    self.file = file
  }

  /// The rename took place when the target is the file that the part was.
  /// - Parameter target: what stands at the target's path.
  package func isCommitted(at target: FileFacts?) -> Bool {
    guard let target else { return false }
    return target.kind == .regular && target.inode == file.inode && target.size == file.size
  }
}

/// The names of part files: the same for a task of a job in every run.
package struct PartNames: Sendable {
  private let job: String

  /// - Parameter job: the job's name.
  package init(job: String) { self.job = job }

  /// `.jobrun-<16 hex digits of job and task>.part`, in the target's folder. On any thread.
  package func name(ofTask task: String) -> String {
    let key = Array(job.utf8) + [0] + Array(task.utf8)
    return ".jobrun-\(Digest.sha256(key).prefix(16)).part"
  }
}

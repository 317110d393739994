import TransferCore

/// The names of part files: the same for a task of a job in every run.
package final class PartNames {
  private let job: String
  private let methods = DigestMethods()

  /// - Parameter job: the job's name.
  package init(job: String) { self.job = job }

  /// `.jobrun-<16 hex digits of job and task>.part`, in the target's folder.
  package func name(ofTask task: String) throws(TransferFailure) -> String {
    let key = Array(job.utf8) + [0] + Array(task.utf8)
    do throws(DigestError) {
      let digest = try methods.start(.sha256)
      unsafe digest.update(key.span.bytes)
      return ".jobrun-\(digest.finish().prefix(16)).part"
    } catch { throw error.failure }
  }
}

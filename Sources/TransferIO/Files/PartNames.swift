import CLinux
import Glibc

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

  /// The part files that lie in an open folder; nil when it can't be read, or has more than `limit`
  /// entries.
  static func lying(in folder: Int32, limit: Int) -> Set<String>? {
    let descriptor = unsafe jobrun_openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    guard let stream = unsafe fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { unsafe closedir(stream) }
    var names: Set<String> = []
    for _ in 0...limit {
      errno = 0
      guard let entry = unsafe readdir(stream) else { return errno == 0 ? names : nil }
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".jobrun-") { names.insert(name) }
    }
    return nil
  }
}

import CLinux
import Glibc
import TransferCore

/// The lock that one run of a job holds. The kernel drops it with its process, so a lock file that
/// a killed run left is no obstacle; the file itself stays. Not Sendable.
package final class JobLock {
  /// Who has it.
  package struct Holder: Equatable, Sendable {
    /// nil when the file doesn't tell.
    package var process: Int32?
    /// RFC 3339.
    package var since: String?
    /// The job that the process runs.
    package var job: String?
  }

  package enum Attempt {
    case taken(JobLock)
    case held(Holder)
  }

  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Unlocked first: a program that is just being started holds the descriptor until its exec, and
  /// with it the lock.
  deinit {
    _ = jobrun_unlock(descriptor)
    close(descriptor)
  }

  /// Takes the lock of the job whose state is in `folder`, which is there already, or says who has
  /// it. Doesn't wait.
  package static func attempt(
    _ folder: StateFolder, now: WallTime
  ) throws(FileError) -> Attempt {
    try attempt(path: folder.lock, now: now, job: nil)
  }

  /// The same of any lock file.
  /// - Parameter job: who takes it, for others to read.
  static func attempt(
    path: String, now: WallTime, job: String?
  ) throws(FileError) -> Attempt {
    let lock = JobLock(descriptor: try open(path, O_RDWR | O_CREAT))
    if jobrun_lock(lock.descriptor) != 0 {
      if errno != EAGAIN && errno != EACCES { throw .last("lock", path) }
      return .held(read(lock.descriptor))
    }
    try lock.sign(now, job, path)
    return .taken(lock)
  }

  /// Who has the lock now; nil when nobody has. Takes nothing, so it is in nobody's way.
  package static func holder(_ folder: StateFolder) throws(FileError) -> Holder? {
    guard StateFolder.exists(folder.lock) else { return nil }
    let probe = JobLock(descriptor: try open(folder.lock, O_RDONLY))
    switch jobrun_is_locked(probe.descriptor) {
    case 0: return nil
    case 1: return read(probe.descriptor)
    default: throw .last("look at the lock", folder.lock)
    }
  }

  private static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    let descriptor = unsafe jobrun_openat(
      AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw .last("open", path) }
    return descriptor
  }

  private func sign(_ now: WallTime, _ job: String?, _ path: String) throws(FileError) {
    let name = job.map { $0 + "\n" } ?? ""
    let text = Array("\(getpid())\n\(now.rfc3339)\n\(name)".utf8)
    let written = unsafe text.withUnsafeBytes { text in
      unsafe pwrite(descriptor, text.baseAddress, text.count, 0)
    }
    if written != text.count || ftruncate(descriptor, text.count) != 0 {
      throw .last("write to", path)
    }
  }

  private static func read(_ descriptor: Int32) -> Holder {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let lines = text.split(separator: "\n")
    return Holder(
      process: lines.first.flatMap { Int32($0) }, since: lines.dropFirst().first.map(String.init),
      job: lines.dropFirst(2).first.map(String.init))
  }
}

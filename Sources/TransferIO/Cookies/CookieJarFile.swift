import CLinux
import Glibc
import TransferCore

/// A cookie jar on disk, which runs share: each lays its own changes over what is there, one at a
/// time, and puts a whole new file in the old one's place.
struct CookieJarFile: Equatable, Sendable {
  /// Absolute.
  let path: String
  /// Made by jobrun; else a file that a job names.
  let isOurs: Bool
  /// A run that can't read or write it can't go on. The user's shared jar, which a session has
  /// without asking, is not worth a run.
  let isRequired: Bool

  /// Bytes that a jar may have.
  private static let bound = 8 * 1_048_576
  /// Each of the runs that are ahead holds the lock for the time of one small write.
  private static let patience = Duration.seconds(30)

  /// What is there; empty when there is no file.
  func read() throws(FileError) -> CookieFile {
    do throws(BoundedFile.Problem) {
      return CookieFile(try BoundedFile.read(path, bound: Self.bound).bytes)
    } catch {
      switch error {
      case .failed(let error) where error.cause == .system(ENOENT): return CookieFile()
      case .failed(let error): throw error
      case .tooLarge: throw FileError(.system(EFBIG), "read", path)
      }
    }
  }

  /// What is there, for a run: damage is set aside, and what of it can be read is kept.
  /// - Returns: and what was done, in words.
  func readForRun(at now: WallTime) throws(FileError) -> (file: CookieFile, notice: String?) {
    let file = try read()
    let count = file.unreadable.count
    if count == 0 { return (file, nil) }
    if !isOurs {
      return (file, "\(path): \(count) of its lines are no cookies; they stay as they are")
    }
    let set = try locked { () throws(FileError) in
      var again = try read()
      let notice = again.unreadable.isEmpty ? nil : try setAside(&again, now)
      return (file: again, notice: notice)
    }
    try flushFolder()
    return set
  }

  /// Lays a run's changes over what is there now.
  /// - Returns: what was set aside, in words.
  func merge(_ changes: CookieChanges, at now: WallTime) throws(FileError) -> String? {
    if isOurs { try FolderChain.create(folder, mode: 0o700) }
    let notice: String? = try locked { () throws(FileError) in
      var file = try read()
      let notice = isOurs && !file.unreadable.isEmpty ? try setAside(&file, now) : nil
      let before = file.cookies
      file.apply(changes, at: now.microseconds / 1_000_000)
      if file.cookies != before { try replace(by: file) }
      return notice
    }
    // The next run need not wait for it.
    try flushFolder()
    return notice
  }

  /// The old file gets a second name before the new one takes its place, so that there is one at
  /// every moment.
  private func setAside(
    _ file: inout CookieFile, _ now: WallTime
  ) throws(FileError) -> String {
    let target = DamagedName.free(for: path, at: now)
    if unsafe linkat(AT_FDCWD, path, AT_FDCWD, target, 0) != 0 { throw .last("set aside", path) }
    file.dropUnreadable()
    try replace(by: file)
    return "the cookie jar \(path) was damaged: it is set aside as \(target); "
      + "\(file.cookies.count) cookies of it could be read and are kept"
  }

  // MARK: Writing

  private var folder: String {
    String(path.prefix(upTo: slash)) + (slash == path.startIndex ? "/" : "")
  }
  private var name: String { String(path[path.index(after: slash)...]) }
  private var slash: String.Index { path.lastIndex(of: "/") ?? path.startIndex }

  private func beside(_ name: String) -> String { folder + (folder == "/" ? "" : "/") + name }

  private func replace(by file: CookieFile) throws(FileError) {
    var facts = stat()
    let isThere = unsafe stat(path, &facts) == 0
    let mode = isOurs || !isThere ? 0o600 : UInt32(facts.st_mode & 0o777)
    let new = beside(".\(name).new")
    let descriptor = try open(new, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    if fchmod(descriptor, mode) != 0 { throw .last("set the mode of", new) }
    try write(file.bytes, to: descriptor, new)
    if fsync(descriptor) != 0 { throw .last("flush", new) }
    if unsafe rename(new, path) != 0 { throw .last("replace", path) }
  }

  private func flushFolder() throws(FileError) {
    let holder = try FolderOpening.follow(folder)
    defer { close(holder) }
    if fsync(holder) != 0 { throw .last("flush", folder) }
  }

  private func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .last("write to", path) }
      done += count
    }
  }

  private func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    let descriptor = unsafe jobrun_openat(
      AT_FDCWD, path, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw .last("open", path) }
    return descriptor
  }

  /// The lock is on a file of its own, because the jar's is another one after each write.
  private func locked<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let lock = beside(".\(name).lock")
    let descriptor = try open(lock, O_RDWR)
    defer {
      _ = jobrun_unlock(descriptor)
      close(descriptor)
    }
    let end = Clock.monotonic() + Self.patience
    while jobrun_lock(descriptor) != 0 {
      if errno != EAGAIN && errno != EACCES && errno != EINTR { throw .last("lock", lock) }
      if Clock.monotonic() >= end { throw FileError(.locked, "lock", path) }
      usleep(5_000)
    }
    return try body()
  }
}

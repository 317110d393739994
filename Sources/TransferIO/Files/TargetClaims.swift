import CLinux
import Glibc

/// Keeps jobs apart that write one target: a lock for each name that is being written, on a byte of
/// a file in the targets' folder. The byte's place is made of the name, so that one file serves all
/// names, and taking a lock is one call of the system's. Runs that use the file share a lock on one
/// more byte, and it goes with the last of them; after a kill it stays until another run is through
/// with the folder.
final class TargetClaims {
  static let fileName = ".jobrun.lock"
  /// The byte of those who use the file, beyond all that names have.
  private static let users: Int64 = 1 << 62
  /// How often a file that its last user is about to remove is opened anew.
  private static let patience = 100

  private let folder: Int32
  private let path: String
  /// The open file; -1 before it is needed. Names are taken on the loop's thread and on the
  /// registrar's.
  private let box = PthreadBox<Int32>(-1)

  /// - Parameters:
  ///   - folder: open for as long as this object lives.
  ///   - path: the folder's, for messages.
  init(folder: Int32, path: String) {
    self.folder = folder
    self.path = path
  }

  /// The last word of its folder, whose descriptor is still open.
  func end() {
    box.with { descriptor in
      guard descriptor >= 0 else { return }
      // Whoever can lock it whole is alone with it.
      if jobrun_lock(descriptor) == 0 { unsafe unlinkat(folder, Self.fileName, 0) }
      close(descriptor)
      descriptor = -1
    }
  }

  /// Takes a name for this process; throws `locked` when another one has it. Where the file can't
  /// be had, or the file system knows no such locks, names are not kept apart.
  func take(_ name: String) throws(FileError) {
    let isFree = box.with { descriptor in
      open(&descriptor)
      return jobrun_lock_byte(descriptor, Self.place(of: name)) == 0
        || (errno != EAGAIN && errno != EACCES)
    }
    if !isFree { throw locked(name) }
  }

  /// For what is put in place in one step and so needs no lock of its own: throws `locked` when
  /// another process has the name.
  func expectFree(_ name: String) throws(FileError) {
    let isLocked = box.with { descriptor in
      open(&descriptor)
      return jobrun_is_byte_locked(descriptor, Self.place(of: name)) == 1
    }
    if isLocked { throw locked(name) }
  }

  private func locked(_ name: String) -> FileError {
    FileError(.locked, "write", path + "/" + name)
  }

  func giveBack(_ name: String) {
    box.with { descriptor in _ = jobrun_unlock_byte(descriptor, Self.place(of: name)) }
  }

  private func open(_ descriptor: inout Int32) {
    if descriptor >= 0 { return }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    for _ in 0..<Self.patience {
      // Another user's run must be able to lock it too, where the folder lets both write.
      descriptor = unsafe Self.fileName.withCString { name in
        unsafe jobrun_openat(folder, name, flags, 0o666)
      }
      if descriptor < 0 { return }
      // The last user locks it whole and removes it.
      let isShared = jobrun_share_byte(descriptor, Self.users) == 0 || errno != EAGAIN
      if isShared, Self.isStillThere(descriptor) { return }
      close(descriptor)
      descriptor = -1
    }
  }

  private static func isStillThere(_ descriptor: Int32) -> Bool {
    var facts = stat()
    return unsafe fstat(descriptor, &facts) == 0 && facts.st_nlink > 0
  }

  /// FNV-1a, within what a file's offset can be.
  private static func place(of name: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(hash >> 2)
  }
}

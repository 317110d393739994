import CLinux
import Glibc

/// Keeps jobs apart that write one target: a lock for each name that is being written, on a byte of
/// a file in the targets' folder. The byte's place is made of the name, so that one file serves all
/// names, and taking a lock is one call of the system's. The file goes with the last who has it;
/// after a kill it stays until another run is through with the folder.
final class TargetClaims {
  static let fileName = ".jobrun.lock"

  private struct State {
    var descriptor: Int32 = -1
    /// Names that are taken just now.
    var taken = 0
  }

  private let folder: Int32
  private let path: String
  /// Names are taken on the loop's thread and on the registrar's.
  private let box = PthreadBox(State())

  /// - Parameters:
  ///   - folder: open for as long as this object lives.
  ///   - path: the folder's, for messages.
  init(folder: Int32, path: String) {
    self.folder = folder
    self.path = path
  }

  /// The last word of its folder, whose descriptor is still open.
  func end() {
    box.with { state in
      guard state.descriptor >= 0 else { return }
      // Whoever can lock it whole is alone with it.
      if jobrun_lock(state.descriptor) == 0 { unsafe unlinkat(folder, Self.fileName, 0) }
      close(state.descriptor)
      state.descriptor = -1
    }
  }

  /// Takes a name for this process; throws `locked` when another one has it. Where the file can't
  /// be had, or the file system knows no such locks, names are not kept apart.
  func take(_ name: String) throws(FileError) {
    let isFree = box.with { state in take(Self.place(of: name), &state) }
    if !isFree { throw FileError(.locked, "write", path + "/" + name) }
  }

  private func take(_ place: Int64, _ state: inout State) -> Bool {
    while open(&state) {
      if jobrun_lock_byte(state.descriptor, place) != 0 {
        return errno != EAGAIN && errno != EACCES
      }
      state.taken += 1
      // While we have a lock on it nobody removes it.
      if state.taken > 1 || Self.isStillThere(state.descriptor) { return true }
      close(state.descriptor)
      state = State()
    }
    return true
  }

  func giveBack(_ name: String) {
    box.with { state in
      guard state.descriptor >= 0, state.taken > 0 else { return }
      _ = jobrun_unlock_byte(state.descriptor, Self.place(of: name))
      state.taken -= 1
    }
  }

  private func open(_ state: inout State) -> Bool {
    if state.descriptor >= 0 { return true }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    // Another user's run must be able to lock it too, where the folder lets both write.
    state.descriptor = unsafe Self.fileName.withCString { name in
      unsafe jobrun_openat(folder, name, flags, 0o666)
    }
    return state.descriptor >= 0
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

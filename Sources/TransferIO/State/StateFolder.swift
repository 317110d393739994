import CLinux
import Glibc
import TransferCore

/// The folder that holds one job's state, lock and, by default, its log.
package struct StateFolder: Equatable, Sendable {
  /// Absolute.
  package let path: String

  package init(path: String) { self.path = path }

  package var database: String { path + "/state.db" }
  package var lock: String { path + "/lock" }
  package var log: String { path + "/completion.jsonl" }

  /// Makes the folder, and those above it that are missing, for this user alone. The mode of one
  /// that is there is its owner's affair.
  package func create() throws(FileError) { try FolderChain.create(path, mode: 0o700) }

  /// Makes sure that the database file is there and that this user alone may read it: SQLite gives
  /// its other files the same mode.
  func createDatabaseFile() throws(FileError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe jobrun_openat(AT_FDCWD, database, flags, 0o600)
    // One that is there must not be opened here: closing it would drop SQLite's locks on it.
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .last("make", database)
    }
  }

  /// Moves a damaged database and its companions out of the way; nothing is deleted.
  /// - Returns: the new path of the database file.
  func setAside(at time: WallTime) throws(FileError) -> String {
    let target = DamagedName.free(for: database, at: time)
    for suffix in ["-wal", "-shm", ""] where Self.exists(database + suffix) {
      if unsafe rename(database + suffix, target + suffix) != 0 {
        throw .last("set aside", database + suffix)
      }
    }
    return target
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

import Glibc
import TransferCore

/// An open folder that targets are written to: part files are made in it, renamed in it, and it is
/// flushed, all by its descriptor. One owner, closed when it goes; not Sendable.
package final class TargetFolder {
  /// Absolute, as it was asked for.
  package let path: String
  package let descriptor: Int32
  package let device: UInt64
  let inode: UInt64
  /// Its file system makes files without a name, for all we know, and they can be given one.
  var takesUnnamed = TargetFolder.canName
  /// The names in it that this run is writing.
  let claims: TargetClaims
  /// Part files that lay in it when the first whole body came; nil where it is too full to be read.
  /// The registrar's alone.
  private lazy var partsLeft = PartNames.lying(in: descriptor, limit: Self.readsUpTo)
  /// A folder of more entries costs more to read than to look into for each name.
  private static let readsUpTo = 1_000
  /// Until then its path is taken to lead to it, without a look.
  var trustedUntil = Instant(nanoseconds: 0)

  init(path: String, descriptor: Int32) throws(FileError) {
    self.path = path
    self.descriptor = descriptor
    claims = TargetClaims(folder: descriptor, path: path)
    var facts = stat()
    let code = unsafe fstat(descriptor, &facts)
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    if code != 0 { throw .last("look at the folder", path) }
  }

  deinit {
    claims.end()
    close(descriptor)
  }

  /// Without /proc a process that isn't root can't name a file that has no name.
  private static let canName = unsafe access("/proc/self/fd", X_OK) == 0

  /// Whether a part file of an earlier run may lie in it by this name. Other runs that live have
  /// other names.
  func mayHave(part name: @autoclosure () -> String) -> Bool {
    guard let partsLeft else { return true }
    return !partsLeft.isEmpty && partsLeft.contains(name())
  }

  /// Whether its path still leads to it.
  var isStillThere: Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && UInt64(facts.st_ino) == inode
      && UInt64(facts.st_dev) == device
  }
}

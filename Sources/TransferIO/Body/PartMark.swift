import CLinux
import Glibc

/// A random number that a part file carries from the moment at which it is begun, in an extended
/// attribute (xattr(7)): the inode's number alone comes back, and another run writes a file anew in
/// place.
enum PartMark {
  private static let name = "user.jobrun.part"

  /// Marks the file anew; nil where that can't be done. Whatever it was marked with before is no
  /// longer what it says.
  static func renew(_ descriptor: Int32) -> UInt64? {
    let mark = Chance.seed()
    if unsafe jobrun_set_attribute(descriptor, name, mark) == 0 { return mark }
    remove(descriptor)
    return nil
  }

  static func read(_ descriptor: Int32) -> UInt64? {
    var mark: UInt64 = 0
    return unsafe jobrun_attribute(descriptor, name, &mark) == 8 ? mark : nil
  }

  static func read(_ path: String) -> UInt64? {
    var mark: UInt64 = 0
    return unsafe jobrun_path_attribute(path, name, &mark) == 8 ? mark : nil
  }

  /// The file becomes a target, which carries nothing of ours.
  static func remove(_ descriptor: Int32) { _ = unsafe jobrun_remove_attribute(descriptor, name) }
}

import Glibc

/// What a file system can hold.
struct Room {
  private let whole: UInt64
  private let free: UInt64

  /// Of the file system that an open file is on; nil where it doesn't say.
  init?(_ descriptor: Int32) {
    var facts = statvfs()
    guard unsafe fstatvfs(descriptor, &facts) == 0, facts.f_blocks > 0 else { return nil }
    let block = UInt64(facts.f_frsize)
    whole = UInt64(facts.f_blocks).multipliedReportingOverflow(by: block).partialValue
    free = UInt64(facts.f_bavail).multipliedReportingOverflow(by: block).partialValue
  }

  /// Throws for a file of `total` bytes that can't be: what no emptying of the disk would help is
  /// the file's fault and not the disk's. `size` bytes of it are there.
  func check(_ total: Int64, beyond size: Int64, _ path: String) throws(FileError) {
    if UInt64(max(0, total)) > whole { throw FileError(.neverFits(total), "reserve", path) }
    // Asked before, because a file system that fails at it may have taken all it had on the way.
    if UInt64(max(0, total - size)) > free {
      throw FileError(.system(ENOSPC), "reserve \(total) bytes for", path)
    }
  }
}

import CLinux
import Glibc
import TransferCore

/// The completion log: JSON Lines, only ever appended to, a line whole or not there.
///
/// Several processes may share one: a lock is held while a line is written or cut back. The file is
/// looked for at its path before each write, so that one that logrotate moved is left to it and a
/// new one begun. Not Sendable: one thread alone uses it, the registrar's
/// while a run goes on.
package final class CompletionLog {
  /// Absolute.
  package let path: String
  private(set) var file: LogFile

  /// Opens or creates the log, with the folders above it. A last line that was cut short is cut
  /// back when it is one of ours, and ended otherwise.
  package init(path: String) throws(FileError) {
    self.path = path
    file = try LogFile(path: path)
    try file.mendEnd()
  }

  /// Appends lines, each with its end: all of them, or none and the error that was in the way.
  /// - Returns: false when they begin a file: logrotate moved the last one, which was flushed, or
  ///   copied it and cut it back.
  @discardableResult
  package func append(_ lines: [UInt8]) throws(FileError) -> Bool {
    if file.isStillAt(path) { return try file.append(lines) }
    try flush()
    file = try LogFile(path: path)
    try file.mendEnd()
    _ = try file.append(lines)
    return false
  }

  /// Flushes what was appended; blocks until done.
  package func flush() throws(FileError) {
    if fdatasync(file.descriptor) != 0, errno != EINVAL { throw .last("flush", path) }
  }

  /// Those of the records whose line isn't at the end of the log, in their order. A record was
  /// written after all that were known to be logged, so the end is all that needs a look.
  package func missing(of records: [StoredRecord]) throws(FileError) -> [StoredRecord] {
    if records.isEmpty { return [] }
    let length = records.reduce(Self.slack) { $0 + $1.line.count + 1 }
    let lines = Set(
      try file.end(length).split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      })
    return records.filter { !lines.contains(String(decoding: $0.line, as: UTF8.self)) }
  }

  /// What others may have appended since, if the log is shared.
  private static let slack = 512 * 1_024
}

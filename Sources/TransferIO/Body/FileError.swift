import CLinux
import Glibc
import TransferCore

/// A call on a file that failed: errno, what was being done, and to which file.
package struct FileError: Error, Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    /// errno.
    case system(Int32)
    /// Another process holds the lock.
    case locked
    /// The file is not what it was when it was looked at.
    case changed
    /// No regular file.
    case notRegular
    /// The file system is smaller than the file would be.
    case neverFits(Int64)
  }
  package var cause: Cause
  /// What was tried, as in `open`, `write to`.
  package var operation: String
  /// The file, for the message.
  package var path: String

  package init(_ cause: Cause, _ operation: String, _ path: String) {
    self.cause = cause
    self.operation = operation
    self.path = path
  }

  /// The current errno.
  static func last(_ operation: String, _ path: String) -> FileError {
    FileError(.system(errno), operation, path)
  }

  /// What the operator is told: `.disk` where the machine is in the way, `.collision` for a lock
  /// that another run holds, else `.localFile`.
  package var failure: TransferFailure {
    switch cause {
    case .system(let number):
      TransferFailure(Self.kind(number), "can't \(operation) \(path): \(Self.words(number))")
    case .locked:
      TransferFailure(.collision, "another run is writing \(path)")
    case .changed:
      TransferFailure(.localFile, "\(path) changed while it was being read")
    case .notRegular:
      TransferFailure(.localFile, "\(path) is not a regular file")
    case .neverFits(let bytes):
      TransferFailure(
        .tooLarge,
        "the server declares \(bytes) bytes, more than the file system of \(path) holds; "
          + "give the task a folder with more room")
    }
  }

  private static func kind(_ number: Int32) -> TransferFailure.Kind {
    switch number {
    case ENOSPC, EDQUOT, EIO: .disk
    default: .localFile
    }
  }

  static func words(_ number: Int32) -> String {
    unsafe String(cString: jobrun_error_words(number))
  }
}

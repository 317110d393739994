import Glibc

/// What the system says of an errno.
enum SystemError {
  /// Like `No space left on device`.
  static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}

import Glibc

/// The process's working folder, where relative paths of the command line start.
enum WorkingFolder {
  /// Absolute; `/` if it is gone.
  static let path: String = {
    guard let text = getcwd(nil, 0) else { return "/" }
    defer { free(text) }
    return String(cString: text)
  }()

  /// A path of the command line, absolute.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return Self.path == "/" ? "/" + path : Self.path + "/" + path
  }
}

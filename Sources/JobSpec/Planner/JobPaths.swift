/// Makes paths of a job absolute.
struct JobPaths {
  /// The job file's folder, absolute.
  let folder: String
  /// The home folder, absolute.
  let home: String?
  /// Where relative paths of tasks start, absolute; known once the job's head is read.
  var root: String

  /// Why a path can't be taken.
  enum Problem: Error {
    case noHome
    /// It goes up and out of the root.
    case leavesRoot
  }

  struct Target {
    var path: String
    /// It was relative, so it must stay below the root.
    var isBeneathRoot: Bool
  }

  init(folder: String, home: String?) {
    self.folder = folder
    self.home = home
    root = folder
  }

  /// A path of the job's own: relative ones start from the job file's folder.
  func own(_ text: String) throws(Problem) -> String { try absolute(text, from: folder) }

  /// A path that names what a task reads.
  func source(_ text: String) throws(Problem) -> String { try absolute(text, from: root) }

  /// A path that names what a task writes.
  func target(_ text: String) throws(Problem) -> Target {
    if text.hasPrefix("/") || text == "~" || text.hasPrefix("~/") {
      return Target(path: try absolute(text, from: root), isBeneathRoot: false)
    }
    guard let tail = Self.collapsed(text[...]) else { throw .leavesRoot }
    return Target(path: Self.joined(root, tail), isBeneathRoot: true)
  }

  private func absolute(_ text: String, from base: String) throws(Problem) -> String {
    if text == "~" || text.hasPrefix("~/") {
      guard let home else { throw .noHome }
      return Self.normalized(home + text.dropFirst())
    }
    return Self.normalized(text.hasPrefix("/") ? text : base + "/" + text)
  }

  private static func joined(_ base: String, _ tail: String) -> String {
    base == "/" ? "/" + tail : base + "/" + tail
  }

  /// An absolute path without `.`, `..` and double slashes; `..` at the top stays there.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A relative path without `.`, `..` and double slashes; nil when it goes up and out.
  private static func collapsed(_ path: Substring) -> String? {
    if isSimple(path.utf8.span) { return String(path) }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }

  /// No part begins with a dot or is empty.
  private static func isSimple(_ bytes: Span<UInt8>) -> Bool {
    var isStart = true
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if isStart, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") { return false }
      isStart = byte == UInt8(ascii: "/")
    }
    return !isStart
  }

  /// The folder of an absolute path.
  static func folder(of path: String) -> String {
    let bytes = path.utf8.span
    guard let slash = bytes.lastIndex(of: "/", in: 0..<bytes.count), slash > 0 else { return "/" }
    return String(path.part(0..<slash))
  }
}

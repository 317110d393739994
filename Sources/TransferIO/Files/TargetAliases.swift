import Glibc
import TransferCore

/// Finds targets that are one file by different paths, because a folder on the way is a symbolic
/// link: what the job file alone can't show.
package enum TargetAliases {
  /// Two tasks of a plan that would write one file.
  package struct Collision: Equatable, Sendable {
    /// Indices into the plan's tasks, the first in file order first.
    package var first: Int
    package var second: Int

    package init(first: Int, second: Int) {
      self.first = first
      self.second = second
    }
  }

  /// The first such pair; nil when every target is a file of its own. Looks, and changes nothing.
  package static func collision(in plan: Plan) -> Collision? {
    var folders: [Substring: String] = [:]
    var seen: [String: Int] = [:]
    for (index, task) in plan.tasks.enumerated() {
      guard let path = task.path, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
        continue
      }
      let folder = path[..<slash]
      let real: String
      if let known = folders[folder] {
        real = known
      } else {
        real = resolved(String(folder))
        folders[folder] = real
      }
      if let first = seen.updateValue(index, forKey: real + path[slash...]) {
        return Collision(first: first, second: index)
      }
    }
    return nil
  }

  /// The folder without links, as far as it exists.
  private static func resolved(_ folder: String) -> String {
    if let real = unsafe realpath(folder.isEmpty ? "/" : folder, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    guard let slash = folder.lastIndex(of: "/") else { return folder }
    return resolved(String(folder[..<slash])) + folder[slash...]
  }
}

import Glibc

/// How many files a run may have open: what the system allows this process, and who gets how much
/// of it.
package struct DescriptorBudget: Sendable {
  /// Folders of targets that are kept open.
  package let folders: Int
  /// Whole files that wait to get their names; each has its own descriptor and its folder's.
  package let commits: Int

  /// For so many connections and part files beside them.
  /// - Parameters:
  ///   - limit: RLIMIT_NOFILE.
  ///   - transfers: at once.
  init(limit: Int, transfers: Int) {
    // Standard streams, state, log, libraries; and for each transfer a socket, a file, a folder.
    let left = max(64, limit - 48 - 3 * transfers)
    folders = min(256, left / 4)
    commits = max(8, (left - folders) / 2 - 8)
  }

  /// Takes as many descriptors as the system lets this process have (setrlimit), and divides them.
  package static func claim(transfers: Int) -> Self {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return Self(limit: 1_024, transfers: transfers)
    }
    // More than that many are of no use to anybody.
    let wanted = min(limit.rlim_max, 65_536)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = wanted
      if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
        limit = raised
      }
    }
    return Self(limit: Int(min(limit.rlim_cur, 65_536)), transfers: transfers)
  }
}

import Glibc

/// The user's folders, by the XDG Base Directory Specification.
package enum XDG {
  /// The home folder, absolute: $HOME, else the account's (getpwuid). nil when neither is one.
  /// - Parameter variable: an environment variable.
  package static func homeFolder(variable: (String) -> String?) -> String? {
    if let home = variable("HOME"), home.hasPrefix("/") { return home }
    guard let account = unsafe getpwuid(getuid()), let folder = unsafe account.pointee.pw_dir else {
      return nil
    }
    let home = unsafe String(cString: folder)
    return home.hasPrefix("/") ? home : nil
  }

  /// $XDG_STATE_HOME, which counts only when absolute, else ~/.local/state. nil without a home.
  package static func stateHome(variable: (String) -> String?) -> String? {
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    return homeFolder(variable: variable).map { joined($0, ".local/state") }
  }

  /// Where a job's state lies unless it says otherwise.
  /// - Parameter job: its name; it has no slashes.
  package static func stateFolder(job: String, variable: (String) -> String?) -> String? {
    stateHome(variable: variable).map { joined($0, "jobrun/\(job)") }
  }

  /// The cookie jar that all jobs of the user share, below $XDG_DATA_HOME, which counts only when
  /// absolute, else ~/.local/share. nil without a home.
  package static func sharedCookies(variable: (String) -> String?) -> String? {
    let file = "jobrun/cookies.txt"
    if let folder = variable("XDG_DATA_HOME"), folder.hasPrefix("/") {
      return joined(folder, file)
    }
    return homeFolder(variable: variable).map { joined($0, ".local/share/" + file) }
  }

  private static func joined(_ folder: String, _ rest: String) -> String {
    folder.hasSuffix("/") ? folder + rest : "\(folder)/\(rest)"
  }
}

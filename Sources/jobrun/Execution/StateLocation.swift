import TransferCore
import TransferIO

/// Where a job's state lies.
enum StateLocation {
  static let unknown =
    "there is no home folder for the job's state; set HOME or XDG_STATE_HOME, or use --state DIR"

  /// nil when neither the job nor the environment says.
  static func folder(of plan: Plan) -> StateFolder? {
    let path =
      plan.settings.stateFolder
      ?? XDG.stateFolder(job: plan.job.name, variable: Environment.variable)
    return path.map(StateFolder.init(path:))
  }

  /// The identifiers that a run of the plan needs for itself.
  static func claims(of plan: Plan) -> IdentifierLock.Claims {
    IdentifierLock.Claims(
      folder: XDG.stateHome(variable: Environment.variable).map { $0 + "/jobrun/.background" },
      job: plan.job.name,
      identifiers: plan.backgroundSessions.compactMap(\.identifier))
  }

  /// Where the cookie jars of a job lie.
  static func jars(beside folder: StateFolder) -> CookieJars.Places {
    CookieJars.Places(
      shared: XDG.sharedCookies(variable: Environment.variable), folder: folder)
  }
}

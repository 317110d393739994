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

  /// Where the cookie jars of a job lie.
  static func jars(beside folder: StateFolder) -> CookieJars.Places {
    CookieJars.Places(
      shared: XDG.sharedCookies(variable: Environment.variable), folder: folder)
  }
}

import TransferCore

/// What options of the command line change in a plan's settings.
enum RunOverrides {
  static func apply(_ invocation: Invocation, to settings: inout RunSettings) {
    if let folder = invocation.text(.state) {
      settings.stateFolder = WorkingFolder.absolute(folder)
    }
    if let path = invocation.text(.log) { settings.logPath = WorkingFolder.absolute(path) }
    if let count = invocation.count(.maxParallel) { settings.maxParallel = count }
    if let count = invocation.count(.maxErrors) { settings.maxErrors = count }
    if let time = invocation.duration(.deadline) { settings.deadline = time }
  }
}

import Glibc

/// This clone: its scripts, its jobs, its docs.
enum Clone {
  /// The top folder, absolute, without a slash at the end.
  static let root: String = {
    // Four names up: this file, Repository, JobrunTests, Tests.
    var path = Substring(#filePath)
    for _ in 0..<4 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return String(path)
  }()

  static var processID: Int32 { getpid() }

  /// The files of `folder`, absolute paths, folders in it included.
  static func files(below folder: String) throws -> [String] {
    let found = try run("/usr/bin/find", [folder, "-type", "f"])
    return found.out.split(separator: "\n").map(String.init).sorted()
  }

  /// Runs a program of this clone or of the system to its end.
  static func run(_ program: String, _ arguments: [String], folder: String? = nil) throws
    -> ChildProcess.Ended
  {
    let path = program.hasPrefix("/") ? program : root + "/" + program
    // Fetching real packages may be silent for as long as the network is slow.
    return try ChildProcess(
      path, arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"],
      folder: folder ?? root
    ).wait(silence: 240)
  }
}

import Glibc
import Testing

/// Tests/Shims/durable.c, built once beside the real binary: what it does is said there.
enum Shim {
  private static let built = Result { () throws -> String in
    let path = Jobrun.path + "-durable-shim.so"
    let fresh = "\(path).\(getpid())"
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    // The C compiler that every Swift toolchain brings.
    let built = try ChildProcess(
      "/usr/bin/env",
      ["clang", "-O1", "-shared", "-fPIC", "-o", fresh, Clone.root + "/Tests/Shims/durable.c"],
      environment: ["PATH=" + search]
    ).wait()
    try #require(built.code == 0, "\(built.err)")
    try #require(rename(fresh, path) == 0)
    return path
  }

  /// The environment that puts it in front of a program.
  /// - Parameter settings: without their JOBRUN_SHIM_.
  static func environment(_ settings: [String]) throws -> [String] {
    ["LD_PRELOAD=\(try built.get())"] + settings.map { "JOBRUN_SHIM_" + $0 }
  }
}

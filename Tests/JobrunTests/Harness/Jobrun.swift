import Glibc

/// The real binary, which SwiftPM puts beside the tests.
enum Jobrun {
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let slash = own.lastIndex(of: "/") ?? own.startIndex
    return own[..<slash] + "/jobrun"
  }()

  /// Runs it to its end. The environment holds only `environment` and a PATH: no proxy, no state
  /// of the person who runs the tests.
  static func run(
    _ arguments: [String], environment: [String] = [], folder: String? = nil, input: String = "",
    output: ChildProcess.Output = .gathered, lead: [String] = []
  ) throws -> ChildProcess.Ended {
    try start(
      arguments, environment: environment, folder: folder, input: input, output: output, lead: lead
    ).wait()
  }

  /// Nobody's: what a test says of its own stands before it.
  private static let usual = ["PATH=/usr/bin:/bin", "XDG_DATA_HOME=/nonexistent"]

  /// Starts it.
  static func start(
    _ arguments: [String], environment: [String] = [], folder: String? = nil, input: String = "",
    output: ChildProcess.Output = .gathered, lead: [String] = []
  ) throws -> ChildProcess {
    try ChildProcess(
      path, arguments, environment: environment + usual, folder: folder,
      input: input, output: output, lead: lead)
  }
}

import Glibc

/// A mount namespace of a test's own, for as long as the value lives: what is mounted there nobody
/// else sees, and it is gone with it. Programs are led there, and this process looks in by `/proc`.
final class MountSpace {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The command line that leads another one there.
  let lead: [String]
  /// Put before a path of the programs there, it is one of this process. The kernel alone may
  /// follow the links in it: a reader that does so itself ends up outside.
  let view: String
  /// It lives as long as this.
  private let keeper: ChildProcess
  private let needs: String

  /// - Parameters:
  ///   - command: a line for the shell that mounts something there.
  ///   - needs: a sentence on what it takes, for those who haven't got it.
  ///   - asUser: in a user namespace, so that it takes no root.
  init(mounting command: String, needs: String, asUser: Bool) throws {
    self.needs = needs
    keeper = try ChildProcess(
      "/usr/bin/unshare",
      (asUser ? ["--user", "--map-root-user"] : []) + ["--mount", "/bin/sh", "-c"]
        // Ten minutes are more than any test takes, should nobody end it.
        + [command + " && echo mounted >&2 && exec sleep 600"],
      environment: ["PATH=/usr/bin:/bin"])
    view = "/proc/\(keeper.id)/root"
    lead =
      ["/usr/bin/nsenter", "--target", "\(keeper.id)"]
      + (asUser ? ["--user", "--preserve-credentials"] : []) + ["--mount", "--"]
    if !keeper.waitForError(containing: "mounted\n") { throw failure(keeper.wait().err) }
  }

  /// Runs a program there that has to end well.
  func run(_ words: [String]) throws {
    let line = lead + words
    let ended = try Clone.run(line[0], Array(line.dropFirst()))
    if ended.code != 0 { throw failure("\(words.joined(separator: " ")): \(ended.err)") }
  }

  func failure(_ words: String) -> Failure {
    Failure(description: "a file system for this test can't be mounted: \(words)\n\(needs)")
  }
}

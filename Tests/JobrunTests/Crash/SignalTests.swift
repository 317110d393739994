import Glibc
import Testing

/// The first signal ends a run in good order, whatever the run was at.
@Suite struct SignalTests {
  /// A listening socket of loopback that never answers.
  private final class SilentServer {
    let descriptor: Int32
    let port: UInt16

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let code = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(descriptor, pointer, length) + listen(descriptor, 8)
            + getsockname(descriptor, pointer, &length)
        }
      }
      try #require(code == 0)
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
  }

  /// Standard error is a pipe that nobody empties: `jobrun … 2>&1 | less`. The script waits until
  /// the program hangs in its write before it asks it to end.
  @Test(arguments: ["TERM", "HUP"]) func aRunWhoseOutputIsStuckEndsAllTheSame(signal: String) throws
  {
    let folder = try TemporaryFolder()
    let tasks = (0..<3_000).map {
      "  t\($0): { download: 'file://\(folder.path)/none', to: a\($0) }"
    }
    try folder.write("job.yaml", "version: 1\ntasks:\n\(tasks.joined(separator: "\n"))\n")
    let script = """
      mkfifo stuck; exec 9<>stuck
      '\(Jobrun.path)' --state st job.yaml 2>&9 & run=$!
      until grep -q pipe_write /proc/$run/wchan; do kill -0 $run || exit 1; done
      kill -\(signal) $run; wait $run
      """
    let ended = try ChildProcess(
      "/usr/bin/timeout", ["30", "bash", "-c", script], environment: ["PATH=/usr/bin:/bin"],
      folder: folder.path
    ).wait()
    #expect(ended.code == 128 + (signal == "HUP" ? SIGHUP : SIGTERM), "\(ended.err)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aRunThatStartsNothingNewStillEndsInGoodOrder(signal: Int32) throws {
    let server = try SilentServer()
    let folder = try TemporaryFolder()
    try folder.write(
      "job.yaml",
      """
      version: 1
      on_failure: stop
      tasks:
        - { id: silent, download: "http://127.0.0.1:\(server.port)/x", to: x }
        - { id: missing, download: "file://\(folder.path)/none", to: y }
      """)
    let run = try Jobrun.start(["--state", "st", "job.yaml"], folder: folder.path)
    #expect(run.waitForError(containing: "failed     missing"))
    run.send(signal)
    let ended = run.wait()
    #expect(ended.code == 128 + signal, "\(ended.err)")
    let log = try #require(folder.read("st/completion.jsonl"))
    let last = try #require(log.split(separator: "\n").last)
    #expect(last.contains("\"event\":\"run_finished\""))
    #expect(last.contains("\"outcome\":\"interrupted\""))
    #expect(log.contains("\"task\":\"silent\",") && log.contains("\"outcome\":\"deferred\""))
  }
}

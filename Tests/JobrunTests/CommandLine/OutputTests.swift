import Glibc
import Testing

/// Standard output that is closed, full, or a pipe whose reader went away.
@Suite struct OutputTests {
  @Test func aFullDiskIsTold() throws {
    let ended = try Jobrun.run(["--help"], output: .file("/dev/full"))
    #expect(ended.code == 3)
    #expect(ended.err == "jobrun: can't write to standard output: No space left on device\n")
  }

  @Test func aClosedOutputIsTold() throws {
    let ended = try Jobrun.run(["--help"], output: .closed)
    #expect(ended.code == 3)
    #expect(ended.err == "jobrun: can't write to standard output: Bad file descriptor\n")
  }

  @Test func aReaderThatWentAwayIsNoMishap() throws {
    // The writer waits for the reader's end: `read` returns when nobody holds the pipe any more.
    let script = "{ read -r line; \"$0\" help --man; echo \"code $?\" >&2; } | true"
    let ended = try ChildProcess(
      "/bin/sh", ["-c", script, Jobrun.path], environment: ["PATH=/usr/bin:/bin"], input: "\n"
    ).wait()
    #expect(ended.err == "code 0\n" || ended.err == "code 0\n\n")
  }
}

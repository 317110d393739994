import Glibc
import Testing

@testable import TransferIO

struct SecretCommandTests {
  @Test func whatTakesTooLongIsEndedWithAllItStarted() {
    let scratch = TemporaryFolder()
    // The lock is held for as long as one of the processes lives.
    let script = "exec 9> lock; flock -n 9 || exit 1; sleep 60 & wait"
    let command = SecretCommand(
      words: ["/bin/sh", "-c", script], folder: scratch.path, shouldStop: { false },
      limit: .milliseconds(400))
    #expect(throws: SecretCommand.Problem.timedOut(seconds: 0)) { try command.run() }
    let file = open("\(scratch.path)/lock", O_RDONLY)
    defer { close(file) }
    #expect(file >= 0)
    #expect(flock(file, LOCK_EX) == 0)
  }
}

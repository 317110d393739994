import Glibc
import Testing
import TransferIO

/// Each runs in a process of its own: what a process does with signals is the whole process's.
struct SignalsTests {
  @Test func readsWhatArrivedAndDoesNotDieOfIt() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let signals = try Signals()
      #expect(signals.read().isEmpty)
      #expect(!signals.isEndWaiting)
      for number in [SIGUSR1, SIGTERM, SIGINT, SIGHUP] { raise(number) }
      #expect(signals.isEndWaiting)
      var waiting = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 0) == 1)
      #expect(Set(signals.read()) == [SIGUSR1, SIGTERM, SIGINT, SIGHUP])
      #expect(signals.read().isEmpty)
      exit(0)
    }
  }

  @Test func aRequestForTheStatusEndsNothing() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let signals = try Signals()
      raise(SIGUSR1)
      #expect(!signals.isEndWaiting)
      #expect(signals.read() == [SIGUSR1])
      exit(0)
    }
  }

  @Test func whatNohupIgnoresStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(0)) {
      signal(SIGHUP, SIG_IGN)
      signal(SIGINT, SIG_IGN)
      let signals = try Signals()
      raise(SIGHUP)
      raise(SIGINT)
      #expect(!signals.isEndWaiting)
      #expect(signals.read().isEmpty)
      signals.restoreDefault()
      raise(SIGHUP)
      raise(SIGINT)
      exit(0)
    }
  }

  @Test func aBrokenPipeIsAnErrorOfTheWrite() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let signals = try Signals()
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      close(ends[0])
      #expect(write(ends[1], "x", 1) == -1)
      #expect(errno == EPIPE)
      #expect(signals.read().isEmpty)
      exit(0)
    }
  }

  @Test func theSecondSignalEndsTheProcessAtOnce() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let signals = try Signals()
      raise(SIGINT)
      #expect(signals.read() == [SIGINT])
      signals.restoreDefault()
      raise(SIGINT)
      exit(0)
    }
  }

  @Test func diesByTheSignalItself() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let signals = try Signals()
      raise(SIGTERM)
      Signals.die(by: signals.read()[0])
    }
  }
}

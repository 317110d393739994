import Glibc
import Testing
import TransferCore
import TransferIO

struct SecretResolverTests {
  private final class Said { var lines: [String] = [] }

  private let scratch = TemporaryFolder()
  private let said = Said()

  private func resolver(
    _ source: SecretSource, variables: [String: String] = [:],
    shouldStop: @escaping () -> Bool = { false }
  ) -> SecretResolver {
    let said = said
    return SecretResolver(
      ["token": source], folder: scratch.path, variable: { variables[$0] },
      warn: { said.lines.append($0) }, shouldStop: shouldStop)
  }

  /// Why `token` can't be had.
  private func complaint(_ source: SecretSource, variables: [String: String] = [:]) -> String {
    do {
      let value = try resolver(source, variables: variables).value("token")
      return "it is \(value)"
    } catch {
      #expect(error.kind == .secret)
      return error.detail
    }
  }

  private func shell(_ script: String) -> SecretSource { .command(["/bin/sh", "-c", script]) }

  @Test func comesFromTheEnvironmentAsItStands() throws {
    let value = try resolver(.environment("T"), variables: ["T": "a b\n"]).value("token")
    #expect(value == "a b\n")
    #expect(
      complaint(.environment("T"))
        == "secret token: $T is not set: export it before jobrun starts")
    #expect(
      complaint(.environment("T"), variables: ["T": ""])
        == "secret token: $T is empty: put the secret there")
  }

  @Test(arguments: [
    ("s3cr3t", "s3cr3t"), ("s3cr3t\n", "s3cr3t"), ("s3cr3t\r\n", "s3cr3t"),
    ("s3cr3t\n\n", "s3cr3t\n"), ("\ns3 cr3t ", "\ns3 cr3t "),
  ])
  func aFilesLastNewlineIsDropped(text: String, value: String) throws {
    let path = scratch.file("token", text)
    #expect(try resolver(.file(path)).value("token") == value)
    #expect(said.lines.isEmpty)
  }

  @Test(arguments: [mode_t(0o644), 0o640, 0o604])
  func aFileThatOthersCanReadIsWarnedOfOnce(mode: mode_t) throws {
    let path = scratch.file("token", "s3cr3t", mode: mode)
    let resolver = resolver(.file(path))
    #expect(try resolver.value("token") == "s3cr3t")
    #expect(try resolver.value("token") == "s3cr3t")
    #expect(said.lines.count == 1)
    #expect(said.lines.first?.contains("chmod 600 \(path)") == true)
  }

  @Test func whatIsNoSecretFileIsRefused() {
    let missing = complaint(.file("\(scratch.path)/no"))
    #expect(missing.contains("\(scratch.path)/no: No such file or directory"))
    #expect(complaint(.file(scratch.path)).contains("is not a regular file"))
    let fifo = "\(scratch.path)/fifo"
    mkfifo(fifo, 0o600)
    #expect(complaint(.file(fifo)).contains("is not a regular file"))
    let large = scratch.file("large", [UInt8](repeating: 0x61, count: SecretResolver.bound + 1))
    #expect(complaint(.file(large)).contains("larger than 1 MiB"))
    #expect(complaint(.file(scratch.file("empty", "\n"))).contains("is empty"))
    #expect(complaint(.file(scratch.file("nul", "a\0b"))).contains("NUL"))
    #expect(complaint(.file(scratch.file("latin", [0x61, 0xE9]))).contains("UTF-8"))
  }

  @Test func aFileOfJustTheBoundIsTaken() throws {
    let path = scratch.file("large", [UInt8](repeating: 0x61, count: SecretResolver.bound))
    #expect(try resolver(.file(path)).value("token").utf8.count == SecretResolver.bound)
  }

  @Test func aCredentialLiesInSystemdsFolder() throws {
    scratch.file("db", "s3cr3t\n", mode: 0o440)
    let variables = ["CREDENTIALS_DIRECTORY": scratch.path]
    #expect(try resolver(.credential("db"), variables: variables).value("token") == "s3cr3t")
    #expect(said.lines.isEmpty)
    #expect(complaint(.credential("db")).contains("LoadCredential=db:PATH"))
    for name in ["../db", "a/b", "..", ""] {
      #expect(complaint(.credential(name), variables: variables).contains("no credential's name"))
    }
    #expect(complaint(.credential("no"), variables: variables).contains("No such file"))
  }

  @Test func aCommandPrintsItInTheJobsFolder() throws {
    #expect(try resolver(shell("pwd")).value("token") == scratch.path)
    #expect(try resolver(.command(["printf", "%s\\n", "$HOME *"])).value("token") == "$HOME *")
    scratch.file("get", "#!/bin/sh\ncat; echo mine\n", mode: 0o700)
    #expect(try resolver(.command(["./get"])).value("token") == "mine")
  }

  @Test func aCommandHasNoSignalsBlockedOrIgnored() throws {
    signal(SIGPIPE, SIG_IGN)
    let state = try resolver(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status")).value("token")
    for line in state.split(separator: "\n") {
      let bits = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? .max
      #expect(bits & (1 << UInt64(SIGPIPE - 1)) == 0, "\(line)")
      if line.hasPrefix("SigBlk") { #expect(bits == 0) }
    }
  }

  @Test func aCommandThatFailsSaysItsFirstLineAndNeverItsOutput() {
    let words = complaint(
      shell("echo s3cr3t; echo >&2; echo 'no \u{1B}vault' >&2; echo x >&2; exit 3"))
    #expect(words == "secret token: /bin/sh ended with 3: no  vault")
    let traced = complaint(shell("echo s3cr3t; echo '+ echo s3cr3t' >&2; exit 1"))
    #expect(traced == "secret token: /bin/sh ended with 1: + echo ***")
    #expect(
      complaint(shell("exit 4"))
        == "secret token: /bin/sh ended with 4 and said nothing: run it by hand")
    #expect(complaint(shell("kill -9 $$")).contains("ended by signal 9"))
    #expect(complaint(.command(["no-such-program-here"])).contains("is it there, executable"))
    #expect(complaint(shell("true")).contains("the output of /bin/sh is empty"))
  }

  @Test func aCommandsOutputIsBounded() {
    #expect(complaint(shell("yes")).contains("more than 1 MiB"))
    #expect(complaint(shell("yes >&2 & echo; kill $!; exit 2")).contains("ended with 2"))
  }

  @Test func whatTheCommandLeavesBehindIsNotWaitedFor() throws {
    let start = ContinuousClock.now
    #expect(try resolver(shell("sleep 20 & echo s3cr3t")).value("token") == "s3cr3t")
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func aCommandThatClosesItsOutputIsStillWaitedFor() throws {
    #expect(try resolver(shell("echo s3cr3t; exec >&- 2>&-; sleep 0.3")).value("token") == "s3cr3t")
  }

  @Test func theEndOfTheRunEndsTheCommandAndIsNotRemembered() throws {
    let pid = "\(scratch.path)/pid"
    final class Switch { var isOn = true }
    let end = Switch()
    let resolver = resolver(
      shell("if mkdir once; then echo $$ > \(pid); sleep 60; else echo s3cr3t; fi"),
      shouldStop: { end.isOn && access(pid, F_OK) == 0 })
    #expect { try resolver.value("token") } throws: { ($0 as? TransferFailure)?.kind == .stopped }
    end.isOn = false
    #expect(try resolver.value("token") == "s3cr3t")
  }

  @Test func eachIsResolvedOnceEvenInVain() throws {
    let resolver = SecretResolver(
      ["good": shell("echo x >> good; wc -l < good"), "bad": shell("echo x >> bad; exit 1")],
      folder: scratch.path, variable: { _ in nil }, warn: { _ in })
    for _ in 0..<3 {
      #expect(try resolver.value("good") == "1")
      #expect(throws: TransferFailure.self) { try resolver.value("bad") }
    }
    var facts = stat()
    #expect(stat("\(scratch.path)/bad", &facts) == 0 && facts.st_size == 2)
    #expect(resolver.values == ["1"])
    #expect(resolver.mask.mask("t=1") == "t=***")
    #expect(throws: TransferFailure.self) { try resolver.value("unheard") }
  }
}

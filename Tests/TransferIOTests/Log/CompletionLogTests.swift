import Glibc
import Testing
import TransferCore
import TransferIO

struct CompletionLogTests {
  let temporary = TemporaryFolder()
  private var path: String { temporary / "logs/completion.jsonl" }
  private let line = Array("{\"schema\":1,\"n\":1}\n".utf8)

  @Test func linesAreAppended() throws {
    let log = try CompletionLog(path: path)
    try log.append(line)
    try log.append(line + line)
    #expect(TestFile.bytes(path) == line + line + line)
    try CompletionLog(path: path).append(line)
    #expect(TestFile.bytes(path)?.count == line.count * 4)
  }

  @Test func aRecordThatACrashCutShortIsCutBack() throws {
    for count in 1..<line.count {
      try _ = CompletionLog(path: path)
      TestFile.write(line + line.prefix(count), to: path)
      try CompletionLog(path: path).append(line)
      #expect(TestFile.bytes(path) == line + line, "\(count) bytes")
    }
  }

  @Test func zerosThatAPowerCutLeftAreCutBack() throws {
    try _ = CompletionLog(path: path)
    let zeros = [UInt8](repeating: 0, count: 100)
    TestFile.write(line + zeros, to: path)
    try CompletionLog(path: path).append(line)
    #expect(TestFile.bytes(path) == line + line)
    TestFile.write(line + line.prefix(5) + zeros, to: path)
    try CompletionLog(path: path).append(line)
    #expect(TestFile.bytes(path) == line + line)
  }

  @Test func somebodysTextStays() throws {
    try _ = CompletionLog(path: path)
    TestFile.write("notes of mine", to: path)
    try CompletionLog(path: path).append(line)
    #expect(TestFile.bytes(path) == Array("notes of mine\n".utf8) + line)
  }

  @Test func aMovedLogIsLeftAndANewOneBegun() throws {
    let log = try CompletionLog(path: path)
    #expect(try log.append(line))
    rename(path, path + ".1")
    #expect(try !log.append(line))
    #expect(try log.append([]))
    #expect(TestFile.bytes(path + ".1") == line)
    #expect(TestFile.bytes(path) == line)
  }

  @Test func copyAndTruncateIsWellBorne() throws {
    let log = try CompletionLog(path: path)
    try log.append(line + line)
    truncate(path, 0)
    #expect(try !log.append(line))
    #expect(try log.append([]))
    #expect(TestFile.bytes(path) == line)
  }

  @Test func aLogThatCannotBeWrittenIsTheMachines() throws {
    let log = try CompletionLog(path: "/dev/full")
    let error = #expect(throws: FileError.self) { try log.append(line) }
    #expect(error?.machineFailure.kind == .disk)
    #expect(error?.machineFailure.detail.contains("/dev/full") == true)
  }

  /// The largest size that the file system gives a file stands for the disk's last free byte.
  @Test func aShortWriteIsCutBackAndTold() throws {
    let log = try CompletionLog(path: path)
    var (fits, fails) = (off_t(0), off_t.max)
    while fits + 1 < fails {
      let middle = fits + (fails - fits) / 2
      if truncate(path, middle) == 0 { fits = middle } else { fails = middle }
    }
    let size = fits - off_t(line.count) - 3
    truncate(path, size)
    #expect(throws: FileError.self) { try log.append(line + line) }
    #expect(TestFile.size(path) == size)
    try log.append(line)
    #expect(TestFile.size(path) == size + off_t(line.count))
  }

  @Test func aFolderThatCannotBeWrittenIsTheMachines() throws {
    TestFile.write("", to: temporary / "file")
    let error = #expect(throws: FileError.self) {
      try CompletionLog(path: temporary / "file/completion.jsonl")
    }
    #expect(error?.machineFailure.kind == .disk)
  }

  @Test func othersCannotReadTheLog() throws {
    _ = try CompletionLog(path: path)
    #expect(TestFile.mode(path).map { $0 & 0o137 } == 0)
  }

  @Test func twoWritersMixWholeLinesOnly() throws {
    let logs = [try CompletionLog(path: path), try CompletionLog(path: path)]
    for index in 0..<200 { try logs[index % 2].append(line) }
    #expect(TestFile.bytes(path) == (0..<200).flatMap { _ in line })
  }
}

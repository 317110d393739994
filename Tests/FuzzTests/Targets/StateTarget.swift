import Glibc
import TransferCore
import TransferIO

extension FuzzTarget {
  /// A state file with wrong bytes: a run begins all the same, unless the state says that it is
  /// somebody else's.
  ///
  /// The input's first byte says what the rest is: 0xFF, the whole file; otherwise patches of a
  /// good one, four bytes each: a place (24 bits) and a byte; a place past the end cuts the file.
  static let state = FuzzTarget(name: "state", check: damaged, mutants: 60)

  private static func damaged(_ bytes: [UInt8]) -> String? {
    guard let sample = StateSample.shared else { return "no sample of a state could be made" }
    return sample.check(bytes)
  }
}

/// A good state database in a folder of its own, and what becomes of its damaged copies.
struct StateSample: Sendable {
  static let shared = StateSample()

  let folder: String
  let good: [UInt8]
  private static let now = WallTime(microseconds: 1_795_938_851_000_000)

  private init?() {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(base)/jobrun-state-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let state = StateFolder(path: folder + "/state")
    do {
      let session = try Self.open(state, folder, "r1")
      try session.begin()
      try Self.fill(session.store)
      let database = try SQLiteDatabase(path: state.database, access: .readWrite)
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch { return nil }
    guard let bytes = Self.read(state.database), bytes.count > 8_192 else { return nil }
    good = bytes
    Self.clear(state.path)
    rmdir(folder)
  }

  /// What is wrong with how a run takes a damaged copy.
  func check(_ input: [UInt8]) -> String? {
    let state = StateFolder(path: folder + "/state")
    mkdir(folder, 0o700)
    mkdir(state.path, 0o700)
    defer {
      Self.clear(state.path)
      rmdir(folder)
    }
    guard Self.write(bytes(input), to: state.database) else { return "can't write a copy" }
    look(at: state)
    do throws(RunSession.Problem) {
      let session = try Self.open(state, folder, "r2")
      _ = try session.doneInChain()
      try session.begin()
      return use(session)
    } catch {
      // Another job's or a later version's: not ours to touch.
      if case .usage = error { return nil }
      return "\(error)"
    }
  }

  /// Reading changes nothing and may fail.
  private func look(at state: StateFolder) {
    _ = StateStore.job(in: state)
    guard let store = try? StateStore(reading: state, job: Self.job(folder)) else { return }
    for task in ["task-1", "task-150"] {
      _ = try? store.committedFile(task)
      _ = try? store.ends(of: task)
      _ = try? store.sentMark(task)
    }
    _ = try? store.runs(limit: 3)
  }

  /// What a run does with it. Damage that shows late is set aside, and the run ended; no other
  /// failure is known.
  private func use(_ session: RunSession) -> String? {
    do throws(StateError) {
      for index in 0..<200 {
        _ = try session.store.committedFile("task-\(index)")
        if let checkpoint = try session.store.checkpoint("task-\(index)") {
          _ = checkpoint.validator.hasStrongDate
        }
      }
      try Self.fill(session.store)
      try session.store.endRun(
        RunEnd(
          summary: RunSummary(runID: "r2", started: Self.now, ended: Self.now), exitCode: 0))
      try session.store.commit()
      return nil
    } catch {
      guard error.isDamage else { return error.message }
      return session.setAside(error) == nil ? "not set aside: \(error.message)" : nil
    }
  }

  private static func job(_ folder: String) -> JobIdentity {
    JobIdentity(name: "nightly", file: "-", folder: folder, root: folder)
  }

  private static func open(
    _ state: StateFolder, _ folder: String, _ run: String
  ) throws(RunSession.Problem) -> RunSession {
    try RunSession(
      folder: state, job: job(folder), logPath: nil, runID: run, now: now, fresh: false,
      claims: IdentifierLock.Claims(folder: nil, job: "j", identifiers: []))
  }

  /// Rows in every table, on several pages.
  private static func fill(_ store: StateStore) throws(StateError) {
    for index in 0..<200 {
      let task = "task-\(index)"
      let file = CommittedFile(
        url: "https://h.example/\(index)", path: "/m/\(index)", inode: UInt64(index),
        size: 1_024, modificationNanoseconds: 1_700_000_000_123_456_789,
        validator: Validator(etag: "\"e\(index)\"", lastModified: "Mon"), sha256: "00ff")
      try store.put(file, task: task)
      if index % 8 == 0 {
        _ = try store.put([CommitIntent(task: task, file: file)])
        try store.put(
          Checkpoint(
            url: file.url, path: "/m/.part", inode: 7, durableBytes: 8_388_608, total: nil,
            validator: file.validator), task: task)
        try store.markSent(task: task, at: now, flushes: false)
      }
      var result = TaskResult(task: 0, outcome: .deferred, originalURL: "u", currentURL: "u")
      result.redirects = [.init(status: 302, url: file.url)]
      try store.add(result, task: task, line: Array(#"{"schema":1,"task":"\#(task)"}"#.utf8))
    }
    try store.commit()
  }

  private func bytes(_ input: [UInt8]) -> [UInt8] {
    guard let kind = input.first, kind != 0xFF else { return Array(input.dropFirst()) }
    var bytes = good
    var place = 1
    while place + 4 <= input.count, place < 400 {
      let offset = Int(input[place]) << 16 | Int(input[place + 1]) << 8 | Int(input[place + 2])
      if offset < bytes.count {
        bytes[offset] = input[place + 3]
      } else {
        bytes.removeLast(min(bytes.count, offset % (good.count + 1)))
      }
      place += 4
    }
    return bytes
  }

  // MARK: Files

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fwrite(bytes, 1, bytes.count, file) == bytes.count
  }

  /// Removes the folder and the files in it.
  private static func clear(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { unlink(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}

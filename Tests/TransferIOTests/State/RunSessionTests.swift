import Glibc
import Testing
import TransferCore

@testable import TransferIO

@Suite struct RunSessionTests {
  private let temporary = TemporaryFolder()
  private var folder: StateFolder { StateFolder(path: temporary / "state") }

  private func session(_ id: String) throws -> RunSession {
    let job = JobIdentity(name: "j", file: temporary / "j.yaml", folder: "/", root: "/")
    return try RunSession(
      folder: folder, job: job, logPath: nil, runID: id, now: Clock.wall(), fresh: false,
      claims: IdentifierLock.Claims(folder: nil, job: "j", identifiers: []))
  }

  private func oneRun() throws {
    let first = try session("r1")
    try first.begin()
    try first.store.commit()
  }

  /// Damage in a page that the opening doesn't look at.
  private func damagePageOfRuns() throws {
    let page = try {
      let database = try SQLiteDatabase(path: folder.database, access: .readWrite)
      let page = try database.integer("SELECT rootpage FROM sqlite_master WHERE name = 'run'")
      try database.checkpoint()
      return try #require(page)
    }()
    unlink(folder.database + "-wal")
    unlink(folder.database + "-shm")
    let file = open(folder.database, O_WRONLY)
    try #require(file >= 0)
    defer { close(file) }
    let filler = [UInt8](repeating: 0x41, count: 4096)
    let written = pwrite(file, filler, filler.count, off_t(page - 1) * 4096)
    try #require(written == filler.count)
  }

  @Test func damageThatOnlyTheRunMeetsIsSetAsideAndTold() throws {
    try oneRun()
    try damagePageOfRuns()
    let next = try session("r2")
    #expect(next.notices.contains { $0.contains("set aside") }, "\(next.notices)")
    #expect(next.chain.continues == nil)
    try next.begin()
    try next.store.commit()
    #expect(try next.store.lastRun()?.chain.runID == "r2")
  }

  @Test func aSecondRunIsHeldOff() throws {
    let first = try session("r1")
    #expect(throws: RunSession.Problem.self) { try session("r2") }
    withExtendedLifetime(first) {}
  }
}

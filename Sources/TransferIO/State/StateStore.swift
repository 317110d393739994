import CLinux
import Glibc
import TransferCore

/// What a job remembers from run to run, in one SQLite database. It is the truth: the completion
/// log is its image.
///
/// Reads and writes gather in one transaction that the first of them opens and `commit` ends: one
/// flush serves many, and a read costs no locking. A commit outlives a crash of the program at
/// once, and a power cut as soon as the file behind `walDescriptor` was flushed; SQLite itself
/// flushes only when the log is worked into the database. Not Sendable: one thread alone
/// uses it, the registrar's while a run goes on.
package final class StateStore {
  package let folder: StateFolder
  package let job: JobIdentity
  /// What was found and done at the start that the operator should know.
  package private(set) var notices: [String] = []

  var database: SQLiteDatabase
  private var prepared: [SQLiteStatement?]
  private let isReadOnly: Bool
  private var wal: Int32 = -1
  /// Since when a reader's batch is known to be open.
  private var readingSince: Instant?
  /// About what the write-ahead log got since it was last worked in.
  var writtenBytes = 0
  /// The current run's row, once it has begun.
  var current: StoredRun?
  /// Whether there may be checkpoints at all: small files have none, and pay nothing for them.
  var mayHaveCheckpoints = true
  /// Whether there may be requests of unknown fate; most jobs never have one.
  var mayHaveSent = true
  /// What the open database has: an older one that is only read lacks tables.
  let schemaVersion: Int

  /// Opens a job's state for a run; makes what is missing. A damaged database is set aside, told in
  /// `notices`, and begun anew. The job's lock is held by the caller.
  package init(folder: StateFolder, job: JobIdentity, now: WallTime) throws(StateError) {
    self.folder = folder
    self.job = job
    isReadOnly = false
    prepared = Array(repeating: nil, count: StateQuery.allCases.count)
    do throws(FileError) { try folder.create() } catch { throw .file(error) }
    do throws(StateError) {
      database = try Self.open(folder, for: job)
    } catch {
      if !error.isDamage { throw error }
      notices.append(try Self.setAside(folder, now, error))
      database = try Self.open(folder, for: job)
    }
    schemaVersion = StateSchema.version
    try lookForRareRows()
  }

  /// Opens a job's state for looking at it, and changes nothing: for `plan` and `status`.
  /// - Returns: nil when there is none.
  package init?(reading folder: StateFolder, job: JobIdentity) throws(StateError) {
    guard StateFolder.exists(folder.database) else { return nil }
    self.folder = folder
    self.job = job
    isReadOnly = true
    prepared = Array(repeating: nil, count: StateQuery.allCases.count)
    database = try Self.attempt(folder) { () throws(SQLiteError) in
      try SQLiteDatabase(
        path: folder.database, access: Self.hasLog(folder) ? .readOnly : .immutable)
    }
    schemaVersion = try Self.version(database, folder)
    if schemaVersion == 0 { return nil }
    try Self.identify(database, job, folder, isReadOnly: true)
    try lookForRareRows()
  }

  /// Opens the state of `store` once more, for looking at what earlier runs left, on another thread
  /// than that of `store`.
  init(beside store: StateStore) throws(StateError) {
    folder = store.folder
    job = store.job
    isReadOnly = true
    prepared = Array(repeating: nil, count: StateQuery.allCases.count)
    database = try Self.attempt(folder) { [folder] () throws(SQLiteError) in
      try SQLiteDatabase(path: folder.database, access: .readOnly)
    }
    schemaVersion = StateSchema.version
    try lookForRareRows()
  }

  /// Lets go of what reads have held for a second: the write-ahead log can't be worked in further
  /// than its oldest reader.
  func refresh(_ now: Instant) throws(StateError) {
    guard database.isInTransaction else { return }
    if let held = readingSince, now < held + .seconds(1) { return }
    if readingSince == nil { readingSince = now } else { try commit() }
    if !database.isInTransaction { readingSince = nil }
  }

  private func lookForRareRows() throws(StateError) {
    mayHaveCheckpoints = try hasRows("checkpoint")
    mayHaveSent = schemaVersion > 1 ? try hasRows("sent") : false
    try commit()
  }

  private func hasRows(_ table: String) throws(StateError) -> Bool {
    try !read("SELECT 1 FROM \(table) LIMIT 1") { $0.integer(0) }.isEmpty
  }

  deinit { if wal >= 0 { close(wal) } }

  /// Sets the damaged database aside and begins a new one that knows the current run: for damage
  /// that is met in the middle of a run. What the batch held is lost.
  package func rebuild(after error: StateError, now: WallTime) throws(StateError) {
    prepared = Array(repeating: nil, count: StateQuery.allCases.count)
    if wal >= 0 { close(wal) }
    wal = -1
    notices.append(try Self.setAside(folder, now, error))
    database = try Self.open(folder, for: job)
    if let chain = current?.chain {
      current = nil
      try startRun(chain)
      try commit()
    }
  }

  /// The write-ahead log, for fdatasync on any thread while this object lives: flushed, every
  /// commit made before outlives a power cut. The first flush of a run must also take the folder.
  package func walDescriptor() throws(StateError) -> Int32 {
    if wal < 0 {
      wal = unsafe jobrun_openat(AT_FDCWD, folder.database + "-wal", O_RDONLY | O_CLOEXEC, 0)
      if wal < 0 { throw .file(.last("open", folder.database + "-wal")) }
    }
    return wal
  }

  /// Makes every commit so far outlive a power cut; blocks until done.
  package func flush() throws(StateError) {
    if fdatasync(try walDescriptor()) != 0 { throw .file(.last("flush", folder.database)) }
  }

  /// True when so much was written since the last time that the write-ahead log should be worked
  /// into the database, off the loop: by `FlushBatch.checkpoint`. Asked once a batch of flushes.
  package func takeCheckpointDue() -> Bool {
    if writtenBytes < Self.checkpointBytes { return false }
    writtenBytes = 0
    return true
  }

  /// The log's file keeps its length and is written over: growing it anew costs more (measured).
  private static let checkpointBytes = 4 * 1_048_576
}

extension StateStore {
  // Batches

  /// True between the first write of a batch and its commit.
  package var hasUncommitted: Bool { database.isWriting }

  /// Ends the batch: all of its writes hold, or none. Without one it does nothing. What another
  /// process has committed meanwhile is seen by reads after it.
  package func commit() throws(StateError) { try end(.commit) }

  /// Drops the batch.
  package func rollback() throws(StateError) { try end(.rollback) }

  private func end(_ query: StateQuery) throws(StateError) {
    guard database.isInTransaction else { return }
    try perform { () throws(SQLiteError) in try statement(query).run() }
  }

  private func begin() throws(SQLiteError) {
    if !database.isInTransaction { try statement(.begin).run() }
  }

  /// Runs a write in the batch, which it opens when there is none.
  func write(
    _ query: StateQuery, _ body: (SQLiteStatement) throws(SQLiteError) -> Void
  ) throws(StateError) {
    precondition(!isReadOnly, "a state opened for reading is never written")
    try perform { () throws(SQLiteError) in
      try begin()
      let statement = try statement(query)
      try body(statement)
      try statement.run()
    }
  }

  /// A write in the batch that is too rare to be kept prepared.
  func write(_ sql: String, _ values: [StateValue]) throws(StateError) {
    precondition(!isReadOnly, "a state opened for reading is never written")
    try perform { () throws(SQLiteError) in
      try begin()
      try Self.bound(database, sql, values).run()
    }
  }

  /// Reads each row that a kept statement yields.
  func read<Row>(
    _ query: StateQuery, key: String? = nil, _ row: (SQLiteStatement) -> Row
  ) throws(StateError) -> [Row] {
    try perform { () throws(SQLiteError) in
      try begin()
      let statement = try statement(query)
      defer { statement.reset() }
      if let key { try statement.bind(key, at: 1) }
      return try Self.rows(of: statement, row)
    }
  }

  /// Reads each row of a query that is too rare to be kept prepared.
  func read<Row>(
    _ sql: String, _ values: [StateValue] = [], _ row: (SQLiteStatement) -> Row
  ) throws(StateError) -> [Row] {
    try perform { () throws(SQLiteError) in
      try begin()
      return try Self.rows(of: try Self.bound(database, sql, values), row)
    }
  }

  private static func rows<Row>(
    of statement: SQLiteStatement, _ row: (SQLiteStatement) -> Row
  ) throws(SQLiteError) -> [Row] {
    var rows: [Row] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  private static func bound(
    _ database: SQLiteDatabase, _ sql: String, _ values: [StateValue]
  ) throws(SQLiteError) -> SQLiteStatement {
    let statement = try SQLiteStatement(database, sql)
    for (index, value) in values.enumerated() {
      switch value {
      case .integer(let value): try statement.bind(value, at: Int32(index + 1))
      case .text(let value): try statement.bind(value, at: Int32(index + 1))
      }
    }
    return statement
  }

  private func statement(_ query: StateQuery) throws(SQLiteError) -> SQLiteStatement {
    if let statement = prepared[query.rawValue] { return statement }
    let statement = try SQLiteStatement(database, query.sql)
    prepared[query.rawValue] = statement
    return statement
  }

  private func perform<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(StateError) -> Value {
    try Self.attempt(folder, body)
  }
}

/// A value for a statement's parameter.
enum StateValue {
  case integer(Int64?)
  case text(String?)
}

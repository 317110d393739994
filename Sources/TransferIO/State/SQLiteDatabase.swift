import CSQLite

/// One connection to a database file. One owner of a `sqlite3`; closed when it and all of its
/// statements are gone. Not Sendable: one thread alone uses it.
@safe package final class SQLiteDatabase {
  package enum Access: Sendable {
    /// Made when it isn't there.
    case readWrite
    case readOnly
    /// Read as it lies there, with no lock and no file made beside it: for a database that nobody
    /// writes.
    case immutable
  }

  let handle: OpaquePointer

  /// - Parameters:
  ///   - path: absolute.
  ///   - busyMilliseconds: how long another process is waited for.
  package init(path: String, access: Access, busyMilliseconds: Int32 = 5_000) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | Self.flags(access)
    let name = access == .immutable ? Self.immutableName(path) : path
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe Self.error(code, opened, "open")
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    unsafe sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  /// Statements that still live keep the C object until they are finalized.
  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs SQL without parameters and results: one statement or several.
  package func run(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, sql) }
  }

  /// The integer that a statement without parameters yields: its first row's first column.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try SQLiteStatement(self, sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
  package var isWriting: Bool { unsafe sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE }

  /// Closing leaves the write-ahead log as it is, instead of working it into the database.
  func keepLogAtClose() {
    let code = unsafe jobrun_keep_log_at_close(handle)
    precondition(code == SQLITE_OK, "SQLite has no SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE")
  }

  /// Works as much of the write-ahead log into the database as no reader or writer needs, and
  /// flushes both. Others go on meanwhile.
  package func checkpoint() throws(SQLiteError) {
    // A connection that has read nothing yet doesn't know that there is a log.
    _ = try integer("SELECT count(*) FROM sqlite_schema")
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if code != SQLITE_OK { throw error(code, "checkpoint") }
  }

  func error(_ code: Int32, _ statement: String) -> SQLiteError {
    unsafe Self.error(code, handle, statement)
  }

  private static func error(
    _ code: Int32, _ handle: OpaquePointer?, _ statement: String
  ) -> SQLiteError {
    // With no handle SQLite answers with words for a lack of memory: then the code has better ones.
    let words = unsafe handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle)
    let message = unsafe words.map { unsafe String(cString: $0) } ?? "code \(code)"
    return SQLiteError(code: code, message: message, statement: statement)
  }

  private static func flags(_ access: Access) -> Int32 {
    switch access {
    case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readOnly: SQLITE_OPEN_READONLY
    case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
  }

  /// A `file:` URI (RFC 8089) of the path: everything but letters, digits and a few marks encoded.
  private static func immutableName(_ path: String) -> String {
    var name = "file://"
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F:
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += byte < 16 ? "%0" : "%"
        name += String(byte, radix: 16)
      }
    }
    return name + "?immutable=1"
  }
}

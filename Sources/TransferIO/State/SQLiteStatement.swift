import CSQLite

/// A prepared statement, used again and again. One owner of a `sqlite3_stmt`; not Sendable.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite.
@safe package final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let handle: OpaquePointer
  private let sql: String

  package init(_ database: SQLiteDatabase, _ sql: String) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw database.error(code, sql)
    }
    self.database = database
    self.sql = sql
    unsafe handle = prepared
  }

  deinit { unsafe sqlite3_finalize(handle) }

  package func bind(_ value: Int64?, at index: Int32) throws(SQLiteError) {
    let code =
      if let value { unsafe sqlite3_bind_int64(handle, index, value) } else {
        unsafe sqlite3_bind_null(handle, index)
      }
    try check(code)
  }

  package func bind(_ value: String?, at index: Int32) throws(SQLiteError) {
    guard var value else { return try check(unsafe sqlite3_bind_null(handle, index)) }
    let code = value.withUTF8 { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe jobrun_bind_text(handle, index, text.baseAddress, Int32(text.count))
      }
    }
    try check(code)
  }

  /// SQLite's bound of a value, a billion bytes, is far above a record's.
  package func bind(_ value: [UInt8], at index: Int32) throws(SQLiteError) {
    let code = unsafe value.withUnsafeBytes { bytes in
      unsafe jobrun_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
    try check(code)
  }

  /// True: a row is there to be read. False: done.
  package func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = database.error(code, sql)
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement without rows to its end, and makes it ready for the next time.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Ready for the next time: an error of the last step was told by `step`.
  package func reset() { unsafe sqlite3_reset(handle) }

  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// Text as it was stored; bytes that are no UTF-8 become U+FFFD.
  package func text(_ column: Int32) -> String? {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw database.error(code, sql) }
  }
}

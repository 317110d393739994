import CSQLite

/// What SQLite said when a call failed.
package struct SQLiteError: Error, Equatable, Sendable {
  /// What the caller can do about it.
  package enum Kind: Sendable {
    /// Another process holds the database past the busy timeout.
    case busy
    /// No database, or its pages make no sense; or tables and rows that aren't those that this
    /// program's own statements made.
    case damaged
    /// No room, a quota, or the disk failed.
    case full
    /// It can't be opened or written: a mode, a read-only file system.
    case notWritable
    case other
  }

  /// The extended result code (SQLITE_IOERR_FSYNC and the like).
  package var code: Int32
  /// SQLite's own words.
  package var message: String
  /// What was being done: the SQL text, or a call's name. Bound values are not in it.
  package var statement: String

  package init(code: Int32, message: String, statement: String) {
    self.code = code
    self.message = message
    self.statement = statement
  }

  package var kind: Kind {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH,
      SQLITE_SCHEMA, SQLITE_FORMAT, SQLITE_TOOBIG:
      .damaged
    case SQLITE_FULL, SQLITE_IOERR: .full
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .notWritable
    default: .other
    }
  }
}

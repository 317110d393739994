import CLinux
import CSQLite
import Glibc
import TransferCore

extension StateStore {
  /// Gives SQLite's error its database's path.
  static func attempt<Value>(
    _ folder: StateFolder, _ body: () throws(SQLiteError) -> Value
  ) throws(StateError) -> Value {
    do throws(SQLiteError) { return try body() } catch {
      throw .database(judged(error, folder), path: folder.database)
    }
  }

  private static func formatVersion(of path: String) -> UInt8? {
    let descriptor = unsafe jobrun_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var version: UInt8 = 0
    return unsafe pread(descriptor, &version, 1, 18) == 1 ? version : nil
  }

  /// A header whose byte 18 names a version of the format that nobody wrote makes SQLite take the
  /// file for one that may not be written.
  private static func judged(_ error: SQLiteError, _ folder: StateFolder) -> SQLiteError {
    guard error.code == SQLITE_READONLY, let version = formatVersion(of: folder.database),
      !(1...2).contains(version)
    else { return error }
    return SQLiteError(
      code: SQLITE_CORRUPT, message: "its header makes it read-only", statement: error.statement)
  }

  /// Opens the database for writing, brings it to this version and reads it through.
  static func open(
    _ folder: StateFolder, for job: JobIdentity
  ) throws(StateError) -> SQLiteDatabase {
    do throws(FileError) { try folder.createDatabaseFile() } catch { throw .file(error) }
    let database = try attempt(folder) { () throws(SQLiteError) in
      let database = try SQLiteDatabase(path: folder.database, access: .readWrite)
      try configure(database)
      return database
    }
    let found = try version(database, folder)
    try attempt(folder) { () throws(SQLiteError) in
      try migrate(database, from: found)
      for check in StateSchema.checks { _ = try database.integer(check) }
      // Tables that lack a column are damage too, and are best met now.
      for query in StateQuery.allCases { _ = try SQLiteStatement(database, query.sql) }
    }
    try identify(database, job, folder, isReadOnly: false)
    return database
  }

  /// The database's version, 0 for an empty one; refuses a later one than is known here.
  static func version(
    _ database: SQLiteDatabase, _ folder: StateFolder
  ) throws(StateError) -> Int {
    let found = try attempt(folder) { () throws(SQLiteError) in
      Int(try database.integer("PRAGMA user_version") ?? 0)
    }
    if found < 0 {
      let error = SQLiteError(
        code: SQLITE_CORRUPT, message: "its version is \(found)", statement: "user_version")
      throw .database(error, path: folder.database)
    }
    if found > StateSchema.version {
      throw .newerVersion(found: found, known: StateSchema.version, path: folder.database)
    }
    return found
  }

  /// Debian's SQLite writes zeros over what is deleted; nothing here is secret, and the old records
  /// of a large run would be written once more. The write-ahead log is worked into the database by
  /// `FlushBatch.checkpoint`, off the loop, and by nobody else: neither a commit nor closing waits
  /// for the disk.
  private static func configure(_ database: SQLiteDatabase) throws(SQLiteError) {
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = 8388608; PRAGMA cache_size = -2048;
      PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF;
      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF
      """)
    database.keepLogAtClose()
  }

  private static func migrate(_ database: SQLiteDatabase, from found: Int) throws(SQLiteError) {
    for version in found..<StateSchema.version {
      try database.run(
        """
        BEGIN IMMEDIATE; \(StateSchema.migrations[version])
        PRAGMA user_version = \(version + 1); COMMIT
        """)
    }
  }

  /// Makes sure that the state is this job file's, and remembers where the file stands: one that
  /// was moved takes its state along.
  static func identify(
    _ database: SQLiteDatabase, _ job: JobIdentity, _ folder: StateFolder, isReadOnly: Bool
  ) throws(StateError) {
    let given = realPath(job.file)
    let stored = try attempt(folder) { () throws(SQLiteError) in
      let statement = try SQLiteStatement(database, "SELECT name, file FROM job WHERE only = 1")
      return try statement.step() ? (statement.text(0) ?? "", statement.text(1) ?? "") : nil
    }
    if let (name, file) = stored {
      if name != job.name {
        throw .otherJob(stored: name, given: job.name, folder: folder.path)
      }
      if file == given || given == "-" { return }
      if file != "-", realPath(file) != given, StateFolder.exists(file) {
        throw .otherFile(job: name, stored: file, given: given)
      }
    }
    if isReadOnly { return }
    try attempt(folder) { () throws(SQLiteError) in
      let statement = try SQLiteStatement(database, "INSERT OR REPLACE INTO job VALUES (1, ?1, ?2)")
      try statement.bind(job.name, at: 1)
      try statement.bind(given, at: 2)
      try statement.run()
    }
  }

  /// Sets a damaged database aside.
  /// - Returns: what the operator is told.
  static func setAside(
    _ folder: StateFolder, _ time: WallTime, _ error: StateError
  ) throws(StateError) -> String {
    do throws(FileError) {
      let path = try folder.setAside(at: time)
      return "\(error.message); it was set aside as \(path) and begun anew"
    } catch { throw .file(error) }
  }

  /// A log with something in it: a run is going on, or the last one's commits still stand there.
  static func hasLog(_ folder: StateFolder) -> Bool {
    var facts = stat()
    return unsafe stat(folder.database + "-wal", &facts) == 0 && facts.st_size > 0
  }

  /// The path without symbolic links; as it is when there is no such file.
  private static func realPath(_ path: String) -> String {
    guard path != "-", let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

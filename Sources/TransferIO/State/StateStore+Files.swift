import Glibc
import TransferCore

extension StateStore {
  // What is remembered by task id

  /// The file that a task committed last.
  package func committedFile(_ task: String) throws(StateError) -> CommittedFile? {
    if schemaVersion < 2 { return try firstVersionFile(task) }
    return try read(.committed, key: task) { Self.committedFile($0) }.first
  }

  package func put(_ file: CommittedFile, task: String) throws(StateError) {
    try write(.putCommitted) { (statement) throws(SQLiteError) in
      try Self.bind(file, to: statement)
      try statement.bind(task, at: 11)
    }
  }

  /// The same of a state of the first version, which is only looked at.
  private func firstVersionFile(_ task: String) throws(StateError) -> CommittedFile? {
    try read(
      """
      SELECT url, path, inode, size, modified, etag, last_modified, date, sha256, NULL
      FROM committed WHERE task = ?1
      """, [.text(task)], Self.committedFile
    ).first
  }

  /// What is known to be on disk of a task's part file.
  package func checkpoint(_ task: String) throws(StateError) -> Checkpoint? {
    if !mayHaveCheckpoints { return nil }
    if schemaVersion < 2 { return try firstVersionCheckpoint(task) }
    return try read(.checkpoint, key: task) { Self.checkpoint($0) }.first
  }

  private func firstVersionCheckpoint(_ task: String) throws(StateError) -> Checkpoint? {
    try read(
      """
      SELECT url, path, inode, durable, total, etag, last_modified, date, NULL, NULL
      FROM checkpoint WHERE task = ?1
      """, [.text(task)], Self.checkpoint
    ).first
  }

  private static func checkpoint(_ row: SQLiteStatement) -> Checkpoint {
    var checkpoint = Checkpoint(
      url: row.text(0) ?? "", path: row.text(1) ?? "",
      inode: UInt64(bitPattern: row.integer(2)), durableBytes: row.integer(3),
      total: row.optionalInteger(4),
      validator: Validator(etag: row.text(5), lastModified: row.text(6), date: row.text(7)))
    checkpoint.beyond = row.text(8).flatMap(ByteRanges.init(text:)) ?? ByteRanges()
    checkpoint.mark = row.optionalInteger(9).map(UInt64.init(bitPattern:))
    return checkpoint
  }

  /// Only after the bytes that it claims were flushed.
  package func put(_ checkpoint: Checkpoint, task: String) throws(StateError) {
    mayHaveCheckpoints = true
    try write(.putCheckpoint) { (statement) throws(SQLiteError) in
      try statement.bind(checkpoint.url, at: 1)
      try statement.bind(checkpoint.path, at: 2)
      try statement.bind(Int64(bitPattern: checkpoint.inode), at: 3)
      try statement.bind(checkpoint.durableBytes, at: 4)
      try statement.bind(checkpoint.total, at: 5)
      try Self.bind(checkpoint.validator, at: 6, to: statement)
      try statement.bind(checkpoint.beyond.isEmpty ? nil : checkpoint.beyond.text, at: 9)
      try statement.bind(checkpoint.mark.map(Int64.init(bitPattern:)), at: 10)
      try statement.bind(task, at: 11)
    }
  }

  package func dropCheckpoint(_ task: String) throws(StateError) {
    if !mayHaveCheckpoints { return }
    try write(.dropCheckpoint) { (statement) throws(SQLiteError) in
      try statement.bind(task, at: 1)
    }
  }

  /// Before the files take their targets' names: one row for all of them.
  /// - Returns: the row's number, for `dropIntents`.
  package func put(_ intents: [CommitIntent]) throws(StateError) -> Int64 {
    try write(.putIntents) { (statement) throws(SQLiteError) in
      try statement.bind(IntentEncoding.bytes(intents), at: 1)
    }
    return database.lastInsertedRow
  }

  /// The files of a row are remembered, or did not come to their names: in the batch that says so.
  package func dropIntents(_ row: Int64) throws(StateError) {
    try write(.dropIntents) { (statement) throws(SQLiteError) in
      try statement.bind(row, at: 1)
    }
  }

  /// Every row is done with.
  package func dropAllIntents() throws(StateError) { try write("DELETE FROM intents", []) }

  package func intents() throws(StateError) -> [CommitIntent] {
    try read(.intents) { IntentEncoding.intents($0.bytes(0)) }.flatMap(\.self)
  }

  /// What a commit's one transaction holds of the file: it is remembered, and its checkpoint isn't
  /// needed any more.
  package func finish(_ file: CommittedFile, task: String) throws(StateError) {
    try put(file, task: task)
    try dropCheckpoint(task)
  }

  private static func committedFile(_ row: SQLiteStatement) -> CommittedFile {
    var file = CommittedFile(
      url: row.text(0) ?? "", path: row.text(1) ?? "",
      inode: UInt64(bitPattern: row.integer(2)), size: row.integer(3),
      modificationNanoseconds: row.integer(4),
      validator: Validator(etag: row.text(5), lastModified: row.text(6), date: row.text(7)),
      sha256: row.text(8))
    file.askedURL = row.text(9)
    return file
  }

  private static func bind(
    _ file: CommittedFile, to statement: SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(file.url, at: 1)
    try statement.bind(file.path, at: 2)
    try statement.bind(Int64(bitPattern: file.inode), at: 3)
    try statement.bind(file.size, at: 4)
    try statement.bind(file.modificationNanoseconds, at: 5)
    try bind(file.validator, at: 6, to: statement)
    try statement.bind(file.sha256, at: 9)
    try statement.bind(file.askedURL, at: 10)
  }

  private static func bind(
    _ validator: Validator, at index: Int32, to statement: SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(validator.etag, at: index)
    try statement.bind(validator.lastModified, at: index + 1)
    try statement.bind(validator.date, at: index + 2)
  }
}

import TransferCore

/// How a task ended once.
package struct PastEnd: Equatable, Sendable {
  package var runID: String
  /// The log's object.
  package var record: JSONNode
  /// `TriesEncoding`'s object; nil when the task went straight through.
  package var tries: JSONNode?

  /// When it was recorded, RFC 3339; sorts as text.
  package var time: String { record["time"]?.text ?? "" }

  package init(runID: String, record: JSONNode, tries: JSONNode? = nil) {
    self.runID = runID
    self.record = record
    self.tries = tries
  }
}

extension StateStore {
  // What `explain` tells

  /// Keeps what was tried, beside the record of that id, in the batch.
  func put(tries notes: [UInt8], record id: Int64) throws(StateError) {
    try write(.putTries) { (statement) throws(SQLiteError) in
      try statement.bind(id, at: 1)
      try statement.bind(notes, at: 2)
    }
    writtenBytes += notes.count
  }

  /// How the task ended in the runs whose records are kept, the newest first.
  package func ends(of task: String) throws(StateError) -> [PastEnd] {
    let tries =
      schemaVersion < 2 ? "NULL" : "(SELECT notes FROM tries WHERE tries.record = record.id)"
    let rows = try read(
      """
      SELECT run.id, line, \(tries) FROM record JOIN run ON run.number = record.run
      WHERE record.task = ?1 ORDER BY record.id DESC
      """, [.text(task)]
    ) { ($0.text(0) ?? "", $0.bytes(1), $0.bytes(2)) }
    return rows.compactMap { run, line, notes in
      JSONNode(line).map { PastEnd(runID: run, record: $0, tries: JSONNode(notes)) }
    }
  }

  /// The job whose state lies in a folder: its name and its file's real path. nil when there is no
  /// state, or none that can be read.
  package static func job(in folder: StateFolder) -> (name: String, file: String)? {
    guard StateFolder.exists(folder.database) else { return nil }
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(
        path: folder.database, access: hasLog(folder) ? .readOnly : .immutable)
      let statement = try SQLiteStatement(database, "SELECT name, file FROM job WHERE only = 1")
      guard try statement.step(), let name = statement.text(0), let file = statement.text(1) else {
        return nil
      }
      return (name, file)
    } catch { return nil }
  }
}

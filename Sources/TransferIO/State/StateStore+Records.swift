import TransferCore

extension StateStore {
  // The completion log's lines

  /// Keeps the current run's record of a finished task, in the batch; it counts as not logged.
  /// - Parameter line: the JSON object, without a line end.
  /// - Returns: the record's id, larger than all before.
  @discardableResult
  package func add(
    _ result: TaskResult, task: String, line: [UInt8]
  ) throws(StateError) -> Int64 {
    let id = try add(
      task: task, outcome: result.outcome.rawValue, received: result.bytesReceived,
      sent: result.bytesSent, line: line)
    if let notes = TriesEncoding.notes(result) { try put(tries: notes, record: id) }
    if !result.leavesFateOpen { try dropSentMark(task) }
    return id
  }

  /// Keeps the record of the current run's start or end, in the batch.
  @discardableResult
  package func add(line: [UInt8]) throws(StateError) -> Int64 {
    try add(task: nil, outcome: nil, received: 0, sent: 0, line: line)
  }

  /// Every record up to this one is in the log, in the batch. Only after the log was flushed, when
  /// the state is.
  package func markLogged(through id: Int64) throws(StateError) {
    try write(.markLogged) { (statement) throws(SQLiteError) in try statement.bind(id, at: 1) }
  }

  /// Records that are not known to be in the log, in their order.
  package func unloggedRecords() throws(StateError) -> [StoredRecord] {
    try read(
      "SELECT id, line FROM record WHERE id > (SELECT through FROM logged) ORDER BY id"
    ) { StoredRecord(id: $0.integer(0), line: $0.bytes(1)) }
  }

  /// The records of a run, in their order; those of older runs are gone.
  package func records(ofRun number: Int64) throws(StateError) -> [StoredRecord] {
    try read(
      """
      SELECT record.id, line FROM run JOIN record ON record.id >= first_record AND run = number
      WHERE number = ?1 ORDER BY record.id
      """, [.integer(number)]
    ) { StoredRecord(id: $0.integer(0), line: $0.bytes(1)) }
  }

  /// What a run's records of tasks add up to.
  func summary(of run: StoredRun) throws(StateError) -> RunSummary {
    var summary = RunSummary(
      runID: run.chain.runID, started: run.chain.started, ended: run.chain.started)
    let rows = try read(
      """
      SELECT record.outcome, count(*), sum(received), sum(sent)
      FROM run JOIN record ON record.id >= first_record AND run = number
      WHERE number = ?1 AND record.outcome IS NOT NULL GROUP BY record.outcome
      """, [.integer(run.number)]
    ) { ($0.text(0).flatMap(Outcome.init(rawValue:)), $0.integer(1), $0.integer(2), $0.integer(3)) }
    for (outcome, count, received, sent) in rows {
      if let outcome { summary.counts[outcome] = Int(count) }
      summary.bytesReceived += received
      summary.bytesSent += sent
    }
    return summary
  }

  /// Keeps the record of the end of a run that died, under that run.
  func add(endOf run: StoredRun, line: [UInt8]) throws(StateError) {
    let live = current
    current = run
    defer { current = live }
    try add(line: line)
  }

  private func add(
    task: String?, outcome: String?, received: Int64, sent: Int64, line: [UInt8]
  ) throws(StateError) -> Int64 {
    guard let run = current else { preconditionFailure("a record of a run that has not begun") }
    try write(.addRecord) { (statement) throws(SQLiteError) in
      try statement.bind(run.number, at: 1)
      try statement.bind(task, at: 2)
      try statement.bind(outcome, at: 3)
      try statement.bind(received, at: 4)
      try statement.bind(sent, at: 5)
      try statement.bind(line, at: 6)
    }
    // The record, and about as much for the pages of what else a finished task writes.
    writtenBytes += line.count + 1_024
    return database.lastInsertedRow
  }
}

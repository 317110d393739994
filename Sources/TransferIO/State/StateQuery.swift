/// The statements that a state store keeps prepared.
enum StateQuery: Int, CaseIterable {
  case committed, putCommitted
  case checkpoint, putCheckpoint, dropCheckpoint
  case intents, putIntents, dropIntents
  case addRecord, putTries, markLogged
  case begin, commit, rollback

  var sql: String {
    switch self {
    case .committed:
      """
      SELECT url, path, inode, size, modified, etag, last_modified, date, sha256, asked
      FROM committed WHERE task = ?1
      """
    case .putCommitted:
      "INSERT OR REPLACE INTO committed VALUES (?11, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    case .checkpoint:
      """
      SELECT url, path, inode, durable, total, etag, last_modified, date, beyond, mark
      FROM checkpoint WHERE task = ?1
      """
    case .putCheckpoint:
      "INSERT OR REPLACE INTO checkpoint VALUES (?11, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    case .dropCheckpoint: "DELETE FROM checkpoint WHERE task = ?1"
    case .intents: "SELECT files FROM intents ORDER BY number"
    case .putIntents: "INSERT INTO intents VALUES (NULL, ?1)"
    case .dropIntents: "DELETE FROM intents WHERE number = ?1"
    case .addRecord: "INSERT INTO record VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6)"
    case .putTries: "INSERT OR REPLACE INTO tries VALUES (?1, ?2)"
    case .begin: "BEGIN"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .markLogged: "UPDATE logged SET through = ?1 WHERE only = 1"
    }
  }
}

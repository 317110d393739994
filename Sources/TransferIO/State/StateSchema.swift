/// The database's tables, by version. A version that was released is never changed: a later one
/// says how to get there from it.
enum StateSchema {
  /// `migrations[n]` leads from version n to n + 1; a new database goes through all of them.
  static let migrations: [String] = [
    """
    CREATE TABLE job (
      only INTEGER PRIMARY KEY CHECK (only = 1), name TEXT NOT NULL, file TEXT NOT NULL
    ) STRICT;
    CREATE TABLE run (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, origin_id TEXT NOT NULL,
      origin_started INTEGER NOT NULL, started INTEGER NOT NULL, first_record INTEGER NOT NULL,
      ended INTEGER, outcome TEXT, exit_code INTEGER, signal INTEGER
    ) STRICT;
    CREATE TABLE committed (
      task TEXT PRIMARY KEY, url TEXT NOT NULL, path TEXT NOT NULL, inode INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, etag TEXT, last_modified TEXT, date TEXT,
      sha256 TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE intent (
      task TEXT PRIMARY KEY, url TEXT NOT NULL, path TEXT NOT NULL, inode INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, etag TEXT, last_modified TEXT, date TEXT,
      sha256 TEXT, part TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE checkpoint (
      task TEXT PRIMARY KEY, url TEXT NOT NULL, path TEXT NOT NULL, inode INTEGER NOT NULL,
      durable INTEGER NOT NULL, total INTEGER, etag TEXT, last_modified TEXT, date TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE record (
      id INTEGER PRIMARY KEY, run INTEGER NOT NULL, task TEXT, outcome TEXT,
      received INTEGER NOT NULL, sent INTEGER NOT NULL, line BLOB NOT NULL
    ) STRICT;
    CREATE TABLE logged (
      only INTEGER PRIMARY KEY CHECK (only = 1), through INTEGER NOT NULL
    ) STRICT;
    INSERT INTO logged VALUES (1, 0);
    CREATE TABLE done_earlier (task TEXT PRIMARY KEY, run_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE hold (host TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE tries (record INTEGER PRIMARY KEY, notes BLOB NOT NULL) STRICT;
    CREATE TABLE sent (
      task TEXT PRIMARY KEY, run TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE committed ADD COLUMN asked TEXT;
    ALTER TABLE checkpoint ADD COLUMN beyond TEXT;
    ALTER TABLE checkpoint ADD COLUMN mark INTEGER;
    CREATE TABLE intents (number INTEGER PRIMARY KEY, files BLOB NOT NULL) STRICT;
    INSERT INTO intents SELECT NULL, CAST(json_array(json_object(
      'task', task, 'url', url, 'path', path, 'inode', inode, 'size', size, 'modified', modified,
      'etag', etag, 'last_modified', last_modified, 'date', date, 'sha256', sha256)) AS BLOB)
      FROM intent;
    DROP TABLE intent;
    ALTER TABLE run ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
    """,
  ]

  static var version: Int { migrations.count }

  /// Reads what a run relies on, to a bound: most damage is met at the start, and not in the middle
  /// of a run. Old records are long and only matter when they go.
  static let checks = [
    "SELECT sum(length(name)) FROM job",
    "SELECT sum(length(id)) FROM run",
    sum("committed"), sum("checkpoint"),
    "SELECT sum(length(files)) FROM intents",
    "SELECT max(id) FROM record",
    "SELECT through FROM logged WHERE only = 1",
    "SELECT count(*) FROM done_earlier",
    "SELECT max(record) FROM tries",
    "SELECT sum(length(task) + at) FROM (SELECT task, at FROM sent LIMIT 20000)",
  ]

  private static func sum(_ table: String) -> String {
    """
    SELECT sum(length(task) + length(url) + length(path))
    FROM (SELECT task, url, path FROM \(table) LIMIT 20000)
    """
  }
}

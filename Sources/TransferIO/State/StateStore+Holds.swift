import TransferCore

extension StateStore {
  // Hosts that asked to be left alone for longer than a run could wait

  /// Those that still are, and until when.
  package func holds(at time: WallTime) throws(StateError) -> [String: WallTime] {
    // A database that an older jobrun made, and that is only looked at, has no such table.
    let table = try read("SELECT 1 FROM sqlite_master WHERE name = 'hold'") { $0.integer(0) }
    if table.isEmpty { return [:] }
    let rows = try read(
      "SELECT host, until FROM hold WHERE until > ?1", [.integer(time.microseconds)]
    ) { ($0.text(0) ?? "", WallTime(microseconds: $0.integer(1))) }
    return Dictionary(rows, uniquingKeysWith: max)
  }

  /// Remembers one: of what a host asked at several times the longest counts.
  package func putHold(_ host: String, until: WallTime) throws(StateError) {
    try write(
      """
      INSERT INTO hold VALUES (?1, ?2)
      ON CONFLICT (host) DO UPDATE SET until = max(until, excluded.until)
      """, [.text(host), .integer(until.microseconds)])
  }

  /// Forgets those whose time has come.
  package func dropHolds(before time: WallTime) throws(StateError) {
    try write("DELETE FROM hold WHERE until <= ?1", [.integer(time.microseconds)])
  }
}

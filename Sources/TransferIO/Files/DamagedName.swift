import TransferCore

/// Where a damaged file of ours goes: nothing is deleted.
enum DamagedName {
  /// `PATH.damaged-TIME`, and a number where that is taken.
  static func free(for path: String, at time: WallTime) -> String {
    let stamp = time.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    let first = "\(path).damaged-\(stamp)"
    var target = first
    var count = 1
    while StateFolder.exists(target) {
      count += 1
      target = "\(first)-\(count)"
    }
    return target
  }
}

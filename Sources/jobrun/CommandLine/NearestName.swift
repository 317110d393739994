/// Finds the known name that a misspelt one most likely means.
enum NearestName {
  /// The nearest of `names`, or nil when none is near: at most a third of its letters may be
  /// wrong. Of equals the first.
  static func of(_ written: String, among names: [String]) -> String? {
    guard written.utf8.count <= 64 else { return nil }
    let source = Array(written.utf8)
    var best: (name: String, distance: Int)?
    for name in names {
      let target = Array(name.utf8)
      let allowed = max(1, max(source.count, target.count) / 3)
      let found = distance(source, target)
      if found <= allowed, found < (best?.distance ?? .max) { best = (name, found) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours between two words (the optimal
  /// string alignment distance).
  private static func distance(_ source: [UInt8], _ target: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: target.count + 1)
    var last = Array(0...target.count)
    for row in 0..<source.count {
      var current = [row + 1]
      for column in 0..<target.count {
        let cost = source[row] == target[column] ? 0 : 1
        var least = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
        let isSwap =
          row > 0 && column > 0 && source[row] == target[column - 1]
          && source[row - 1] == target[column]
        if isSwap { least = min(least, beforeLast[column - 1] + 1) }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[target.count]
  }
}

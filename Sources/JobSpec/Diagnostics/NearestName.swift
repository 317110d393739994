/// Finds the name that a misspelt one was meant to be.
package enum NearestName {
  /// The nearest of `names`, or nil when none is near enough: one slip in three letters, another
  /// way of joining words (`maxErrors`, `max-errors`), or a beginning that only one name has.
  package static func suggestion(for name: String, among names: some Sequence<String>) -> String? {
    let wanted = normalised(name)
    guard !wanted.isEmpty else { return nil }
    let allowed = max(1, min(3, wanted.count / 3))
    var best: (name: String, distance: Int)?
    var beginnings: [String] = []
    for candidate in names where candidate != name {
      let letters = normalised(candidate)
      if wanted.count >= 4, letters.starts(with: wanted) { beginnings.append(candidate) }
      guard abs(letters.count - wanted.count) <= allowed else { continue }
      let distance = distance(wanted, letters)
      // Two letters are the whole name: only their order may be wrong.
      guard distance <= allowed, wanted.count > 2 || wanted.sorted() == letters.sorted()
      else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? (beginnings.count == 1 ? beginnings[0] : nil)
  }

  /// In lower case, words joined by `_`.
  private static func normalised(_ name: String) -> [UInt8] {
    var result: [UInt8] = []
    var lastWasLower = false
    for byte in name.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isUpper, lastWasLower { result.append(UInt8(ascii: "_")) }
      lastWasLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      let isJoint = byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
      result.append(isUpper ? byte | 0x20 : isJoint ? UInt8(ascii: "_") : byte)
    }
    return result
  }

  /// Insertions, removals, replacements and swaps of neighbours (optimal string alignment).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}

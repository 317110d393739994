import TransferCore

/// The name of one run of a job: `20261130T075411Z-4f3a9c`. Names sort by the second of the start;
/// six hexadecimal digits keep two runs of one second apart.
package enum RunID {
  /// - Parameters:
  ///   - start: when the run starts.
  ///   - chance: random bits; the lowest 24 are taken.
  package static func text(start: WallTime, chance: UInt64) -> String {
    let digits = String(chance & 0xFF_FFFF, radix: 16)
    let padding = String(repeating: "0", count: 6 - digits.count)
    let second = start.rfc3339.utf8.prefix(19).filter { $0 != 0x2D && $0 != 0x3A }
    return String(decoding: second, as: UTF8.self) + "Z-" + padding + digits
  }
}

/// Random changes of bytes, the same for the same seed.
struct Mutation {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// A mutant of one of the entries.
  mutating func mutant(of entries: [[UInt8]]) -> [UInt8] {
    var bytes = entries[below(entries.count)]
    for _ in 0...below(4) {
      let place = below(bytes.count + 1)
      switch below(7) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
      case 1 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + below(8)))
      case 4: bytes.removeSubrange(place...)
      case 5:
        let other = entries[below(entries.count)]
        bytes.insert(contentsOf: other.suffix(below(other.count + 1)), at: place)
      default:
        let words = ["9223372036854775807", "-1", "18446744073709551616", "\0", "\u{1B}[", "${"]
        bytes.insert(contentsOf: words[below(words.count)].utf8, at: place)
      }
    }
    return Array(bytes.prefix(65_536))
  }
}

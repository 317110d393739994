/// All chance of a simulation, from one seed: xorshift64*, so that a seed replays anywhere.
final class Chance {
  private var state: UInt64

  init(seed: UInt64) {
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    state = (mixed ^ (mixed >> 31)) | 1
  }

  func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  func below(_ bound: Int) -> Int { Int((next() >> 1) % UInt64(max(bound, 1))) }
  func below(_ bound: Int64) -> Int64 { Int64(below(Int(bound))) }
  func from(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }
  func from(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }
  /// True once in so many.
  func once(in many: Int) -> Bool { below(many) == 0 }
  func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}

/// One reader of foreign bytes, and what must hold whatever they are. The same targets run under
/// libFuzzer (`scripts/fuzz`) and over their corpora in `CorpusTests`.
struct FuzzTarget: Sendable {
  /// Its corpus is the folder of this name in `Tests/Corpora`.
  var name: String
  /// What is wrong with what was made of the bytes; nil when nothing is.
  var check: @Sendable ([UInt8]) -> String?
  /// Mutants that a run of the tests tries.
  var mutants = 3_000

  static let all: [FuzzTarget] = fields + credentials + files + [job, state]
}

/// A value made of bytes that may be anything.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

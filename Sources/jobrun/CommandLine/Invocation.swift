/// A command line, understood: the command, its options with checked values, its operands.
struct Invocation: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    /// How often it was given.
    case flag(Int)
    case texts([String])
    case count(Int)
    case duration(Duration)
    case assignments([Assignment])
  }
  struct Assignment: Equatable, Sendable {
    var name: String
    var value: String
  }

  /// nil only with `--help` or `--version` alone.
  var command: CommandName?
  var operands: [String] = []
  var values: [OptionName: Value] = [:]

  /// How often a flag was given.
  func times(_ name: OptionName) -> Int {
    if case .flag(let times) = values[name] { times } else { 0 }
  }

  func has(_ name: OptionName) -> Bool { values[name] != nil }

  func texts(_ name: OptionName) -> [String] {
    if case .texts(let texts) = values[name] { texts } else { [] }
  }

  func text(_ name: OptionName) -> String? { texts(name).last }

  func count(_ name: OptionName) -> Int? {
    if case .count(let count) = values[name] { count } else { nil }
  }

  func duration(_ name: OptionName) -> Duration? {
    if case .duration(let duration) = values[name] { duration } else { nil }
  }

  func assignments(_ name: OptionName) -> [Assignment] {
    if case .assignments(let list) = values[name] { list } else { [] }
  }
}

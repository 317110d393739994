/// The nodes that aliases may name, and the bound on what aliases add.
struct Anchors {
  /// Nodes that aliases may add in one file: a file that grows without end is refused early.
  static let addedNodesAtMost = 100_000

  struct Anchored {
    var node: YAMLNode
    /// Nodes in all, with those that aliases in it brought.
    var count: Int
    /// Collections in each other: 0 for a scalar.
    var height: Int
  }

  enum State {
    /// Still being read: an alias here would contain itself.
    case open
    /// A diagnostic speaks of it already.
    case damaged
    case ready(Anchored)
  }

  private var states: [String: State] = [:]
  private var added = 0

  subscript(name: String) -> State? {
    get { states[name] }
    set { states[name] = newValue }
  }

  var names: [String] { Array(states.keys) }

  /// Counts what an alias adds; false past the bound.
  mutating func add(_ count: Int) -> Bool {
    added += count
    return added <= Self.addedNodesAtMost
  }
}

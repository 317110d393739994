/// A binary heap of keys, the smallest first.
struct MinHeap<Key: Comparable> {
  private var keys: [Key] = []

  var isEmpty: Bool { keys.isEmpty }
  var first: Key? { keys.first }
  var count: Int { keys.count }

  mutating func insert(_ key: Key) {
    keys.append(key)
    var child = keys.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if keys[parent] <= keys[child] { return }
      keys.swapAt(parent, child)
      child = parent
    }
  }

  mutating func removeFirst() -> Key? {
    guard let first = keys.first else { return nil }
    let last = keys.removeLast()
    if keys.isEmpty { return first }
    keys[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      if child >= keys.count { return first }
      if child + 1 < keys.count, keys[child + 1] < keys[child] { child += 1 }
      if keys[parent] <= keys[child] { return first }
      keys.swapAt(parent, child)
      parent = child
    }
  }
}

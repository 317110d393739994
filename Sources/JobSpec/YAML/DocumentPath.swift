/// A place in the document's structure, written like `tasks[3].checksum`.
struct DocumentPath {
  enum Step {
    case key(String)
    case index(Int)
  }
  private(set) var steps: [Step] = []

  mutating func push(_ step: Step) { steps.append(step) }
  mutating func pop() { steps.removeLast() }

  /// nil at the top.
  func text(with key: String? = nil) -> String? {
    var text = ""
    for step in steps + (key.map { [.key($0)] } ?? []) {
      switch step {
      case .key(let key): text += text.isEmpty ? key : "." + key
      case .index(let index): text += "[\(index)]"
      }
    }
    return text.isEmpty ? nil : text
  }
}

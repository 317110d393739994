/// The ids of a job's tasks, and the names that stand for several.
struct TaskNames {
  private let findings: Findings
  private var single: [String: Int32] = [:]
  private var groups: [String: Range<Int32>] = [:]
  private var places: [String: SourceRange] = [:]
  /// Tasks that aren't in the plan because something is wrong with them.
  private var broken: Set<String> = []

  init(findings: Findings) { self.findings = findings }

  /// False when the id is taken, which has been told.
  mutating func add(_ id: String, task: Int32, at place: Place) -> Bool {
    if groups[id] == nil, single.updateValue(task, forKey: id) == nil {
      places[id] = place.range
      return true
    }
    tellTwice(id, at: place)
    return false
  }

  private func tellTwice(_ id: String, at place: Place) {
    let earlier = places[id] ?? place.range
    let isSame = earlier == place.range
    findings.error(
      .duplicateID, "two tasks have the id `\(id)`", at: place,
      hint: isSame ? "copies of one task differ in `${matrix.NAME}` or `${item}`" : nil,
      notes: isSame ? [] : [Diagnostic.Note(message: "it is here first", range: earlier)])
  }

  mutating func add(broken id: String) {
    broken.insert(id)
  }

  /// A name for all copies of one task.
  mutating func add(group id: String, tasks: Range<Int32>, at place: Place) {
    if single[id] != nil || groups[id] != nil { return tellTwice(id, at: place) }
    groups[id] = tasks
    places[id] = place.range
  }

  /// The tasks that a name stands for; nil when there is none.
  func tasks(named id: String) -> Range<Int32>? {
    if let task = single[id] { return task..<(task + 1) }
    return groups[id]
  }

  func isBroken(_ id: String) -> Bool { broken.contains(id) }

  /// All names, in no order.
  var all: [String] { Array(single.keys) + groups.keys }
}

/// The ids of a job's tasks, and the names that stand for several.
struct TaskNames {
  private let findings: Findings
  private var single: [String: Single] = [:]
  private var groups: [String: Group] = [:]
  /// Places that a second task was found at.
  private var told: Set<SourceRange> = []
  /// Some task's id isn't known.
  var lacksIDs = false

  private struct Single {
    var task: Int32
    var range: SourceRange
  }
  private struct Group {
    var tasks: Range<Int32>
    var range: SourceRange
  }

  init(findings: Findings) { self.findings = findings }

  /// An id that is taken is told.
  mutating func add(_ id: String, task: Int32, at place: Place) {
    if let group = groups.isEmpty ? nil : groups[id] {
      tellTwice(id, at: place, group.range)
    } else if let earlier = single.updateValue(Single(task: task, range: place.range), forKey: id) {
      tellTwice(id, at: place, earlier.range)
    }
  }

  private mutating func tellTwice(_ id: String, at place: Place, _ earlier: SourceRange) {
    guard told.insert(place.range).inserted else { return }
    let isSame = earlier == place.range
    findings.error(
      .duplicateID, "two tasks have the id `\(id)`", at: place,
      hint: isSame
        ? "copies of one task differ in `${matrix.NAME}` or `${item}`"
        : "give one of them another id",
      notes: isSame ? [] : [Diagnostic.Note(message: "it is here first", range: earlier)])
  }

  /// A name for all copies of one task.
  mutating func add(group id: String, tasks: Range<Int32>, at place: Place) {
    if let earlier = single[id]?.range ?? groups[id]?.range {
      return tellTwice(id, at: place, earlier)
    }
    groups[id] = Group(tasks: tasks, range: place.range)
  }

  /// The tasks that a name stands for; nil when there is none.
  func tasks(named id: String) -> Range<Int32>? {
    if let task = single[id]?.task { return task..<(task + 1) }
    return groups[id]?.tasks
  }

  /// All names, in no order.
  var all: [String] { Array(single.keys) + groups.keys }
}

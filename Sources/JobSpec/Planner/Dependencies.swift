import TransferCore

/// Which tasks wait for which.
struct Dependencies {
  private let findings: Findings
  private let names: TaskNames
  /// By the waiting task.
  private var edges: [Int32: [Edge]] = [:]
  private lazy var sortedNames = names.all.sorted()
  /// Looking through many names for many misspelt ones would take long.
  private var suggestionsLeft = 20

  private struct Edge {
    var to: Range<Int32>
    var place: Place?
  }

  init(findings: Findings, names: TaskNames) {
    self.findings = findings
    self.names = names
  }

  mutating func add(_ after: [TaskLinks.After]) {
    for link in after {
      guard let range = tasks(named: link.id, at: link.place) else { continue }
      edges[link.task, default: []].append(Edge(to: range, place: link.place))
    }
  }

  private mutating func tasks(named id: String, at place: Place) -> Range<Int32>? {
    if let range = names.tasks(named: id) { return range }
    if names.lacksIDs { return nil }
    var near: String?
    if suggestionsLeft > 0 {
      suggestionsLeft -= 1
      near = nearest(to: id, in: sortedNames)
    }
    findings.error(
      .unknownTask, "there is no task `\(shortened(id))`", at: place,
      hint: near.map { "did you mean `\($0)`?" } ?? "name a task of this job by its `id`")
    return nil
  }

  /// A task that takes what others captured waits for them.
  mutating func add(_ captures: [TaskLinks.Capture], captured: [Int32: [String]]) {
    for capture in captures {
      let use = capture.use
      guard let range = tasks(named: use.task, at: use.place) else { continue }
      let known = range.flatMap { captured[$0] ?? [] }
      guard known.contains(use.name) else {
        let near = nearest(to: use.name, in: known)
        findings.error(
          .unknownPlaceholder, "the task `\(use.task)` captures no `\(use.name)`", at: use.place,
          hint: near.map { "did you mean `\($0)`?" } ?? "write it under that task's `capture:`")
        continue
      }
      edges[capture.task, default: []].append(Edge(to: range, place: use.place))
    }
  }

  /// A checksum file that another task fetches comes first.
  mutating func add(_ files: [TaskLinks.ChecksumFile], targets: Collisions.Targets) {
    for file in files {
      guard let target = targets.task(writing: file.path), target != file.task else { continue }
      edges[file.task, default: []].append(Edge(to: target..<(target + 1), place: nil))
    }
  }

  /// Writes the order into the tasks; circles are told.
  func settle(_ tasks: inout [TaskPlan]) {
    for (task, list) in edges {
      tasks[Int(task)].after = list.count == 1 ? Array(list[0].to) : Self.sorted(list)
    }
    CircleSearch(findings: findings, tasks: tasks).tell { from, to in
      edges[from]?.first { $0.to.contains(to) }?.place
    }
  }

  private static func sorted(_ edges: [Edge]) -> [Int32] {
    Set(edges.flatMap { Array($0.to) }).sorted()
  }
}

/// Finds tasks that wait for themselves.
struct CircleSearch {
  let findings: Findings
  let tasks: [TaskPlan]

  private enum Mark { case new, open, done }

  /// Tells each circle once; `place` says where a task names another, if it does.
  func tell(place: (_ from: Int32, _ to: Int32) -> Place?) {
    var marks = [Mark](repeating: .new, count: tasks.count)
    for start in tasks.indices where marks[start] == .new && !tasks[start].after.isEmpty {
      var path: [(task: Int32, next: Int)] = [(Int32(start), 0)]
      marks[start] = .open
      while let (task, next) = path.last {
        let after = tasks[Int(task)].after
        guard next < after.count else {
          marks[Int(task)] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = after[next]
        switch marks[Int(other)] {
        case .done: break
        case .new:
          marks[Int(other)] = .open
          path.append((other, 0))
        case .open:
          let first = path.firstIndex { $0.task == other } ?? 0
          tell(path[first...].map(\.task), place)
        }
      }
    }
  }

  private func tell(_ circle: [Int32], _ place: (Int32, Int32) -> Place?) {
    let steps = circle.indices.map { (circle[$0], circle[($0 + 1) % circle.count]) }
    let places = steps.compactMap { step in place(step.0, step.1).map { (step, $0) } }
    guard let (_, first) = places.last else { return }
    let ids = (circle + [circle[0]]).map { tasks[Int($0)].id }
    let shown = ids.count > 8 ? Array(ids.prefix(4)) + ["…"] + ids.suffix(2) : ids
    let what =
      circle.count == 1
      ? "`\(ids[0])` waits for itself"
      : "these tasks wait for one another: \(shown.joined(separator: " -> "))"
    findings.error(
      .taskCircle, what, at: first, hint: "leave one of these out of `after`",
      notes: places.dropLast().prefix(8).map { step, place in
        let ids = (tasks[Int(step.0)].id, tasks[Int(step.1)].id)
        return Diagnostic.Note(message: "`\(ids.0)` waits for `\(ids.1)` here", range: place.range)
      })
  }
}

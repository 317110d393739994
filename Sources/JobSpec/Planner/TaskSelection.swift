import TransferCore

/// Which tasks of a plan a run is to do: `--only`, `--skip` and `--with-dependencies`.
package struct TaskSelection: Sendable {
  /// Ids, or names that stand for several; empty is all tasks.
  package var only: [String]
  /// Counted as met.
  package var skip: [String]
  /// Also do what the tasks of `only` wait for.
  package var withDependencies: Bool

  package init(only: [String] = [], skip: [String] = [], withDependencies: Bool = false) {
    self.only = only
    self.skip = skip
    self.withDependencies = withDependencies
  }

  /// A name that no task has.
  package struct UnknownTask: Error, Equatable, Sendable {
    package var id: String
    /// The name that was meant, perhaps.
    package var nearest: String?

    package init(id: String, nearest: String?) {
      self.id = id
      self.nearest = nearest
    }

    package var message: String {
      "there is no task `\(id)`" + (nearest.map { "; did you mean `\($0)`?" } ?? "")
    }
  }

  /// Indices of the tasks to do, in file order. Throws at the first unknown name.
  package func tasks(of plan: Plan) throws(UnknownTask) -> [Int] {
    var chosen = [Bool](repeating: only.isEmpty, count: plan.tasks.count)
    let names = Self.names(of: plan)
    for id in only {
      for index in try Self.indices(of: id, names) { chosen[index] = true }
    }
    if withDependencies { addDependencies(to: &chosen, plan) }
    for id in skip {
      for index in try Self.indices(of: id, names) { chosen[index] = false }
    }
    return chosen.indices.filter { chosen[$0] }
  }

  private func addDependencies(to chosen: inout [Bool], _ plan: Plan) {
    var open = chosen.indices.filter { chosen[$0] }
    while let index = open.popLast() {
      for needed in plan.tasks[index].after where !chosen[Int(needed)] {
        chosen[Int(needed)] = true
        open.append(Int(needed))
      }
    }
  }

  /// Ids, and what stands before `[` for all copies of one task.
  private static func names(of plan: Plan) -> [String: [Int]] {
    var names: [String: [Int]] = [:]
    for (index, task) in plan.tasks.enumerated() {
      names[task.id, default: []].append(index)
      guard task.id.hasSuffix("]"), let bracket = task.id.firstIndex(of: "[") else { continue }
      names[String(task.id[..<bracket]), default: []].append(index)
    }
    return names
  }

  private static func indices(
    of id: String, _ names: [String: [Int]]
  ) throws(UnknownTask) -> [Int] {
    if let indices = names[id] { return indices }
    throw UnknownTask(id: id, nearest: JobSpec.nearest(to: id, in: names.keys.sorted()))
  }
}

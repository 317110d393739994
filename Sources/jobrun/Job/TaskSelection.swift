import JobSpec
import TransferCore

/// The tasks that `--only` and `--skip` leave of a plan.
struct TaskSelection {
  var only: [String]
  var skip: [String]
  var withDependencies: Bool

  init(_ invocation: Invocation) {
    only = invocation.texts(.only)
    skip = invocation.texts(.skip)
    withDependencies = invocation.has(.withDependencies)
  }

  /// The plan with the chosen tasks alone, in file order. What they wait for and isn't among them
  /// counts as met: because it is skipped, or because the state has it done.
  /// - Parameter isDone: whether the state has a task of this id done.
  func apply(to plan: Plan, isDone: (String) -> Bool) throws(UsageError) -> Plan {
    if only.isEmpty && skip.isEmpty { return plan }
    let skipped = try indices(of: skip, .skip, in: plan)
    var chosen = only.isEmpty ? Set(plan.tasks.indices) : try indices(of: only, .only, in: plan)
    if withDependencies { chosen = closure(of: chosen, without: skipped, in: plan) }
    chosen.subtract(skipped)
    try checkDependencies(of: chosen, skipped, plan, isDone)
    return Self.plan(plan, keeping: chosen)
  }

  /// Tasks by name: an id, or what copies made by `matrix` or `items` have before their bracket.
  private func indices(
    of names: [String], _ option: OptionName, in plan: Plan
  ) throws(UsageError) -> Set<Int> {
    if names.isEmpty { return [] }
    var known: [String: [Int]] = [:]
    for (index, task) in plan.tasks.enumerated() {
      known[task.id, default: []].append(index)
      if let bracket = task.id.firstIndex(of: "["), task.id.hasSuffix("]") {
        known[String(task.id[..<bracket]), default: []].append(index)
      }
    }
    var found: Set<Int> = []
    for name in names {
      guard let indices = known[name] else {
        throw unknown(name, option, known.keys.sorted(), plan)
      }
      found.formUnion(indices)
    }
    return found
  }

  private func unknown(
    _ name: String, _ option: OptionName, _ known: [String], _ plan: Plan
  ) -> UsageError {
    var message = "\(option.spelled): the job \(plan.job.name) has no task \(Prose.quoted(name))"
    if name.contains(",") && !name.contains("[") {
      message += "; for more tasks write \(option.spelled) before each"
    } else if let near = NearestName.suggestion(for: name, among: known) {
      message += "; did you mean \(Prose.shown(near))?"
    }
    return UsageError(message, of: .run)
  }

  private func closure(of chosen: Set<Int>, without skipped: Set<Int>, in plan: Plan) -> Set<Int> {
    var closed = chosen
    var open = Array(chosen)
    while let task = open.popLast() {
      for before in plan.tasks[task].after.map(Int.init) where !skipped.contains(before) {
        if closed.insert(before).inserted { open.append(before) }
      }
    }
    return closed
  }

  private func checkDependencies(
    of chosen: Set<Int>, _ skipped: Set<Int>, _ plan: Plan, _ isDone: (String) -> Bool
  ) throws(UsageError) {
    for task in chosen.sorted() {
      for before in plan.tasks[task].after.map(Int.init)
      where !chosen.contains(before) && !skipped.contains(before) {
        let id = plan.tasks[before].id
        if isDone(id) { continue }
        throw UsageError(
          "\(Prose.shown(plan.tasks[task].id)) waits for \(Prose.shown(id)), which isn't done; "
            + "add --with-dependencies, or --skip \(Prose.shown(id))", of: .run)
      }
    }
  }

  private static func plan(_ plan: Plan, keeping chosen: Set<Int>) -> Plan {
    var smaller = plan
    let order = chosen.sorted()
    var place: [Int32: Int32] = [:]
    for (new, old) in order.enumerated() { place[Int32(old)] = Int32(new) }
    smaller.tasks = order.map { index in
      var task = plan.tasks[index]
      task.after = task.after.compactMap { place[$0] }
      return task
    }
    return smaller
  }
}

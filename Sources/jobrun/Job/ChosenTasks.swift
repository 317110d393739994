import JobSpec
import TransferCore

/// A plan cut down to what `--only` and `--skip` leave of it.
struct ChosenTasks {
  private let selection: TaskSelection
  private let command: CommandName?

  init(_ invocation: Invocation) {
    selection = TaskSelection(
      only: invocation.texts(.only), skip: invocation.texts(.skip),
      withDependencies: invocation.has(.withDependencies))
    command = invocation.command
  }

  /// Whether tasks are chosen at all.
  var isPart: Bool { !selection.only.isEmpty || !selection.skip.isEmpty }

  /// The plan with the chosen tasks alone, in file order. What they wait for and isn't among them
  /// counts as met: because it is skipped, or because the state has it done.
  /// - Parameter isDone: whether the state has a task of this id done.
  func apply(to plan: Plan, isDone: (String) -> Bool) throws(UsageError) -> Plan {
    if !isPart { return plan }
    let chosen = try indices(selection, plan)
    if chosen.isEmpty {
      throw UsageError("--only and --skip leave no task of \(plan.job.name)", of: command)
    }
    let isChosen = Set(chosen)
    let skipped =
      selection.skip.isEmpty ? [] : Set(try indices(TaskSelection(only: selection.skip), plan))
    for task in chosen {
      for before in plan.tasks[task].after.map(Int.init)
      where !isChosen.contains(before) && !skipped.contains(before) {
        let id = plan.tasks[before].id
        if !isDone(id) { throw waits(plan.tasks[task].id, for: id) }
      }
    }
    return Self.plan(plan, keeping: chosen)
  }

  private func indices(
    _ selection: TaskSelection, _ plan: Plan
  ) throws(UsageError) -> [Int] {
    do throws(TaskSelection.UnknownTask) {
      return try selection.tasks(of: plan)
    } catch {
      throw unknown(error, plan)
    }
  }

  private func unknown(_ task: TaskSelection.UnknownTask, _ plan: Plan) -> UsageError {
    var message = "the job \(plan.job.name) has no task \(Prose.quoted(task.id))"
    if task.id.contains(",") && !task.id.contains("[") {
      message += "; for more tasks repeat the option"
    } else if let near = task.nearest {
      message += "; did you mean \(Prose.shown(near))?"
    }
    return UsageError(message, of: command)
  }

  private func waits(_ task: String, for id: String) -> UsageError {
    UsageError(
      "\(Prose.shown(task)) waits for \(Prose.shown(id)), which isn't done; "
        + "add --with-dependencies, or --skip \(Prose.shown(id))", of: command)
  }

  private static func plan(_ plan: Plan, keeping chosen: [Int]) -> Plan {
    var smaller = plan
    var place: [Int32: Int32] = [:]
    for (new, old) in chosen.enumerated() { place[Int32(old)] = Int32(new) }
    smaller.tasks = chosen.map { index in
      var task = plan.tasks[index]
      task.after = task.after.compactMap { place[$0] }
      return task
    }
    return smaller
  }
}

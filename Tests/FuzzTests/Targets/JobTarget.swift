import JobSpec
import TransferCore
import TransferIO

extension FuzzTarget {
  /// A whole job file, up to the plan.
  static let job = FuzzTarget(name: "job", check: plan, mutants: 400)

  private static func plan(_ bytes: [UInt8]) -> String? {
    var environment = PlanEnvironment(
      jobFile: "/jobs/job.yaml", runID: "20261130T075411Z-4f3a9c", runStart: 1_795_938_851,
      version: "1.0")
    environment.homeFolder = "/home/u"
    environment.variable = { $0.hasPrefix("SET") ? "value" : nil }
    environment.readItems = { _, format in
      let rows: [PlanEnvironment.ItemRow] = [
        .init(columns: [(name: format == .lines ? "" : "a", value: "one")]),
        .init(columns: [(name: format == .lines ? "" : "a", value: "two/..")]),
      ]
      return .success(rows)
    }
    for mode in [PlanEnvironment.Mode.validate, .plan] {
      environment.mode = mode
      let job = JobReader.plan(bytes: bytes, in: environment)
      if job.plan == nil, job.diagnostics.isEmpty { return "no plan, and nothing told" }
      if let wrong = fault(in: job.diagnostics, of: bytes) { return wrong }
      if let plan = job.plan, let wrong = fault(in: plan) { return wrong }
    }
    return nil
  }

  /// What every plan promises.
  private static func fault(in plan: Plan) -> String? {
    if Set(plan.tasks.map(\.id)).count != plan.tasks.count { return "an id is there twice" }
    for (index, task) in plan.tasks.enumerated() {
      if !plan.sessions.indices.contains(task.session) { return "session \(task.session)" }
      if !plan.policies.indices.contains(task.policy) { return "policy \(task.policy)" }
      for before in task.after where !plan.tasks.indices.contains(Int(before)) || before == index {
        return "\(task.id) comes after \(before)"
      }
      if let path = task.path, !path.hasPrefix("/") || path.utf8.contains(0) { return path }
    }
    return nil
  }
}

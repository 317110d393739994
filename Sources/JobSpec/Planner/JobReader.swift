import TransferCore

/// A job file, read and planned.
package struct PlannedJob: Sendable {
  /// nil when there are errors.
  package var plan: Plan?
  /// In line order.
  package var diagnostics: [Diagnostic]
}

/// Reads a job file and makes its plan: everything that is wrong is told in one go.
package enum JobReader {
  /// `bytes` is the whole file. Tasks are planned one at a time as they are read.
  package static func plan(bytes: [UInt8], in environment: PlanEnvironment) -> PlannedJob {
    let yaml = JobYAML(bytes: bytes)
    let planner = JobPlanner(environment: environment)
    let head = yaml.read(skipping: "tasks")
    if let root = head.root { planner.readHead(root) }
    let whole = yaml.read(streaming: "tasks") { element in
      if head.root != nil { planner.take(element) }
    }
    let isWhole =
      whole.root != nil && !whole.diagnostics.contains { $0.severity == .error }
    let plan = planner.finish(isWhole: isWhole)
    let diagnostics = whole.diagnostics + planner.findings.diagnostics
    let hasErrors = diagnostics.contains { $0.severity == .error }
    return PlannedJob(plan: hasErrors ? nil : plan, diagnostics: sorted(diagnostics))
  }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let order = diagnostics.enumerated().sorted { left, right in
      (left.element.range.start, left.offset) < (right.element.range.start, right.offset)
    }
    return order.map(\.element)
  }
}

import JobSpec
import TransferCore

/// `plan` as text: what would be done, in file order; copies of one task that share action and
/// reason are told together when there are many.
struct PlanTable {
  var report: PlanReport
  var style: Style
  /// Columns.
  var width: Int

  /// From so many copies on they are told together.
  static let groupSize = 10

  var text: String {
    let lines = [headline, "Root: \(Prose.printable(report.plan.job.root))", ""]
    let rows = groups().flatMap { $0.count >= Self.groupSize ? together($0) : $0.flatMap(row) }
    return (lines + rows + sessions()).map { $0 + "\n" }.joined()
  }

  private var headline: String {
    let parts = report.counts.map { "\($0.count) \($0.action.rawValue)" }
    let job = style.paint(report.plan.job.name, .bold)
    let tasks = Prose.count(report.tasks.count, "task")
    return parts.isEmpty ? "\(job): \(tasks)" : "\(job): \(tasks): \(parts.joined(separator: ", "))"
  }

  /// Neighbours that are copies of one task with one action and one reason.
  private func groups() -> [ArraySlice<PlannedTask>] {
    var groups: [ArraySlice<PlannedTask>] = []
    var start = 0
    for index in report.tasks.indices where index > start {
      if !isAlike(report.tasks[start], report.tasks[index]) {
        groups.append(report.tasks[start..<index])
        start = index
      }
    }
    return start < report.tasks.count ? groups + [report.tasks[start...]] : groups
  }

  private func isAlike(_ left: PlannedTask, _ right: PlannedTask) -> Bool {
    guard left.action == right.action, left.reason == right.reason else { return false }
    return stem(left) == stem(right)
  }

  /// `iso` of `iso[2]`.
  private func stem(_ planned: PlannedTask) -> Substring {
    report.spec(planned).id.prefix { $0 != "[" }
  }

  private func row(_ planned: PlannedTask) -> [String] {
    let task = report.spec(planned)
    var rest = [Prose.printable(planned.reason)]
    if task.path != nil { rest.append("from \(Prose.printable(report.address(planned)))") }
    let uses = report.credentials(planned).map(\.words)
    if !uses.isEmpty { rest.append("as " + Prose.printable(uses.joined(separator: ", or "))) }
    return entry(planned.action, Prose.printable(task.id), what(planned), rest)
  }

  private func together(_ group: ArraySlice<PlannedTask>) -> [String] {
    guard let first = group.first, let last = group.last else { return [] }
    let ids = [first, last].map { Prose.printable(report.spec($0).id) }
    return entry(
      first.action, "\(Prose.printable(String(stem(first))))[...]",
      Prose.count(group.count, "task"),
      [Prose.printable(first.reason), "\(ids[0]) to \(ids[1])"])
  }

  /// Which file, or else which address.
  private func what(_ planned: PlannedTask) -> String {
    let task = report.spec(planned)
    guard let path = task.path else {
      return "\(task.request.method) \(Prose.printable(report.address(planned)))"
    }
    let shown = Prose.printable(report.plan.job.shown(path))
    guard let byte = planned.fromByte else { return shown }
    return "\(shown) from byte \(byte) (\(HumanText.size(byte)))"
  }

  /// Two lines: action, id and what; below it the rest, on one line if it fits.
  private func entry(
    _ action: PlannedAction, _ id: String, _ what: String, _ rest: [String]
  ) -> [String] {
    let margin = String(repeating: " ", count: 12)
    let mark: Style.Mark = action == .keep || action == .skip ? .faint : .good
    let head = style.paint(action.rawValue, mark) + margin.dropFirst(action.rawValue.count)
    let first =
      DisplayWidth.of(id) + DisplayWidth.of(what) + 14 <= width
      ? ["\(head)\(id)  \(what)"] : ["\(head)\(id)", margin + what]
    let joined = rest.joined(separator: "; ")
    let lines = DisplayWidth.of(joined) + 12 <= width ? [joined] : rest
    return first + lines.map { margin + style.paint($0, .faint) }
  }

  /// What is in the session's cookie jar, when there is something.
  private func jar(_ session: Int) -> String {
    let count = report.cookies.count(in: session)
    if count == 0 { return "" }
    let name = report.cookies.jar(of: session)
    let jar = name.hasPrefix("/") ? Prose.printable(name) : "the \(name) jar"
    return "; \(Prose.count(count, "cookie")) in \(jar)"
  }

  /// Who talks to whom by what: a line for each session and proxy.
  private func sessions() -> [String] {
    var order: [String] = []
    var counts: [String: Int] = [:]
    for planned in report.tasks {
      let name = report.plan.sessions[report.spec(planned).session].name
      let choice = report.proxy(planned)
      let proxy = choice.shown.map { "proxy \($0)" } ?? "no proxy"
      let words =
        "\(name): \(proxy)" + (choice.reason.map { " (\($0))" } ?? "")
        + jar(report.spec(planned).session)
      if counts[words] == nil { order.append(words) }
      counts[words, default: 0] += 1
    }
    let lines = order.map {
      "  session \(Prose.printable($0)), \(Prose.count(counts[$0] ?? 0, "task"))"
    }
    return lines.isEmpty ? [] : ["", "By:"] + lines
  }
}

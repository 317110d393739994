import TransferCore
import TransferIO

/// What `plan` tells: the plan, what a run would do with each task, and by which proxy.
struct PlanReport {
  var plan: Plan
  /// One a task that is looked at, in file order.
  var tasks: [PlannedTask]
  /// The environment, for the proxy and the netrc file.
  var variable: (String) -> String?
  /// Of each session's netrc file.
  let machines: [Netrc?]
  /// The sessions' cookie jars.
  let cookies: CookieOutlook

  init(
    plan: Plan, tasks: [PlannedTask], variable: @escaping (String) -> String?,
    cookies: CookieOutlook
  ) {
    self.plan = plan
    self.tasks = tasks
    self.variable = variable
    self.cookies = cookies
    machines = Self.machines(of: plan, variable)
  }

  /// There is something to do.
  var hasWork: Bool { tasks.contains { $0.action.isWork } }

  func spec(_ planned: PlannedTask) -> TaskPlan { plan.tasks[Int(planned.task)] }

  /// The task's address, without secrets and user info.
  func address(_ planned: PlannedTask) -> String {
    ShownAddress.withoutUserInfo(spec(planned).request.shownURLs[planned.mirror])
  }

  /// Its other addresses, in the order in which they are asked when one fails.
  func mirrors(_ planned: PlannedTask) -> [String] {
    let all = spec(planned).request.shownURLs.map(ShownAddress.withoutUserInfo)
    return Array(all[(planned.mirror + 1)...] + all[..<planned.mirror])
  }

  /// The proxy that the task's first request takes.
  func proxy(_ planned: PlannedTask) -> ProxyEnvironment.Choice {
    let task = spec(planned)
    let url = task.request.shownURLs[planned.mirror]
    switch plan.sessions[task.session].proxy {
    case .none: return .init(proxy: nil, reason: "the session says proxy: none")
    case .own(let own):
      let choice = own.choice(for: url)
      return .init(proxy: choice.proxy?.shown, reason: choice.reason)
    case .environment: return ProxyEnvironment.choice(for: url, variable: variable)
    }
  }

  /// The jar of the task's session, and how many of its cookies go with the first request; nil
  /// where the address takes none.
  func cookies(_ planned: PlannedTask) -> (jar: String, count: Int)? {
    let task = spec(planned)
    let url = task.request.shownURLs[planned.mirror]
    guard let count = cookies.count(in: task.session, for: url) else { return nil }
    return (cookies.jar(of: task.session), count)
  }

  /// How many tasks of each action there are, in the actions' order.
  var counts: [(action: PlannedAction, count: Int)] {
    var counts: [PlannedAction: Int] = [:]
    for task in tasks { counts[task.action, default: 0] += 1 }
    return PlannedAction.allCases.compactMap { action in counts[action].map { (action, $0) } }
  }
}

extension JobIdentity {
  /// A path as the job's author writes it: from the root, where it lies below it.
  func shown(_ path: String) -> String {
    let folder = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}

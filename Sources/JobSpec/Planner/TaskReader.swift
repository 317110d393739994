import TransferCore

/// Makes plans of task drafts.
final class TaskReader {
  let findings: Findings
  let environment: PlanEnvironment
  let sessions: SessionTable
  let unavailable: UnavailableList
  let paths: JobPaths
  var policies = PolicyTable()
  var lists = ListTable()
  var links = TaskLinks()
  /// The address that was read last.
  var lastAddress: Address?
  /// The index that the next task has in the plan.
  var nextIndex: Int32 = 0

  init(
    findings: Findings, environment: PlanEnvironment, sessions: SessionTable,
    unavailable: UnavailableList, paths: JobPaths
  ) {
    self.findings = findings
    self.environment = environment
    self.sessions = sessions
    self.unavailable = unavailable
    self.paths = paths
  }

  /// nil when something is wrong with it, which has been told.
  func task(_ draft: TaskDraft) -> TaskPlan? {
    linkAfter(draft)
    sessions.use(draft.session, policies: &policies)
    tellLater(draft)
    checkBackground(draft)
    guard let (work, request) = workAndRequest(draft) else { return nil }
    let session = sessions.sessions[draft.session]
    var task = TaskPlan(
      id: draft.id, session: draft.session, policy: policy(draft, session), work: work,
      request: request)
    task.expect = expectation(draft)
    task.credentials = credentials(draft)
    task.priority = priority(draft.object)
    task.optional = optionalRule(draft.object)
    task.expectedBytes = draft.object.bytes("expected_bytes")
    task.line = draft.range.start.line
    return task
  }

  /// The task's own.
  private func credentials(_ draft: TaskDraft) -> [CredentialPlan]? {
    guard let entry = draft.object["credentials"] else { return nil }
    let path = (entry.home ?? draft.path).appending(.key("credentials"))
    return CredentialReader(findings: findings, path: path).credentials(of: draft.object)
  }

  private func workAndRequest(_ draft: TaskDraft) -> (TaskPlan.Work, RequestPlan)? {
    switch draft.kind {
    case .download:
      guard let download = download(draft), let request = downloadRequest(draft) else { return nil }
      return (.download(download), request)
    case .upload:
      guard let request = uploadRequest(draft) else { return nil }
      return (.upload, request)
    case .data:
      guard let request = dataRequest(draft) else { return nil }
      return (.data(data(draft)), request)
    default:
      // A mirror: it never runs in this version, but other tasks may name it.
      let url = draft.object["mirror"]?.value.planText ?? PlanText("")
      return (.data(DataPlan()), RequestPlan(method: "GET", url: url))
    }
  }

  private func tellLater(_ draft: TaskDraft) {
    for feature in LaterFeatures.found(in: draft.object, at: draft.path) {
      unavailable.need(feature)
    }
    for feature in sessions.sessions[draft.session].later { unavailable.need(feature) }
  }

  private func checkBackground(_ draft: TaskDraft) {
    guard sessions.sessions[draft.session].plan.kind == .background else { return }
    let hint = "use a default session for it"
    if draft.kind == .data, let entry = draft.object["data"] {
      findings.error(
        .backgroundTask, "a data task can't be in a background session", at: draft.keyPlace(entry),
        hint: hint)
    }
    if draft.kind == .upload, let entry = draft.object["upload"],
      case .object = entry.value
    {
      findings.error(
        .backgroundTask, "a background session uploads files, not forms and texts",
        at: draft.place(entry), hint: hint)
    }
  }

  private func policy(_ draft: TaskDraft, _ session: SessionTable.Resolved) -> Int {
    let isOwn = PolicyReader.taskKeys.contains { draft.object.has($0) }
    guard isOwn else { return session.policyIndex }
    var policy = session.policy
    PolicyReader.apply(draft.object, to: &policy)
    policy.rateLimit = PolicyReader.rateLimit(draft.object)
    return policies.intern(policy)
  }

  private func priority(_ object: ObjectValue) -> Float {
    switch object["priority"]?.value {
    case .number(let value): Float(value)
    case .text("low"): 0.25
    case .text("high"): 0.75
    default: 0.5
    }
  }

  private func optionalRule(_ object: ObjectValue) -> OptionalRule {
    switch object["optional"]?.value {
    case .bool(true): .always
    case .object(let rule):
      .statuses(
        (rule.list("on") ?? []).compactMap { element in
          if case .int(let status) = element.value { Int(status) } else { nil }
        })
    default: .never
    }
  }

  private func linkAfter(_ draft: TaskDraft) {
    guard let entry = draft.object["after"], case .list(let ids) = entry.value else { return }
    for (index, element) in ids.enumerated() {
      guard let id = element.value.string else { continue }
      let place = draft.place(entry, element.range, [.index(index)])
      links.after.append(TaskLinks.After(task: nextIndex, id: id, place: place))
    }
  }

  /// What an answer must be like.
  private func expectation(_ draft: TaskDraft) -> Expectation {
    var expect = Expectation()
    guard let entry = draft.object["expect"], case .object(let object) = entry.value else {
      return expect
    }
    expect.contentType = object.string("content_type")?.lowercased()
    expect.size = object.bytes("size")
    expect.bodyContains = object.string("body_contains")
    if let status = object["status"] {
      let rules = statusRules(status.value)
      if !rules.isEmpty { expect.status = rules }
    }
    if draft.kind == .download, let inner = object["body_contains"] {
      findings.error(
        .wrongKind, "`body_contains` is for data tasks and uploads, and this is a download",
        at: draft.place(entry, inner.keyRange, [.key("body_contains")]),
        hint: "`checksum` says what a file must hold")
    }
    return expect
  }

  private func statusRules(_ value: FieldValue) -> [Expectation.Status] {
    switch value {
    case .int(let status): [.exactly(Int(status))]
    case .text("any"): [.any]
    case .text(let text): text.first?.wholeNumberValue.map { [.family($0)] } ?? []
    case .list(let elements): elements.flatMap { statusRules($0.value) }
    default: []
    }
  }
}

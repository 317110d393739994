import TransferCore

extension JobPlanner {
  /// Ties the tasks together. `isWhole`: every task of the file was handed over.
  func finish(isWhole: Bool) -> Plan? {
    guard let reader else { return nil }
    SegmentLimit(
      findings: findings, settings: settings, sessions: reader.sessions.sessions.map(\.plan)
    ).cut(reader.links.segments, of: &tasks)
    if isWhole {
      tie(reader)
      checkEmpty()
      tellUnused(reader)
    }
    tellLaterSessions(reader)
    let file = Self.file(of: environment)
    let job = JobIdentity(
      name: interpolator.jobName ?? "job", description: head.string("description"), file: file,
      folder: paths.folder, root: reader.paths.root)
    return Plan(
      job: job, settings: settings, secrets: secrets,
      sessions: reader.sessions.sessions.map(\.plan), policies: reader.policies.policies,
      tasks: tasks, lists: reader.lists.lists, unavailable: unavailable.features)
  }

  private func tie(_ reader: TaskReader) {
    let collisions = Collisions(findings: findings, tasks: tasks)
    let targets = collisions.check(reader.links.writes)
    var dependencies = Dependencies(findings: findings, names: names)
    dependencies.add(reader.links.after)
    dependencies.add(reader.links.captures, captured: reader.links.captured)
    dependencies.add(reader.links.checksumFiles, targets: targets)
    dependencies.settle(&tasks)
  }

  private func checkEmpty() {
    guard tasks.isEmpty, !lacksTasks, !settings.allowEmpty, let place = tasksPlace else { return }
    findings.error(
      .noTasks, "this job leaves no task to do", at: place,
      hint: "write `allow_empty: true` if that is in order")
  }

  private func tellUnused(_ reader: TaskReader) {
    if !lacksTasks {
      for session in reader.sessions.sessions where !session.isUsed && !isExtended(session) {
        guard let place = session.place else { continue }
        findings.warning(
          .unusedSession, "no task uses the session `\(session.plan.name)`", at: place,
          hint: "name it in a task, as in `session: \(session.plan.name)`, or remove it")
      }
      for (name, variable) in interpolator.variables
      where !interpolator.usedVariables.contains(name) {
        let place = Place(range: variable.keyRange, path: variable.place.path)
        findings.warning(
          .unusedVariable, "nothing uses the var `\(name)`", at: place,
          hint: "use it as `${vars.\(name)}`, or remove it")
      }
    }
    let known = Set(interpolator.variables.keys)
    for name in environment.variables.keys.sorted()
    where !known.contains(name) && !interpolator.usedVariables.contains(name) {
      let near = nearest(to: name, in: known.sorted())
      findings.error(
        .unknownOverride, "`--var \(name)=…` sets a var that this job doesn't have",
        at: Place(range: .fileStart, path: DocumentPath()),
        hint: near.map { "did you mean `\($0)`?" })
    }
  }

  private func isExtended(_ session: SessionTable.Resolved) -> Bool {
    reader?.sessions.extended.contains(session.plan.name) ?? false
  }

  /// Sessions that nobody uses say what is later too, though nothing needs it.
  private func tellLaterSessions(_ reader: TaskReader) {
    for feature in reader.sessions.sessions.flatMap(\.later) { unavailable.tell(feature) }
  }
}

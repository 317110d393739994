import TransferCore

extension JobPlanner {
  /// Plans the copy that the interpolator's scope is about.
  func takeCopy(of written: WrittenTask, _ expansion: Expansion, _ reader: TaskReader) {
    interpolator.captures.removeAll(keepingCapacity: true)
    var object = ObjectValue(range: written.range)
    object.entries.reserveCapacity(written.entries.count)
    var idUsesCopy = false
    for (index, entry) in written.entries.enumerated() {
      if index < written.fixed.count, let fixed = written.fixed[index] {
        object.entries.append(fixed)
        continue
      }
      guard case .scalar(let key, _) = entry.key.content, key != "matrix", key != "items" else {
        continue
      }
      interpolator.usesCopy = false
      decoder.append(entry, to: &object, .task)
      if key == "id" { idUsesCopy = interpolator.usesCopy }
    }
    let kind = kind(of: &object, written)
    let suffix = idUsesCopy ? "" : expansion.suffix(of: interpolator.copy ?? CopyScope())
    let id = id(of: object, written).map { $0 + suffix }
    let session = session(of: object, written.path)
    guard let kind, let id, let session else {
      if id == nil { names.lacksIDs = true }
      return appendStandIn(id, object, written)
    }
    let draft = TaskDraft(
      id: id, kind: kind, object: object, path: written.path, range: written.range,
      session: session)
    take(draft, reader)
  }

  private func take(_ draft: TaskDraft, _ reader: TaskReader) {
    reader.nextIndex = Int32(tasks.count)
    name(draft.id, draft.object, draft.path, draft.range)
    noteCaptures(reader)
    if let task = reader.task(draft) {
      tasks.append(task)
    } else {
      appendStandIn(draft.id)
    }
  }

  private func name(
    _ id: String, _ object: ObjectValue, _ path: DocumentPath, _ range: SourceRange
  ) {
    let entry = object["id"]
    let path = entry == nil ? path : path.appending(.key("id"))
    names.add(
      id, task: Int32(tasks.count), at: Place(range: entry?.range ?? range, path: path))
  }

  private func appendStandIn(_ id: String?, _ object: ObjectValue, _ written: WrittenTask) {
    if let id { name(id, object, written.path, written.keyRange ?? written.range) }
    appendStandIn(id ?? "")
  }

  /// A task that something is wrong with keeps its place, so that the others are checked.
  private func appendStandIn(_ id: String) {
    lacksTasks = true
    tasks.append(
      TaskPlan(
        id: id, session: 0, policy: 0, work: .upload,
        request: RequestPlan(method: "GET", url: PlanText(""))))
  }

  /// What it takes from other tasks: a later version's.
  private func noteCaptures(_ reader: TaskReader) {
    for use in interpolator.captures {
      unavailable.need("captures", at: use.place)
      reader.links.captures.append(TaskLinks.Capture(task: reader.nextIndex, use: use))
    }
  }
}

import TransferCore

/// Plans a job: its head first, then its tasks one at a time, then what ties them together.
final class JobPlanner {
  let environment: PlanEnvironment
  let findings = Findings()
  let interpolator: Interpolator
  let decoder: Decoder
  var paths: JobPaths
  /// The top level but for its tasks.
  var head = ObjectValue(range: .fileStart)
  var defaults = TaskDefaults()
  var settings = RunSettings()
  var secrets: [String: SecretSource] = [:]
  let unavailable: UnavailableList
  /// Known once the head is read.
  var reader: TaskReader?
  var tasks: [TaskPlan] = []
  var names: TaskNames
  /// The `tasks` key's place.
  var tasksPlace: Place?
  /// Something about a task kept it out of the plan.
  var lacksTasks = false

  init(environment: PlanEnvironment) {
    self.environment = environment
    interpolator = Interpolator(environment: environment, findings: findings)
    decoder = Decoder(findings: findings, interpolator: interpolator)
    unavailable = UnavailableList(findings: findings)
    names = TaskNames(findings: findings)
    let folder = Self.folder(of: environment)
    paths = JobPaths(folder: folder, home: environment.homeFolder)
    interpolator.jobFolder = folder
  }

  /// The job file, absolute, or `-`.
  static func file(of environment: PlanEnvironment) -> String {
    let file = environment.jobFile
    if file == "-" { return file }
    return JobPaths.normalized(
      file.hasPrefix("/") ? file : environment.workingFolder + "/" + file)
  }

  private static func folder(of environment: PlanEnvironment) -> String {
    let file = file(of: environment)
    return file == "-"
      ? JobPaths.normalized(environment.workingFolder) : JobPaths.folder(of: file)
  }

  // MARK: Tasks

  /// Plans one element of `tasks`: all of its copies.
  func take(_ element: StreamedElement) {
    guard let reader else { return }
    var path = DocumentPath()
    path.push(.key("tasks"))
    var key: String?
    if let node = element.key {
      guard let text = decoder.within(path, { decoder.mapKey(node, .taskID) }) else {
        lacksTasks = true
        names.lacksIDs = true
        return
      }
      key = text
      path.push(.key(text))
    } else {
      path.push(.index(element.index))
    }
    guard case .mapping(let entries) = element.value.content else {
      lacksTasks = true
      names.lacksIDs = true
      findings.error(
        .wrongType, "a task must be a map, not \(element.value.describedKind)",
        at: Place(range: element.value.range, path: path),
        hint: "like `- { id: page, download: https://host/page, to: page }`")
      return
    }
    let written = WrittenTask(
      entries: entries, key: key, keyRange: element.key?.range, path: path,
      range: element.value.range)
    decoder.within(path) { expand(written, reader) }
  }

  /// A task as it stands in the file.
  struct WrittenTask {
    var entries: [YAMLNode.Entry]
    /// In a map of id to task.
    var key: String?
    var keyRange: SourceRange?
    var path: DocumentPath
    var range: SourceRange
    /// Of each entry, when the task has copies: its field, read once because it is the same in all.
    var fixed: [ObjectValue.Entry?] = []
  }

  private func expand(_ element: WrittenTask, _ reader: TaskReader) {
    var written = element
    guard let expansion = expansion(of: written) else {
      lacksTasks = true
      names.lacksIDs = true
      return
    }
    interpolator.copy = CopyScope()
    defer { interpolator.copy = nil }
    let count = expansion.count ?? 0
    let first = Int32(tasks.count)
    // Growing by doubling would leave as much unused memory again.
    if count > tasks.count { tasks.reserveCapacity(tasks.count + count) }
    if count > 1 { written.fixed = written.entries.map { fixed($0, of: written) } }
    for index in 0..<count {
      if !expansion.isSingle { interpolator.copy = expansion.scope(at: index) }
      takeCopy(of: written, expansion, reader)
    }
    if !expansion.isSingle, let id = writtenID(written) {
      names.add(group: id.text, tasks: first..<Int32(tasks.count), at: id.place)
    }
  }

  /// A field in which no placeholder stands.
  private func fixed(_ entry: YAMLNode.Entry, of written: WrittenTask) -> ObjectValue.Entry? {
    guard case .scalar(let key, _) = entry.key.content, key != "matrix", key != "items",
      !entry.value.holdsDollar
    else { return nil }
    var object = ObjectValue(range: written.range)
    decoder.append(entry, to: &object, .task)
    return object.entries.first
  }

  private func expansion(of written: WrittenTask) -> Expansion? {
    var object = ObjectValue(range: written.range)
    for entry in written.entries {
      guard case .scalar(let key, _) = entry.key.content, key == "matrix" || key == "items" else {
        continue
      }
      decoder.append(entry, to: &object, .task)
    }
    for key in ["matrix", "items"] where !object.has(key) {
      if let entry = defaults.entry(key, decoder) { object.entries.append(entry) }
    }
    if object.entries.isEmpty { return Expansion() }
    let reader = ExpansionReader(decoder: decoder, environment: environment, paths: paths)
    return reader.expansion(matrix: object["matrix"], items: object["items"])
  }

  /// The id as it is written.
  private func writtenID(_ written: WrittenTask) -> (text: String, place: Place)? {
    if let key = written.key, let range = written.keyRange {
      return (key, Place(range: range, path: written.path))
    }
    for entry in written.entries {
      guard case .scalar("id", _) = entry.key.content, let text = entry.value.scalarText else {
        continue
      }
      return (text, Place(range: entry.value.range, path: written.path.appending(.key("id"))))
    }
    return nil
  }
}

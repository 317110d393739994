import TransferCore

extension JobPlanner {
  /// Keys of the top level that aren't read as they stand.
  private static let special: Set<String> = ["vars", "secrets", "sessions", "defaults", "tasks"]

  /// Reads everything but the tasks.
  func readHead(_ root: YAMLNode) {
    guard case .mapping(let entries) = root.content else {
      findings.error(
        .wrongType, "a job must be a map, not \(root.describedKind)",
        at: Place(range: root.range, path: DocumentPath()),
        hint: "`jobrun init` writes a commented job to start from")
      return
    }
    head.range = root.range
    let nodes = nodes(of: entries)
    nodes["vars"].map { registerVariables($0.value) }
    nodes["secrets"].map { registerSecrets($0.value) }
    readPlain(entries)
    interpolator.resolveAll()
    nodes["secrets"].map { readSecrets($0.value) }
    readSettings()
    let written = nodes["sessions"].map { readSessions($0.value) } ?? []
    let sessions = SessionTable(
      findings: findings, environment: environment, resolvePath: ownPath)
    sessions.resolve(written)
    if let node = nodes["defaults"] { readDefaults(node.value) }
    checkTasks(nodes["tasks"])
    checkRequired(nodes)
    reader = TaskReader(
      findings: findings, environment: environment, sessions: sessions, unavailable: unavailable,
      paths: paths)
  }

  private func nodes(of entries: [YAMLNode.Entry]) -> [String: YAMLNode.Entry] {
    var nodes: [String: YAMLNode.Entry] = [:]
    for entry in entries {
      if case .scalar(let key, _) = entry.key.content { nodes[key] = nodes[key] ?? entry }
    }
    return nodes
  }

  private func checkRequired(_ nodes: [String: YAMLNode.Entry]) {
    for field in ObjectSpec.job.fields where field.isRequired && nodes[field.key] == nil {
      decoder.tellMissing(field, in: head.range)
    }
  }

  private func checkTasks(_ entry: YAMLNode.Entry?) {
    guard let entry else { return }
    var path = DocumentPath()
    path.push(.key("tasks"))
    tasksPlace = Place(range: entry.key.range, path: path)
    if case .scalar = entry.value.content {
      findings.error(
        .wrongType,
        "`tasks` must be a list of tasks, or a map of id to task, not "
          + entry.value.describedKind, at: Place(range: entry.value.range, path: path))
      lacksTasks = true
    }
  }

  // MARK: Names

  private func registerVariables(_ node: YAMLNode) {
    var path = DocumentPath()
    path.push(.key("vars"))
    guard case .mapping(let entries) = node.content else {
      return tellNoMap("vars", node, path)
    }
    for entry in entries {
      guard let name = decoder.within(path, { decoder.mapKey(entry.key, .name) }) else { continue }
      let place = Place(range: entry.value.range, path: path.appending(.key(name)))
      interpolator.variables[name] = Interpolator.Variable(
        node: entry.value, place: place, keyRange: entry.key.range)
    }
  }

  private func tellNoMap(_ key: String, _ node: YAMLNode, _ path: DocumentPath) {
    findings.error(
      .wrongType, "`\(key)` must be a map, not \(node.describedKind)",
      at: Place(range: node.range, path: path))
  }

  private func registerSecrets(_ node: YAMLNode) {
    guard case .mapping(let entries) = node.content else { return }
    for entry in entries {
      if case .scalar(let name, _) = entry.key.content { interpolator.secrets.insert(name) }
    }
  }

  /// The fields that need nothing else; `timezone` and `name` first, for placeholders need them.
  private func readPlain(_ entries: [YAMLNode.Entry]) {
    func read(where isDue: (String) -> Bool) {
      for entry in entries {
        guard case .scalar(let key, _) = entry.key.content else { continue }
        if isDue(key) { decoder.append(entry, to: &head, .job) }
      }
    }
    read { $0 == "timezone" }
    interpolator.timezone = head.string("timezone")
    checkTimezone()
    read { $0 == "name" }
    interpolator.jobName = head.string("name") ?? Self.usualName(environment.jobFile)
    read { $0 != "timezone" && $0 != "name" && !Self.special.contains($0) }
  }

  private func checkTimezone() {
    guard let entry = head["timezone"], let zone = entry.value.string,
      environment.civilTime(environment.runStart, zone) == nil
    else { return }
    findings.error(
      .unknownTimezone, "`\(shortened(zone))` is not a time zone that this system knows",
      at: Place(range: entry.range, path: DocumentPath().appending(.key("timezone"))),
      hint: "write an IANA name like Europe/Berlin or UTC")
    interpolator.timezone = nil
  }

  /// The file's base name, made fit to name a folder.
  private static func usualName(_ file: String) -> String {
    if file == "-" { return "stdin" }
    let base = file.split(separator: "/").last ?? "job"
    var name = base
    for ending in [".yaml", ".yml", ".json"] where base.hasSuffix(ending) {
      name = base.dropLast(ending.count)
    }
    let fit = name.map {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-"
    }
    let text = String(fit.drop { !($0.isLetter || $0.isNumber) })
    return text.isEmpty ? "job" : text
  }

  // MARK: Secrets

  private func readSecrets(_ node: YAMLNode) {
    let path = DocumentPath().appending(.key("secrets"))
    guard case .mapping(let entries) = node.content else {
      return tellNoMap("secrets", node, path)
    }
    for entry in entries {
      guard let name = decoder.within(path, { decoder.mapKey(entry.key, .name) }) else { continue }
      let inner = path.appending(.key(name))
      guard case .mapping(let sources) = entry.value.content else {
        tellNoSource(name, entry.value, inner)
        continue
      }
      guard let object = decoder.within(inner, { decoder.object(entry.value, as: .secret) }),
        sources.isEmpty || !object.entries.isEmpty
      else { continue }
      secrets[name] = source(of: object, at: Place(range: entry.value.range, path: inner))
    }
  }

  private func tellNoSource(_ name: String, _ node: YAMLNode, _ path: DocumentPath) {
    findings.error(
      .wrongType, "a secret is a map that says where it comes from, not \(node.describedKind)",
      at: Place(range: node.range, path: path),
      hint: "keep its value out of the job: `\(name): { env: NAME }`")
  }

  private func source(of object: ObjectValue, at place: Place) -> SecretSource? {
    guard object.entries.count == 1, let entry = object.entries.first else {
      findings.error(
        .conflict, "a secret comes from one of env, file, credential and command", at: place,
        hint: "like `{ env: PUBLISH_TOKEN }`")
      return nil
    }
    let text = entry.value.planText?.shown ?? ""
    switch entry.field.key {
    case "env": return .environment(text)
    case "file": return ownPath(text).map(SecretSource.file)
    case "credential": return .credential(text)
    default: return .command(object.strings("command") ?? [])
    }
  }

  /// A path that starts from the job file's folder; nil without a home folder for `~`.
  func ownPath(_ text: String) -> String? { try? paths.own(text) }

  // MARK: Settings

  private func readSettings() {
    settings.durability = head.choice("durability") ?? settings.durability
    settings.maxErrors = head.int("max_errors").map { Int($0) }
    settings.allowEmpty = head.bool("allow_empty") ?? false
    settings.deadline = head.duration("deadline")
    settings.maxParallel = head.int("max_parallel").map { Int($0) } ?? settings.maxParallel
    settings.rateLimit = PolicyReader.rateLimit(head) ?? settings.rateLimit
    settings.onFailure = head.choice("on_failure") ?? settings.onFailure
    settings.timezone = head.string("timezone")
    settings.logPath = ownPath("log", in: head)
    if let entry = head["state"], let text = entry.value.string,
      text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    {
      unavailable.need("state in PostgreSQL", at: headPlace(entry))
    } else {
      settings.stateFolder = ownPath("state", in: head)
    }
    paths.root = root()
    for feature in LaterFeatures.found(in: head, at: DocumentPath()) { unavailable.need(feature) }
  }

  private func headPlace(_ entry: ObjectValue.Entry) -> Place {
    Place(range: entry.range, path: DocumentPath().appending(.key(entry.field.key)))
  }

  private func ownPath(_ key: String, in object: ObjectValue) -> String? {
    guard let entry = object[key], let text = entry.value.planText?.shown else { return nil }
    if let path = ownPath(text) { return path }
    findings.error(
      .noHome, "`~` is the home folder, and HOME is not set", at: headPlace(entry),
      hint: "write an absolute path")
    return nil
  }

  private func root() -> String {
    if let root = environment.root {
      return JobPaths.normalized(
        root.hasPrefix("/") ? root : environment.workingFolder + "/" + root)
    }
    return ownPath("root", in: head) ?? paths.folder
  }

  // MARK: Sessions and defaults

  private func readSessions(_ node: YAMLNode) -> [SessionTable.Written] {
    let path = DocumentPath().appending(.key("sessions"))
    guard case .mapping(let entries) = node.content else {
      tellNoMap("sessions", node, path)
      return []
    }
    return entries.compactMap { entry in
      guard let name = decoder.within(path, { decoder.mapKey(entry.key, .name) }) else {
        return nil
      }
      let inner = path.appending(.key(name))
      let empty = ObjectValue(range: entry.value.range)
      let object =
        entry.value.isNull
        ? empty : decoder.within(inner) { self.decoder.object(entry.value, as: .session) } ?? empty
      return SessionTable.Written(
        name: name, place: Place(range: entry.key.range, path: inner), object: object)
    }
  }

  private func readDefaults(_ node: YAMLNode) {
    guard case .mapping(let entries) = node.content else {
      return tellNoMap("defaults", node, DocumentPath().appending(.key("defaults")))
    }
    defaults.read(entries, decoder)
  }
}

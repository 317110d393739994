import TransferCore

/// A job and the servers that it asks, made up from a seed.
struct Scenario {
  var plan: Plan
  /// What each task asks for.
  var resources: [Resource] = []
  /// Every resource by its address, those that redirects lead to among them.
  var addresses: [String: Resource] = [:]
  /// Lengths of versions by id; 0 stands for zeros.
  var versions: [Version] = []
  /// The version that a task's checksum declares.
  var declared: [Int32: Version] = [:]

  static let root = "/t/"

  static func partPath(_ task: Int32) -> String { "\(root).jobrun-\(task).part" }

  /// Every fourth job is of few large files that are begun again and again: where bytes of two
  /// versions could meet.
  let isOfLargeFiles: Bool
  /// Most files come over several connections, for which there is room.
  let isSplit: Bool

  init(_ chance: Chance) {
    isOfLargeFiles = chance.once(in: 4)
    isSplit = isOfLargeFiles && chance.once(in: 2)
    plan = Plan(
      job: JobIdentity(name: "j", file: "/j.yaml", folder: "/", root: "/"),
      settings: Self.settings(chance, isSplit), sessions: Self.sessions(chance, isSplit),
      policies: (0..<2).map { _ in Self.policy(chance) }, tasks: [])
    addVersion(length: 0, modified: 0)
    if isOfLargeFiles { plan.settings.durability = .batch }
    for session in 0..<2 { addList(session, chance) }
    for index in 0..<chance.from(1...(isOfLargeFiles ? 2 : 5)) { addTask(Int32(index), chance) }
  }

  private static func settings(_ chance: Chance, _ isSplit: Bool) -> RunSettings {
    var settings = RunSettings()
    settings.durability = chance.pick([.batch, .batch, .batch, .file, .none])
    settings.maxParallel = chance.from(isSplit ? 2...8 : 1...4)
    settings.maxErrors = chance.once(in: 6) ? 1 : nil
    settings.onFailure = chance.once(in: 4) ? .stop : .continue
    return settings
  }

  private static func sessions(_ chance: Chance, _ isSplit: Bool) -> [SessionPlan] {
    (0..<2).map { index in
      var session = SessionPlan(name: "s\(index)")
      session.kind = chance.once(in: 6) ? .ephemeral : .default
      session.maxConnectionsPerHost = chance.from(isSplit ? 2...6 : 1...3)
      return session
    }
  }

  private static func policy(_ chance: Chance) -> TransferPolicy {
    var policy = TransferPolicy()
    policy.timeoutForRequest = .seconds(5)
    policy.timeoutForResource = .seconds(chance.pick([20, 120, 600]))
    policy.redirects.max = chance.from(0...3)
    policy.retry.attempts = chance.from(1...5)
    policy.retry.maxBackoff = .seconds(10)
    if chance.once(in: 10) {
      policy.retry.attempts = nil
      policy.timeoutForResource = .seconds(60)
    }
    policy.cachePolicy = chance.once(in: 5) ? .returnCacheDataElseLoad : .useProtocolCachePolicy
    if chance.once(in: 8) { policy.cachePolicy = .reloadIgnoringLocalCacheData }
    return policy
  }

  // MARK: Tasks

  private mutating func addTask(_ index: Int32, _ chance: Chance) {
    let resource = addResource("http://h\(chance.below(2)).test/r\(index)", chance)
    if chance.once(in: 3) { addMirrors(of: resource, chance) }
    resources.append(resource)
    var task = TaskPlan(
      id: "t\(index)", session: chance.below(2), policy: chance.below(2), work: .data(DataPlan()),
      request: RequestPlan(method: "GET", url: PlanText(resource.url)))
    task.priority = Float(chance.from(0...10)) / 10
    for before in 0..<index where chance.once(in: 5) { task.after.append(before) }
    if !isOfLargeFiles, chance.once(in: 8) {
      resource.longest = 100_000
      resource.versions[0].length = min(resource.version.length, resource.longest)
      if chance.once(in: 2) { task.request.method = "POST" }
    } else {
      task.work = .download(download(index, task.session, resource, chance, &task.expect))
    }
    plan.tasks.append(task)
  }

  private mutating func download(
    _ index: Int32, _ session: Int, _ resource: Resource, _ chance: Chance,
    _ expect: inout Expectation
  ) -> DownloadPlan {
    var download = DownloadPlan(path: "\(Self.root)\(index)")
    download.overwrites = !chance.once(in: 5)
    download.allowsUnframed = chance.once(in: 5)
    download.keepsModificationTime = !chance.once(in: 4)
    if isSplit || chance.once(in: 6) {
      download.segments = chance.pick([.fixed(2), .fixed(3), .fixed(6), .auto])
    }
    if chance.once(in: 3) {
      let algorithm: ChecksumAlgorithm = chance.once(in: 2) ? .sha256 : .md5
      download.checksums =
        chance.once(in: 2)
        ? [.list(Int32(session), algorithm: algorithm)]
        : [.inline(algorithm, value: resource.version.content.digest)]
      declared[index] = resource.version
      for each in [resource] + mirrors(of: resource) { each.isChecked = true }
    }
    if chance.once(in: 8) { expect.size = resource.version.length }
    return download
  }

  /// Digests that a task declares, as an inspection finds them.
  func digests(_ task: Int32) -> [LocalFacts.DeclaredDigest] {
    guard case .download(let download) = plan.tasks[Int(task)].work else { return [] }
    return download.checksums.compactMap { checksum in
      switch checksum {
      case .inline(let algorithm, let value):
        return .init(algorithm: algorithm, hex: value, isInline: true)
      case .list(_, let algorithm):
        let digest = declared[task]?.content.digest
        return .init(algorithm: algorithm ?? .sha256, hex: digest ?? "none", isInline: false)
      case .file: return nil
      }
    }
  }

  /// Whether what others put at a task's target must stay.
  func protects(_ task: Int32) -> Bool {
    if case .download(let download) = plan.tasks[Int(task)].work {
      !download.overwrites
    } else {
      false
    }
  }

  // MARK: Resources

  /// A checksum list from an address, which names what its session's tasks declare.
  private mutating func addList(_ session: Int, _ chance: Chance) {
    let list = addResource("http://h\(session).test/SUMS\(session)", chance)
    list.longest = 100_000
    list.versions[0].length = min(list.version.length, list.longest)
    // One that names no length is refused.
    if list.framing == .close { list.framing = .length }
    plan.lists.append(ListPlan(session: session, url: PlanText(list.url), headers: []))
  }

  private mutating func addResource(_ url: String, _ chance: Chance) -> Resource {
    let length = isOfLargeFiles ? chance.from(9_000_000...40_000_000) : Self.length(chance)
    // Servers that were filled together: the same time says nothing of another address.
    let version = addVersion(length: length, modified: HTTPDateText.start)
    let resource = Resource(url: url, path: url, first: version)
    resource.validators = chance.pick([.strong, .strongAndDate, .date, .date, .weak, .none])
    resource.framing = chance.pick([.length, .length, .length, .chunked, .close])
    resource.hasRanges = !chance.once(in: 5)
    resource.honoursIfRange = !chance.once(in: 4) || resource.validators == .weak
    if resource.validators == .none { resource.honoursIfRange = true }
    resource.says = chance.pick(
      resource.hasRanges ? ["bytes", "bytes", nil] : ["bytes", "none", nil])
    resource.faults = chance.pick([0, 10, 40, 80])
    if isOfLargeFiles {
      resource.faults = chance.pick([0, 10, 40])
      resource.validators = chance.pick([.strong, .strongAndDate, isSplit ? .strong : .date])
    }
    addresses[url] = resource
    return resource
  }

  private static func length(_ chance: Chance) -> Int64 {
    switch chance.below(6) {
    case 0: 0
    case 1: Int64(chance.from(1...10))
    case 2, 3: Int64(chance.from(1000...200_000))
    default: Int64(chance.from(1_000_000...40_000_000))
    }
  }

  @discardableResult
  mutating func addVersion(length: Int64, modified: Int64) -> Version {
    let version = Version(id: versions.count, length: length, modified: modified)
    versions.append(version)
    return version
  }

  /// Where its redirects lead: two other addresses on other hosts, of other bytes and lengths, or
  /// of the same length.
  private mutating func addMirrors(of resource: Resource, _ chance: Chance) {
    for suffix in ["/a", "/b"] {
      let mirror = addResource("http://h\(chance.from(2...3)).test\(suffix)\(resource.url)", chance)
      if chance.once(in: 2) {
        mirror.versions = [
          addVersion(length: resource.version.length, modified: mirror.version.modified)
        ]
      }
      mirror.validators = resource.validators
    }
  }

  func mirrors(of resource: Resource) -> [Resource] {
    addresses.filter { $0.key.hasSuffix(resource.url) && $0.key != resource.url }
      .sorted { $0.key < $1.key }.map(\.value)
  }
}

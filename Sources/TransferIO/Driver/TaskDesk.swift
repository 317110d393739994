import TransferCore

/// What the driver has at hand for tasks that are under way: their files, addresses and secrets.
final class TaskDesk {
  private let plan: Plan
  private let inspector: Inspector
  private let resolver: RequestResolver
  private let secrets: SecretResolver
  private let credentials: CredentialDesk
  private let folders: TargetFolders
  private let partNames: PartNames
  private var parts: [Int32: TargetPart] = [:]
  /// The address of a task's request under way, secrets and all.
  private var urls: [Int32: String] = [:]

  /// - Parameter folders: of targets, kept open at most.
  init(plan: Plan, inspector: Inspector, secrets: SecretResolver, folders: Int) {
    self.plan = plan
    self.inspector = inspector
    self.secrets = secrets
    credentials = CredentialDesk(plan: plan, secrets: secrets)
    resolver = RequestResolver { name throws(TransferFailure) in try secrets.value(name) }
    self.folders = TargetFolders(
      root: plan.job.root, containers: plan.sessions.compactMap(\.sharedContainer), limit: folders)
    partNames = PartNames(job: plan.job.name)
  }

  /// Looks at a task's files and state and resolves its secrets.
  /// - Returns: the inspection, or what must be hashed before there is one.
  func inspect(
    _ task: Int32, targetDigests: [ChecksumAlgorithm: String]
  ) -> (inspection: Inspection?, mustHash: (path: String, algorithms: [ChecksumAlgorithm])?) {
    let planned = plan.tasks[Int(task)]
    do throws(TransferFailure) {
      try inspector.expectNotSent(planned)
      guard case .download(let download) = planned.work else {
        var request = try resolver.resolve(planned, declared: [])
        request.netrc = try credentials.netrc(of: planned.session)
        let kept = inspector.doneEarlier(planned).map { run in
          LocalDecision.keep(outcome: .unchanged, reason: "done in run \(run)")
        }
        return (.ready(request, kept ?? .fetch(reason: "")), nil)
      }
      if let list = inspector.missingList(download) {
        return (.needs(list: list, request(for: list)), nil)
      }
      let declared = try inspector.declared(planned, download)
      let (decision, first, kept) = try inspector.decide(
        task, download, declared: declared, targetDigests: targetDigests)
      if case .hash(let algorithms) = decision { return (nil, (download.path, algorithms)) }
      var request = try resolver.resolve(planned, declared: declared, first: first)
      if case .resume = decision { request.kept = kept }
      request.netrc = try credentials.netrc(of: planned.session)
      return (.ready(request, decision), nil)
    } catch {
      return (.failed(error), nil)
    }
  }

  private func request(for list: Int32) -> Result<ResolvedRequest, TransferFailure> {
    do throws(TransferFailure) {
      var request = try resolver.resolve(plan.lists[Int(list)])
      request.netrc = try credentials.netrc(of: plan.lists[Int(list)].session)
      return .success(request)
    } catch { return .failure(error) }
  }

  /// A checksum list has come.
  func learn(_ list: Int32, _ bytes: [UInt8]) {
    inspector.lists.learn(list, bytes, from: plan.lists[Int(list)].url.shown)
  }

  // MARK: Files

  func part(of task: Int32) -> TargetPart? { parts[task] }

  /// The part file of the task that a request serves; notes what its bytes belong to.
  func targetPart(of request: TransferRequest) -> TargetPart {
    let part = targetPart(of: request.task)
    if case .resume(_, let validator, _) = request.condition { part.resumed = validator }
    return part
  }

  func targetPart(of task: Int32) -> TargetPart {
    if let known = parts[task] { return known }
    let download: DownloadPlan
    switch plan.tasks[Int(task)].work {
    case .download(let plan): download = plan
    case .data(let data):
      var saved = DownloadPlan(path: data.savePath ?? "")
      saved.keepsModificationTime = false
      download = saved
    case .upload: preconditionFailure("an upload has no target")
    }
    let part = TargetPart(
      download, task: plan.tasks[Int(task)].id, names: partNames, folders: folders)
    parts[task] = part
    return part
  }

  /// Folders in which folders were made since the last call.
  func takeChangedFolders() -> [TargetFolder] { folders.takeChanged() }

  /// The task has ended: nothing of it is kept at hand.
  func drop(_ task: Int32) {
    parts[task] = nil
    urls[task] = nil
  }

  // MARK: Addresses and secrets

  /// Gives a request the values of the credential that goes with it.
  func fill(_ request: TransferRequest) throws(TransferFailure) { try credentials.fill(request) }

  func note(_ request: TransferRequest) { urls[request.task] = request.url }

  /// Where a Location leads; nil when it makes no address.
  func redirect(of task: Int32, to location: String) -> RedirectTarget? {
    guard let base = urls[task], let url = Address.resolve(location, against: base),
      let origin = Origin(url: url)
    else { return nil }
    return RedirectTarget(url: url, shownURL: secrets.mask.mask(url), origin: origin)
  }

  func masked(_ end: TaskEnd) -> TaskEnd {
    secrets.mask.isEmpty ? end : TaskEnd(secrets.mask.masked(end.result), part: end.part)
  }
}

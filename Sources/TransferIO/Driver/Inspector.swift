import Glibc
import TransferCore

/// Looks at what a download finds on this machine: target, state, part file, checksum lists. `plan`
/// and `run` ask it the same, so that a run does what its plan said. Changes nothing.
struct Inspector {
  let plan: Plan
  /// nil when the job has no state yet.
  let state: StateStore?
  let lists: ChecksumLists
  let doneInRun: [String: String]
  /// As a run that forgets how far the tasks had come.
  var forgets = false

  /// - Parameter targetDigests: of the target, once it was hashed.
  /// - Returns: the decision; which of the task's addresses it is about: the one that the file or
  ///   the part file here came from, and else the first; and what is there beyond a resume's start.
  func decide(
    _ task: Int32, _ download: DownloadPlan, declared: [LocalFacts.DeclaredDigest],
    targetDigests: [ChecksumAlgorithm: String]
  ) throws(TransferFailure) -> (LocalDecision, first: Int, kept: ByteRanges) {
    let planned = plan.tasks[Int(task)]
    var facts = LocalFacts()
    facts.declared = declared
    facts.targetDigests = targetDigests
    facts.doneInRun = doneInRun[planned.id]
    do { facts.target = try FileFacts.read(download.path) } catch { throw error.failure }
    if let state, plan.sessions[planned.session].keepsState {
      do throws(StateError) {
        if facts.target != nil { facts.committed = try state.committedFile(planned.id) }
        if !forgets { facts.checkpoint = try usable(try state.checkpoint(planned.id)) }
      } catch { throw error.failure }
    }
    if facts.committed?.path != download.path { facts.committed = nil }
    let first = source(of: planned.request, facts)
    facts.url = first == 0 ? planned.request.url.shown : planned.request.mirrors[first - 1].shown
    let policy = plan.policies[planned.policy].cachePolicy
    let decision = LocalDecision.decide(download, policy: policy, facts)
    return (decision, first, facts.checkpoint?.usableBeyond ?? ByteRanges())
  }

  private func source(of request: RequestPlan, _ facts: LocalFacts) -> Int {
    guard !request.mirrors.isEmpty,
      let known = facts.checkpoint?.url ?? facts.committed?.askedURL ?? facts.committed?.url
    else {
      return 0
    }
    return request.shownURLs.firstIndex(of: known) ?? 0
  }

  /// The run of this chain that did a data task or an upload, while what it saved is still here.
  func doneEarlier(_ planned: TaskPlan) -> String? {
    if case .download = planned.work { return nil }
    guard let run = doneInRun[planned.id] else { return nil }
    guard let path = planned.path else { return run }
    return (try? FileFacts.read(path)) != nil ? run : nil
  }

  /// The digests that the job declares and its lists name.
  func declared(
    _ planned: TaskPlan, _ download: DownloadPlan
  ) throws(TransferFailure) -> [LocalFacts.DeclaredDigest] {
    var declared: [LocalFacts.DeclaredDigest] = []
    for checksum in download.checksums {
      switch checksum {
      case .inline(let algorithm, let value):
        declared.append(.init(algorithm: algorithm, hex: value, isInline: true))
      case .file(let list, let algorithm):
        let (found, hex) = try lists.digest(of: download.path, in: list, algorithm: algorithm)
        declared.append(.init(algorithm: found, hex: hex, isInline: false))
      case .list(let list, let algorithm):
        let file = (url: planned.request.url.shown, target: download.path)
        let (found, hex) = try lists.digest(
          of: file, in: list, from: plan.lists[Int(list)].url.shown, algorithm: algorithm)
        declared.append(.init(algorithm: found, hex: hex, isInline: false))
      }
    }
    return declared
  }

  /// The first of a download's lists from addresses that isn't here.
  func missingList(_ download: DownloadPlan) -> Int32? {
    download.lists.first { !lists.has($0) }
  }

  private func usable(_ checkpoint: Checkpoint?) throws(StateError) -> Checkpoint? {
    guard let checkpoint,
      checkpoint.speaks(
        for: (try? FileFacts.read(checkpoint.path)) ?? nil, marked: PartMark.read(checkpoint.path))
    else { return nil }
    return checkpoint
  }
}

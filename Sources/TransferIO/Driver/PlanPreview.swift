import Glibc
import TransferCore

/// Says for every task what a run would do now, from the file, the state and the disk alone. Sends
/// nothing, writes nothing, reads no secret.
package struct PlanPreview {
  private let plan: Plan
  private let inspector: Inspector
  private let methods = DigestMethods()
  private let notBefore: [String: WallTime]
  /// What tasks of this job bring.
  private let brought: Set<String>

  /// - Parameters:
  ///   - state: open for reading; nil when the job has none yet.
  ///   - notBefore: hosts that want to be left alone, and until when.
  ///   - forgets: as a run that forgets how far the tasks had come.
  package init(
    plan: Plan, state: StateStore?, doneInRun: [String: String],
    notBefore: [String: WallTime] = [:], forgets: Bool = false
  ) {
    self.notBefore = notBefore
    self.plan = plan
    brought = Set(plan.tasks.lazy.compactMap(\.path))
    inspector = Inspector(
      plan: plan, state: state, lists: ChecksumLists(), doneInRun: doneInRun,
      forgets: forgets)
  }

  /// In the plan's order.
  package func tasks() -> [PlannedTask] {
    plan.tasks.indices.map { planned(Int32($0)) }
  }

  /// What a run would do with one task.
  package func task(_ task: Int32) -> PlannedTask { planned(task) }

  private func planned(_ task: Int32) -> PlannedTask {
    let planned = plan.tasks[Int(task)]
    if let run = inspector.doneEarlier(planned) {
      return PlannedTask(task: task, action: .keep, reason: "done in run \(run)")
    }
    let host = RunMachine.authority(planned.request.url.shown)
    if let until = notBefore[host] {
      return PlannedTask(task: task, action: .defer, reason: HoldWords.text(host, until))
    }
    var wouldFail: String?
    do throws(TransferFailure) { try inspector.expectNotSent(planned) } catch {
      wouldFail = "would fail now: \(error.detail)"
    }
    switch planned.work {
    case .upload:
      let missing = missingFile(planned).map { "would fail now: \($0) can't be read" }
      return PlannedTask(
        task: task, action: .upload, reason: wouldFail ?? missing ?? "uploads are sent anew")
    case .data(let data):
      let reason = data.savePath == nil ? "the answer is not kept" : "the answer is saved"
      return PlannedTask(task: task, action: .request, reason: wouldFail ?? reason)
    case .download(let download):
      if let wouldFail { return PlannedTask(task: task, action: .fetch, reason: wouldFail) }
      do throws(TransferFailure) {
        let (decision, first, kept) = try decision(task, download)
        var shown = shown(task, decision, kept)
        shown.mirror = first
        askForLists(of: download, &shown)
        return shown
      } catch {
        return PlannedTask(task: task, action: .fetch, reason: "would fail now: \(error.detail)")
      }
    }
  }

  /// The file to be sent, when it isn't there and no task of this job brings it.
  private func missingFile(_ planned: TaskPlan) -> String? {
    guard case .file(let path, _)? = planned.request.body, !brought.contains(path) else {
      return nil
    }
    return unsafe access(path, R_OK) == 0 ? nil : path
  }

  private func decision(
    _ task: Int32, _ download: DownloadPlan
  ) throws(TransferFailure) -> (LocalDecision, first: Int, kept: ByteRanges) {
    // A list that another task brings may not be here yet, or may be another one then.
    let declared: [LocalFacts.DeclaredDigest]
    var known = download
    // Those from addresses are asked for by the run.
    if !plan.lists.isEmpty {
      known.checksums.removeAll { if case .list = $0 { true } else { false } }
    }
    do throws(TransferFailure) {
      declared = try inspector.declared(plan.tasks[Int(task)], known)
    } catch {
      if !isBroughtByTask(download) { throw error }
      return (.fetch(reason: "its checksum list is not here yet"), 0, ByteRanges())
    }
    let first = try inspector.decide(task, download, declared: declared, targetDigests: [:])
    guard case .hash(let algorithms) = first.0 else { return first }
    let digests = try methods.hashFile(download.path, algorithms)
    let made = Dictionary(zip(algorithms, digests), uniquingKeysWith: { first, _ in first })
    return try inspector.decide(task, download, declared: declared, targetDigests: made)
  }

  /// What the lists from addresses will say is the run's to find out: nothing is kept before.
  private func askForLists(of download: DownloadPlan, _ planned: inout PlannedTask) {
    if plan.lists.isEmpty { return }
    let urls = download.lists.map { plan.lists[Int($0)].url.shown }
    guard !urls.isEmpty else { return }
    if planned.action == .keep { planned.action = .revalidate }
    planned.reason = "\(urls.joined(separator: " and ")) is asked for its digest; " + planned.reason
  }

  private func isBroughtByTask(_ download: DownloadPlan) -> Bool {
    download.checksums.contains { checksum in
      if case .file(let list, _) = checksum { brought.contains(list) } else { false }
    }
  }

  private func shown(
    _ task: Int32, _ decision: LocalDecision, _ kept: ByteRanges
  ) -> PlannedTask {
    // What came in segments.
    let more =
      kept.isEmpty ? "" : ", with \(kept.count) bytes of later ranges"
    return switch decision {
    case .keep(_, let reason): PlannedTask(task: task, action: .keep, reason: reason)
    case .fetch(let reason): PlannedTask(task: task, action: .fetch, reason: reason)
    case .resume(let from, _, _):
      PlannedTask(
        task: task, action: .resume, reason: "a part file is here\(more)", fromByte: from)
    case .revalidate:
      PlannedTask(task: task, action: .revalidate, reason: "the server is asked if it changed")
    case .fetchUnless:
      PlannedTask(
        task: task, action: .fetch,
        reason: "the address is another one now, unless it leads to the known one")
    case .fail(let failure):
      PlannedTask(task: task, action: .fetch, reason: "would fail now: \(failure.detail)")
    case .hash: preconditionFailure("a hash was asked for twice")
    }
  }
}
